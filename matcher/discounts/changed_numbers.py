"""Changed numbers: template news keeps its wording and changes its facts."""

from collections.abc import Sequence
from math import comb
from typing import Final

import numpy as np

from fingerprint.model import FIRST_DIGIT, UnitCodes
from matcher.alignment.align import Block, Indices, true_stretches

DENSEST_PROSE: Final = 0.03
"""Share of digits among the units. Numbered headings and years stay below; notices have .05, weather .12, prices .3."""
CHANGED: Final = 0.5
"""Rate, relative to the other units, below which shared numbers count as changed ..."""
WORDING: Final = 0.5
"""Least share of the other units: below it, the wording is not shared either."""
CHANCE: Final = 0.03
"""... unless they are so few that an editor who changes words and numbers alike may have changed as many by chance."""
ENOUGH: Final = 100
"""Least distinct numbers that rule out chance."""


def numbers_differ(blocks: Sequence[Block], left: UnitCodes, right: UnitCodes) -> bool:
    """Return whether the blocks share the wording of two texts but not the numbers, seen from either text."""
    return _numbers_differ(blocks, left, right) and _numbers_differ([block.mirrored() for block in blocks], right, left)


def _numbers_differ(blocks: Sequence[Block], codes: UnitCodes, others: UnitCodes) -> bool:
    """Return the same, seen from one text. A number is kept if both texts have it whole at the same place. Each
    distinct value that is kept counts once, so that a repeated measure ("500 grams") does not hide that all prices
    changed.
    """
    is_digit = codes >= FIRST_DIGIT
    digits = sum(int(np.count_nonzero(is_digit[block.left : block.left_end])) for block in blocks)
    words = sum(block.left_end - block.left for block in blocks) - digits
    if not words or digits < DENSEST_PROSE * (digits + words):
        return False
    kept: set[bytes] = set()
    changed = words_shared = 0
    for block in blocks:
        place, inside = _places(block), is_digit[block.left : block.left_end]
        words_shared += int(((place >= 0) & ~inside).sum())
        for start, length in true_stretches(inside):
            if _is_kept(place[start : start + length], others):
                kept.add(codes[block.left + start : block.left + start + length].tobytes())
            else:
                changed += 1
    of, rate = len(kept) + changed, words_shared / words
    if rate < WORDING:
        return False
    return len(kept) < CHANGED * rate * of and (of > ENOUGH or _at_most(len(kept), of=of, rate=rate) < CHANCE)


def _places(block: Block) -> Indices:
    """Return the position of each unit of the block's stretch in the other text; -1: none."""
    places = np.full(block.left_end - block.left, -1, dtype=np.int64)
    for run in block.runs:
        places[run.left - block.left : run.left_end - block.left] = np.arange(run.right, run.right_end)
    return places


def _is_kept(place: Indices, others: UnitCodes) -> bool:
    """Return whether a number is in the other text unchanged, and not as a part of a longer one."""
    first, last = int(place[0]), int(place[-1])
    if (place < 0).any() or last - first != len(place) - 1:
        return False
    beside = (others[first - 1 : first], others[last + 1 : last + 2])
    return not any(len(unit) and unit[0] >= FIRST_DIGIT for unit in beside)


def _at_most(kept: int, *, of: int, rate: float) -> float:
    """Return the probability that of so many things, each kept at this rate, no more than `kept` are."""
    return sum(comb(of, number) * rate**number * (1 - rate) ** (of - number) for number in range(kept + 1))
