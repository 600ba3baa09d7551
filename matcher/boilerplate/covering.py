"""Compiled loop that finds the grams of learned runs in a text."""

from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import Mask
from matcher.alignment.kgrams import Grams

GRAM: Final = 8
"""Units of a gram (`matcher.boilerplate.classifier.GRAM`)."""
ALPHABET: Final = 37
"""Grams are numbers in this base (`matcher.alignment.kgrams.ALPHABET`)."""

_SIEVE_BITS: Final = 15
"""Binary digits of a place in the sieve: a byte each, so that it stays in the fastest cache of a processor."""
_SPREAD: Final = 0x9E3779B97F4A7C15
"""Odd, without a pattern in its bits: multiplication by it spreads grams over the sieve."""


@compiled("boolean[::1](Array(uint8, 1, 'C', True), Array(uint64, 1, 'C', True))")
def units_covered(codes: UnitCodes, index: Grams) -> Mask:
    """Return which units are inside one of the grams of `index`, which ascend."""
    mask = np.zeros(len(codes), dtype=np.bool_)
    # Nearly no gram of a text is in the index: one look into the sieve excludes most.
    sieve, spread, shift = np.zeros(1 << _SIEVE_BITS, dtype=np.bool_), np.uint64(_SPREAD), np.uint64(64 - _SIEVE_BITS)
    for known in index:
        sieve[known * spread >> shift] = True
    base, rest = np.uint64(ALPHABET), np.uint64(1)
    for _ in range(GRAM - 1):
        rest *= base
    gram = np.uint64(0)
    for unit in range(len(codes)):
        if unit >= GRAM:
            gram -= np.uint64(codes[unit - GRAM]) * rest
        gram = gram * base + np.uint64(codes[unit])
        if unit < GRAM - 1 or not sieve[gram * spread >> shift]:
            continue
        low, high = 0, len(index)
        while low < high:
            middle = (low + high) // 2
            if index[middle] < gram:
                low = middle + 1
            else:
                high = middle
        if low < len(index) and index[low] == gram:
            mask[unit - GRAM + 1 : unit + 1] = True
    return mask
