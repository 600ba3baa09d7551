"""Raw text → canonical text, one character at a time, so that every offset maps back exactly.

Compatibility forms, case, accents, invisible characters and traditional script are folded away. Because each
code point is folded on its own, `canonicalize(a + b)` is `canonicalize(a)` followed by `canonicalize(b)`.
"""

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import EXPANDS, code_points, tables
from fingerprint.model import CanonicalText


def canonicalize(text: str) -> CanonicalText:
    """Return the canonical form of any string, lone surrogates and NUL included. Never raises.

    >>> canonicalize("Ｃａｆé\u200b 體㎏").text
    'cafe 体kg'
    """
    folded = tables().fold.take(code_points(text))
    if not len(folded) or int(folded.max()) < EXPANDS:
        origins = np.arange(len(folded), dtype=np.int32)
    else:
        folded, origins = _expanded(folded)
    return CanonicalText(
        source=text,
        text=folded.astype("<u4", copy=False).tobytes().decode("utf-32-le"),
        starts=origins,
        ends=origins + 1,
    )


def _expanded(folded: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    known = tables()
    special = np.flatnonzero(folded >= EXPANDS)
    expansion = folded[special] - EXPANDS
    first = known.expansion_from[expansion]
    lengths = known.expansion_from[expansion + 1] - first
    counts = np.ones(len(folded), dtype=np.int64)
    counts[special] = lengths
    origins = np.repeat(np.arange(len(folded), dtype=np.int32), counts)
    output = folded[origins]
    # Positions of each expansion's characters in the output, and their indices in the table.
    within = np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    places = np.repeat((np.cumsum(counts) - counts)[special], lengths) + within
    output[places] = known.expansion_chars[np.repeat(first, lengths) + within]
    return output, origins
