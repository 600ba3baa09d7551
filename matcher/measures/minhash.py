"""MinHash: an estimate of the shingles' Jaccard similarity from the least of many hashes of each set.

A. Z. Broder: On the resemblance and containment of documents. Compression and Complexity of Sequences, 1997.
"""

from typing import TYPE_CHECKING, Final

from matcher.measures.model import Measured, Side, heads, no_value
from matcher.measures.shingles import TOO_SHORT, Shingles, shingles_of

if TYPE_CHECKING:
    from datasketch import MinHash

PERMUTATIONS: Final = 128
"""The standard error of the estimate is at most 1 / (2 √128) = .044."""
SEED: Final = 1
LONGEST: Final = 500_000
"""Characters of each text: each shingle is hashed 128 times, so two texts of this length take a second."""
BATCH: Final = 16_384
"""Shingles hashed at a time: 16 MB."""


def minhash_jaccard(left: Side, right: Side) -> Measured:
    """Share of the 128 hashes whose least value is the same for both texts: 0…1, symmetric. Time O(128 n)."""
    one, other, note = heads(left, right, LONGEST)
    signatures = [_signature(shingles) for shingles in (shingles_of(one), shingles_of(other)) if len(shingles)]
    if len(signatures) != len((left, right)):
        return no_value(TOO_SHORT)
    return Measured(float(signatures[0].jaccard(signatures[1])), note, {"hashes": PERMUTATIONS})


def _signature(shingles: Shingles) -> "MinHash":
    from datasketch import MinHash  # noqa: PLC0415  # a second to import, which only this measure needs

    # The shingles are hashes already: their low half is what the library expects of a hash function.
    signature = MinHash(num_perm=PERMUTATIONS, seed=SEED, hashfunc=_low_half)
    for start in range(0, len(shingles), BATCH):
        signature.update_batch(shingles[start : start + BATCH].tolist())
    return signature


def _low_half(shingle: int) -> int:
    return shingle & 0xFFFFFFFF
