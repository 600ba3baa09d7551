"""Raw text → canonical text, one character at a time, so that every offset maps back exactly.

Compatibility forms, case, accents, invisible characters and traditional script are folded away. Because each
code point is folded on its own, `canonicalize(a + b)` is `canonicalize(a)` followed by `canonicalize(b)`.
"""

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import code_points, tables, text_of
from fingerprint.compiling import compiled
from fingerprint.model import CanonicalText, CodePoints, Offsets


def canonicalize(text: str) -> CanonicalText:
    """Return the canonical form of any string, lone surrogates and NUL included. Never raises.

    >>> canonicalize("Ｃａｆé\u200b 體㎏").text
    'cafe 体kg'
    """
    known = tables()
    folded, starts = _folded(code_points(text), known.fold, known.expansion_from, known.expansion_chars)
    return CanonicalText(source=text, text=text_of(folded), starts=starts, ends=starts + 1)


@compiled(
    "Tuple((uint32[::1], int32[::1]))(Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True),"
    " Array(int64, 1, 'C', True), Array(uint32, 1, 'C', True))"
)
def _folded(
    chars: CodePoints, fold: CodePoints, expansion_from: npt.NDArray[np.int64], expansion_chars: CodePoints
) -> tuple[CodePoints, Offsets]:
    """Return the canonical characters, and the place that each came from."""
    length = 0
    for char in chars:
        expansion = fold[char] - len(fold)
        length += 1 if expansion < 0 else expansion_from[expansion + 1] - expansion_from[expansion]
    folded, starts = np.empty(length, np.uint32), np.empty(length, np.int32)
    written = 0
    for place, char in enumerate(chars):
        first = written
        expansion = fold[char] - len(fold)
        if expansion < 0:
            folded[written] = fold[char]
            written += 1
        else:
            for part in range(expansion_from[expansion], expansion_from[expansion + 1]):
                folded[written] = expansion_chars[part]
                written += 1
        starts[first:written] = place
    return folded, starts
