"""k-shingles: the share of all k characters in a row, of either text, that both texts hold.

A. Z. Broder: On the resemblance and containment of documents. Compression and Complexity of Sequences, 1997.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import code_points
from fingerprint.hashing import mix
from matcher.measures.model import Measured, Side, no_value

SHINGLE_CHARS: Final = 5
TOO_SHORT: Final = f"a text of fewer than {SHINGLE_CHARS} characters has no shingle"

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
"""Nearest odd number to 2^64 divided by the golden ratio: its multiples spread well over 64 bits (Knuth, vol. 3)."""

Shingles: TypeAlias = npt.NDArray[np.uint64]


def shingle_jaccard(left: Side, right: Side) -> Measured:
    """Shingles of both texts divided by shingles of either (Jaccard): 0…1, symmetric. Time O(n log n), no bound."""
    one, other = shingles_of(left.text), shingles_of(right.text)
    if not len(one) or not len(other):
        return no_value(TOO_SHORT)
    shared = len(np.intersect1d(one, other, assume_unique=True))
    figures = {"shared": shared, "left": len(one), "right": len(other)}
    return Measured(shared / (len(one) + len(other) - shared), figures=figures)


def shingles_of(text: str, size: int = SHINGLE_CHARS) -> Shingles:
    """The distinct shingles as 64-bit hashes, sorted; none where the text is shorter than one."""
    codes = code_points(text).astype(np.uint64)
    count = len(codes) - size + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint64)
    packed = np.zeros(count, dtype=np.uint64)
    for offset in range(size):
        packed = mix(packed * _STEP + codes[offset : offset + count])
    return np.unique(packed)
