"""Extension of blocks past their ends and between them, by runs too short to share a gram.

A small window of both texts is a table of equal units. Its diagonals hold the short runs; the continuation
is the path with the most equal units after the cost of differing ones.
"""

from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from matcher.alignment.blocks import AlignmentParameters, Run, true_stretches
from matcher.alignment.chaining import trimmed
from matcher.alignment.kgrams import as_runs, runs_of_pairs

SHORTEST: Final = 3
"""Least units of a run off the straight continuation. In unrelated texts six in a hundred units are equal, and one in
four thousand starts such a run of three."""
BRIDGING: Final = 4
"""Least units of a run that joins two blocks: the window is wider, and so is the room for chance."""
MISMATCH_COST: Final = 0.4
"""Cost of a differing unit, in equal units. With 30 % of words edited, half of the units differ."""
SHIFT_COST: Final = 1.5
"""Cost of leaving the diagonal, in equal units."""
NEEDED: Final = 3.0
"""Least gain of a continuation: four units in a row past one or two that differ."""
MOST_RUNS: Final = 48
"""Runs of a window that are considered, the longest first: repetitive text has hundreds."""


def grown(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run]:
    """Return the runs by which two texts continue from their start, past small edits."""
    runs: list[Run] = []
    at_left = at_right = 0
    while True:
        equal = _leading_equal(left[at_left:], right[at_right:])
        if equal:
            runs.append(Run(at_left, at_right, equal))
            at_left, at_right = at_left + equal, at_right + equal
        step = _continuation(left[at_left : at_left + parameters.reach], right[at_right : at_right + parameters.reach])
        if not step:
            return runs
        runs += [run.moved(at_left, at_right) for run in step]
        at_left, at_right = runs[-1].left_end, runs[-1].right_end


def between(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run]:
    """Return the runs, in order, that two stretches share from corner to corner."""
    runs = _short_runs(left, right, BRIDGING, parameters.max_drift)
    return _best_way(runs, mismatch=0.0, shift=1.0)


def _leading_equal(left: UnitCodes, right: UnitCodes) -> int:
    width = min(len(left), len(right))
    size = 64
    while True:  # doubling: most ends differ at once, but a copy of a repeated line may be equal for 100,000 units
        looked = min(size, width)
        differs = left[:looked] != right[:looked]
        if differs.any():
            return int(np.argmax(differs))
        if looked == width:
            return width
        size *= 8


def _continuation(left: UnitCodes, right: UnitCodes) -> list[Run]:
    width = min(len(left), len(right))
    if not width:
        return []
    straight = [Run(start, start, size) for start, size in true_stretches(left[:width] == right[:width])]
    runs = [run for run in _short_runs(left, right, SHORTEST, width) if run.diagonal] + straight
    return _best_way(sorted(runs), mismatch=MISMATCH_COST, shift=SHIFT_COST, needed=NEEDED)


def _short_runs(left: UnitCodes, right: UnitCodes, shortest: int, max_drift: int) -> list[Run]:
    rows, columns = len(left) - shortest + 1, len(right) - shortest + 1
    if rows <= 0 or columns <= 0:
        return []
    equal = left[:, np.newaxis] == right[np.newaxis, :]
    hits = equal[:rows, :columns].copy()
    for offset in range(1, shortest):
        hits &= equal[offset : offset + rows, offset : offset + columns]
    at_left, at_right = np.divmod(np.flatnonzero(hits), columns)
    runs = as_runs(runs_of_pairs(at_left, at_right, shortest))
    drift = len(left) - len(right)
    runs = [run for run in runs if min(0, drift) - max_drift <= run.diagonal <= max(0, drift) + max_drift]
    return sorted(sorted(runs, key=lambda run: (-run.length, abs(run.diagonal)))[:MOST_RUNS])


def _best_way(runs: list[Run], *, mismatch: float, shift: float, needed: float = 0.0) -> list[Run]:
    """Return the chain of runs from the start of both texts that gains most; empty if it gains less than `needed`."""
    scores: list[float] = []
    ways: list[int] = []
    ends: list[tuple[int, int]] = []
    for left, right, length in runs:
        best, best_way = length - mismatch * max(left, right) - (shift if left != right else 0.0), -1
        for number, (left_end, right_end) in enumerate(ends):
            if scores[number] + length <= best:
                continue
            gap_left, gap_right = left - left_end, right - right_end
            behind = max(-gap_left, -gap_right, 0)
            gain = length - behind - mismatch * (max(gap_left, gap_right) + behind)
            gain -= shift if gap_left != gap_right else 0.0
            if behind < length and scores[number] + gain > best:
                best, best_way = scores[number] + gain, number
        scores.append(best)
        ways.append(best_way)
        ends.append((left + length, right + length))
    peak = max(range(len(runs)), key=scores.__getitem__, default=-1)
    if peak < 0 or scores[peak] < needed:
        return []
    way = []
    while peak >= 0:
        way.append(runs[peak])
        peak = ways[peak]
    return trimmed(way[::-1])
