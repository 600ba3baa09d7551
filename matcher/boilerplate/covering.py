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


@compiled("boolean[::1](Array(uint8, 1, 'C', True), Array(uint64, 1, 'C', True))")
def units_covered(codes: UnitCodes, index: Grams) -> Mask:
    """Return which units are inside one of the grams of `index`, which ascend."""
    mask = np.zeros(len(codes), dtype=np.bool_)
    base, rest = np.uint64(ALPHABET), np.uint64(1)
    for _ in range(GRAM - 1):
        rest *= base
    gram = np.uint64(0)
    for unit in range(len(codes)):
        if unit >= GRAM:
            gram -= np.uint64(codes[unit - GRAM]) * rest
        gram = gram * base + np.uint64(codes[unit])
        low, high = 0, len(index) if unit >= GRAM - 1 else 0
        while low < high:
            middle = (low + high) // 2
            if index[middle] < gram:
                low = middle + 1
            else:
                high = middle
        if unit >= GRAM - 1 and low < len(index) and index[low] == gram:
            mask[unit - GRAM + 1 : unit + 1] = True
    return mask
