"""Changed numbers: template news keeps its wording and changes its facts."""

from collections.abc import Sequence
from math import comb
from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.align import Block, Indices

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
DIGIT: Final = 27
"""First unit code of a digit (`fingerprint.model.FIRST_DIGIT`)."""
NOWHERE: Final = -1


def numbers_differ(blocks: Sequence[Block], left: UnitCodes, right: UnitCodes) -> bool:
    """Return whether the blocks share the wording of two texts but not the numbers, seen from either text."""
    runs = np.array([run for block in blocks for run in block.runs], dtype=np.int64).reshape(-1, 3)
    ends = np.cumsum([len(block.runs) for block in blocks], dtype=np.int64)
    if not _numbers_differ(runs, ends, left, right):
        return False
    return _numbers_differ(np.ascontiguousarray(runs[:, [1, 0, 2]]), ends, right, left)


def _numbers_differ(runs: Indices, ends: Indices, codes: UnitCodes, others: UnitCodes) -> bool:
    """Return the same, seen from one text. A number is kept if both texts have it whole at the same place. Each
    distinct value that is kept counts once, so that a repeated measure ("500 grams") does not hide that all prices
    changed.
    """
    numbers, words, words_shared = numbers_of(runs, ends, codes, others)
    digits = int((numbers[:, 1] - numbers[:, 0]).sum())
    if not words or digits < DENSEST_PROSE * (digits + words):
        return False
    kept = {codes[start:end].tobytes() for start, end, is_kept in numbers.tolist() if is_kept}
    changed = len(numbers) - int(numbers[:, 2].sum())
    of, rate = len(kept) + changed, words_shared / words
    if rate < WORDING:
        return False
    return len(kept) < CHANGED * rate * of and (of > ENOUGH or _at_most(len(kept), of=of, rate=rate) < CHANCE)


@compiled("int64(int64[:, ::1], int64, int64)")
def place_of(runs: Indices, run: int, unit: int) -> int:
    """Return the place in the other text of a unit before the end of a run; `NOWHERE` if it is before its start."""
    return runs[run, 1] + unit - runs[run, 0] if unit >= runs[run, 0] else NOWHERE


@compiled("boolean(int64, int64, Array(uint8, 1, 'C', True))")
def is_whole(first: int, last: int, others: UnitCodes) -> bool:
    """Return whether a number is not a part of a longer one."""
    is_longer = first > 0 and others[first - 1] >= DIGIT
    return not is_longer and not (last + 1 < len(others) and others[last + 1] >= DIGIT)


@compiled(
    "Tuple((int64[:, ::1], int64, int64))(int64[:, ::1], int64[::1], Array(uint8, 1, 'C', True), "
    "Array(uint8, 1, 'C', True))"
)
def numbers_of(runs: Indices, ends: Indices, codes: UnitCodes, others: UnitCodes) -> tuple[Indices, int, int]:
    """Return the numbers in the stretches of some blocks, and how many other units these have and share.

    `runs`: rows (left, right, length) of all blocks, none empty; `ends`: how many there are up to the end of each
    block. Rows of the result: start and end of a number, and whether the other text has it unchanged and whole.
    """
    whole = run = 0
    for end in ends:
        whole += runs[end - 1, 0] + runs[end - 1, 2] - runs[run, 0]
        run = end
    found = np.empty((whole, 3), dtype=np.int64)
    count = words = words_shared = run = 0
    for end in ends:
        unit, last_unit = runs[run, 0], runs[end - 1, 0] + runs[end - 1, 2]
        while unit < last_unit:
            while runs[run, 0] + runs[run, 2] <= unit:
                run += 1
            first = place_of(runs, run, unit)
            start = unit
            unit += 1
            if codes[start] < DIGIT:
                words += 1
                words_shared += first != NOWHERE
                continue
            is_kept, last = first != NOWHERE, first
            while unit < last_unit and codes[unit] >= DIGIT:
                while runs[run, 0] + runs[run, 2] <= unit:
                    run += 1
                last = place_of(runs, run, unit)
                is_kept = is_kept and last == first + unit - start
                unit += 1
            found[count, 0], found[count, 1] = start, unit
            found[count, 2] = is_kept and is_whole(first, last, others)
            count += 1
        run = end
    return found[:count].copy(), words, words_shared


def _at_most(kept: int, *, of: int, rate: float) -> float:
    """Return the probability that of so many things, each kept at this rate, no more than `kept` are."""
    return sum(comb(of, number) * rate**number * (1 - rate) ** (of - number) for number in range(kept + 1))
