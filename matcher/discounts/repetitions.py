"""Repetitions inside and between passages: a form that is filled in line by line counts once.

"On Fedora, install it with DNF. On Debian, install it with APT": a list of five systems repeats the same words five
times, and shares all five with every other such list. Prose hardly repeats five units within a passage. Units that two
passages have in common count once.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import Mask
from matcher.alignment.kgrams import Indices

GRAM: Final = 5
"""Units. Of 3,000 real passages of 120 units, half have no repetition of this length, one in twenty a sixth."""
_ALPHABET: Final = 64
_SPREAD: Final = 0x9E3779B97F4A7C15
_EMPTY: Final = -1


def said_before(codes: UnitCodes, stretches: Sequence[tuple[int, int]]) -> list[Mask]:
    """Return for each stretch which of its units are in a gram that occurs earlier in it, or in a stretch before it.

    Linear.
    """
    bounds = np.array(stretches, dtype=np.int64).reshape(-1, 2)
    said, lengths = repeated_units(codes, bounds), (bounds[:, 1] - bounds[:, 0]).tolist()
    return [said[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)]


@compiled("boolean[::1](Array(uint8, 1, 'C', True), int64[:, ::1])")
def repeated_units(codes: UnitCodes, stretches: Indices) -> Mask:
    """Return the same for the units of all stretches, one after another. `codes`: 0…63."""
    whole = 0
    for stretch in stretches:
        whole += stretch[1] - stretch[0]
    said = np.zeros(whole, dtype=np.bool_)
    size = 16
    while size < 2 * whole:
        size *= 2
    table = np.full(size, _EMPTY, dtype=np.int64)
    filled = 0
    for stretch in stretches:
        for start in range(stretch[0], stretch[1] - GRAM + 1):
            gram = 0
            for step in range(GRAM):
                gram = gram * _ALPHABET + codes[start + step]
            slot = int(np.uint64(gram) * np.uint64(_SPREAD) >> np.uint64(32)) & (size - 1)
            while table[slot] != gram and table[slot] != _EMPTY:
                slot = (slot + 1) & (size - 1)
            if table[slot] == gram:
                place = filled + start - stretch[0]
                said[place : place + GRAM] = True
            table[slot] = gram
        filled += stretch[1] - stretch[0]
    return said
