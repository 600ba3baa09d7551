"""Repetitions inside and between passages: a form that is filled in line by line counts once.

"On Fedora, install it with DNF. On Debian, install it with APT": a list of five systems repeats the same words five
times, and shares all five with every other such list. Prose hardly repeats five units within a passage. Units that two
passages have in common count once.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from matcher.alignment.align import Mask, unit_grams
from matcher.alignment.kgrams import groups_of, in_order

GRAM: Final = 5
"""Units. Of 3,000 real passages of 120 units, half have no repetition of this length, one in twenty a sixth."""


def said_before(codes: UnitCodes, stretches: Sequence[tuple[int, int]]) -> list[Mask]:
    """Return for each stretch which of its units are in a gram that occurs earlier in it, or in a stretch before it.

    Linear, except for sorting.
    """
    grams = [unit_grams(codes[start:end], GRAM) for start, end in stretches]
    again = np.ones(sum(map(len, grams)), dtype=np.bool_)
    if len(again):
        ordered, places = in_order(np.concatenate(grams), np.arange(len(again)), GRAM)
        again[places.take(groups_of(ordered)[0])] = False
    parts = np.split(again, np.cumsum([len(part) for part in grams])[:-1]) if grams else []
    return [_covered(end - start, part) for (start, end), part in zip(stretches, parts, strict=True)]


def _covered(length: int, starts: Mask) -> Mask:
    """Return the units inside the grams that start at the marked positions."""
    mask = np.zeros(length, dtype=np.bool_)
    for offset in range(GRAM if len(starts) else 0):
        mask[offset : offset + len(starts)] |= starts
    return mask
