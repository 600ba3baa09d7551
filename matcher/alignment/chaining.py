"""Chaining: joins runs that follow each other closely in both texts."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from matcher.alignment.blocks import AlignmentParameters
from matcher.alignment.rows import Groups, Indices, Rows, chosen, copy_rows, order_of

Scores: TypeAlias = npt.NDArray[np.float64]

LOOK_BACK: Final = 8
"""Earlier runs on near diagonals that a run may continue. Prose has one or two, tables of figures hundreds."""
GAP_COST: Final = 0.05
"""Cost of each unit between two runs, in matched units: of two continuations the nearer one is better."""
SHIFT_COST: Final = 1.0
"""Cost of leaving the diagonal, in matched units."""


@compiled()
def chained(runs: Rows, parameters: AlignmentParameters) -> Groups:
    """Return the heaviest chains of runs that are sorted by position, heaviest first.

    Each run is in one chain; light chains are dropped.
    """
    scores, before = _best_predecessors(runs, parameters.max_gap, parameters.max_drift)
    used = np.zeros(len(runs), dtype=np.bool_)
    rows, bounds = np.empty((len(runs), 3), dtype=np.int64), np.zeros(len(runs) + 1, dtype=np.int64)
    lightness = np.empty(len(runs), dtype=np.int64)
    found = 0
    for last in order_of(-scores):
        start = end = bounds[found]
        number, size = last, 0
        while number >= 0 and not used[number]:
            used[number] = True
            number, size = before[number], size + 1
        number = last
        for end in range(start + size, start, -1):
            copy_rows(runs, number, number + 1, rows, end - 1)
            number = before[number]
        lightness[found] = -trimmed_units(rows, start, start + size) if size else 0
        if lightness[found] <= -parameters.min_chained:
            found += 1
            bounds[found] = start + size
    return chosen((rows, bounds), order_of(lightness[:found]))


@compiled()
def _range_of_strips(runs: Rows, max_drift: int) -> tuple[int, int]:
    lowest, highest = 0, 0
    for run in runs:
        strip = (run[0] - run[1]) // max_drift
        lowest, highest = min(lowest, strip), max(highest, strip)
    return lowest, highest


@compiled()
def _best_predecessors(runs: Rows, max_gap: int, max_drift: int) -> tuple[Scores, Indices]:
    """Return for each run the weight of the best chain that ends with it, and the run before it there (-1: none).

    Only runs on near diagonals can precede it: they are kept in strips as wide as the drift. Of equally good ones the
    first of the first strip is taken.
    """
    scores, before = np.empty(len(runs), dtype=np.float64), np.full(len(runs), -1, dtype=np.int64)
    lowest, highest = _range_of_strips(runs, max_drift)
    # The latest runs of each strip, in turn, and their number. Beyond the outermost strips one is empty.
    latest = np.empty((highest - lowest + 3, LOOK_BACK), dtype=np.int64)
    held = np.zeros(len(latest), dtype=np.int64)
    for number in range(len(runs)):
        length = runs[number, 2]
        own = (runs[number, 0] - runs[number, 1]) // max_drift - lowest + 1
        best, best_before, best_strip = np.float64(length), -1, own
        for strip in (own, own - 1, own + 1):
            for back in range(1, min(held[strip], LOOK_BACK) + 1):  # the latest first: it is the best in most cases
                other = latest[strip, (held[strip] - back) % LOOK_BACK]
                # Nothing adds more than its length: this alone rules out most runs.
                if scores[other] + length < best:
                    continue
                score = scores[other] + _gain(runs[other], runs[number], max_gap, max_drift)
                is_before = strip < best_strip or (strip == best_strip and other < best_before)
                if score > best or (score == best and best_before > -1 and is_before):
                    best, best_before, best_strip = score, other, strip
        scores[number], before[number] = best, best_before
        latest[own, held[own] % LOOK_BACK] = number
        held[own] += 1
    return scores, before


@compiled()
def _gain(last: Rows, run: Rows, max_gap: int, max_drift: int) -> float:
    """Return what `run` adds to a chain that ends with `last`; negative if it cannot follow."""
    gap, less, length = run[0] - last[0] - last[2], run[1] - last[1] - last[2], run[2]
    if gap < less:
        gap, less = less, gap
    if gap - less > max_drift or -less >= length or gap > max_gap:
        return -np.inf
    # Units between the two runs in either text; a negative number is their overlap.
    new = length + less if less < 0 else length
    return float(new - GAP_COST * (gap if gap > 0 else 0) - (SHIFT_COST if gap != less else 0.0))


@compiled()
def trimmed_units(rows: Rows, start: int, end: int) -> int:
    """Move the start of each run of start…end behind the end of the previous one in both texts; return their units."""
    units = int(rows[start, 2])
    for number in range(start + 1, end):
        before, run = rows[number - 1], rows[number]
        behind = max(before[0] + before[2] - run[0], before[1] + before[2] - run[1], 0)
        run[0] += behind
        run[1] += behind
        run[2] -= behind
        units += run[2]
    return units
