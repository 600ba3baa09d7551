"""64-bit simhash (Charikar 2002; Manku, Jain, Das Sarma 2007): weighted features → similar numbers for similar texts.

Bits are numbered from the left as in the literature: the first component of a vector is the most significant bit, the
first block or band holds the most significant bits.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from fingerprint.errors import ParameterError
from fingerprint.model import BAND_BITS, BAND_COUNT, SIMHASH_BITS, Hashes

MIN_FEATURES: Final = 8
"""Least distinct words. With fewer, one common word decides many bits and texts collide. A paragraph has 20."""

Bands = tuple[int, int, int, int]


def sign_bits(vector: Sequence[float] | npt.NDArray[np.float64]) -> int:
    """Positive components become 1, all others 0.

    >>> format(sign_bits([13, 108, -22, -5, -32, 55]), "b")
    '110001'
    """
    signature = 0
    for component in vector:
        signature = signature << 1 | (component > 0)
    return int(signature)


@compiled("uint64(Array(uint64, 1, 'C', True), Array(float64, 1, 'C', True))")
def simhash_of(hashes: Hashes, weights: npt.NDArray[np.float64]) -> int:
    """Return the simhash of distinct features, 0…2**64 - 1. `hashes` and `weights` have the same length.

    Whole weights, as `tokens.weighted_words` returns, give the same bits on every machine: sums of whole numbers do not
    depend on the order of addition.
    """
    vector = np.zeros(SIMHASH_BITS)
    for feature in range(min(len(hashes), len(weights))):
        for bit in range(SIMHASH_BITS):
            vector[bit] += weights[feature] if hashes[feature] >> np.uint64(bit) & np.uint64(1) else -weights[feature]
    simhash = np.uint64(0)
    for bit in range(SIMHASH_BITS):
        simhash |= np.uint64(vector[bit] > 0) << np.uint64(bit)
    return int(simhash)


def distance(first: int, second: int) -> int:
    """Return the Hamming distance: the number of bits that differ, 0…64."""
    return (first ^ second).bit_count()


def blocks(simhash: int, count: int, *, bits: int = SIMHASH_BITS) -> tuple[int, ...]:
    """Cut a simhash into `count` blocks of nearly equal width, from the left; the first may be one bit wider.

    Two numbers at a distance of at most d share one of d + 1 blocks (pigeonhole principle). Raises ParameterError if
    `count` is not in 1…`bits`.
    """
    if not 1 <= count <= bits:
        raise ParameterError(f"cannot cut {bits} bits into {count} blocks: choose 1 to {bits}")
    narrow, wider = divmod(bits, count)
    values = []
    remaining = bits
    for index in range(count):
        width = narrow + (index < wider)
        remaining -= width
        values.append(simhash >> remaining & ((1 << width) - 1))
    return tuple(values)


def bands(simhash: int) -> Bands:
    """Return four 16-bit blocks, from the left: two simhashes at a distance of at most 3 share one of them."""
    first, second, third, fourth = blocks(simhash, BAND_COUNT)
    return first, second, third, fourth


def probe_neighbours(simhash: int) -> tuple[tuple[int, ...], ...]:
    """Return for each band its value, then the 16 values one bit away: 68 look-ups, exact to a distance of 7."""
    return tuple((band, *(band ^ (1 << bit) for bit in range(BAND_BITS))) for band in bands(simhash))
