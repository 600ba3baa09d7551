"""Runs that follow each other closely in both texts, chained."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from matcher.blocks import AlignmentParameters, Run, units_of

LOOK_BACK: Final = 8
"""Runs before it on diagonals alike that a run may continue. Prose has one or two, tables of figures hundreds."""
GAP_COST: Final = 0.05
"""Of each unit between two runs, in matched units: of two continuations the nearer one is better."""
SHIFT_COST: Final = 1.0
"""Of leaving the diagonal, in matched units."""


def chained(runs: list[Run], parameters: AlignmentParameters) -> list[list[Run]]:
    """The heaviest chains of runs sorted by their places, each run in one chain; too light ones are left out."""
    scores, before = _best_predecessors(runs, parameters)
    used = [False] * len(runs)
    chains = []
    for last in sorted(range(len(runs)), key=lambda number: (-scores[number], number)):
        numbers = _unused_way(last, before, used)
        if numbers:
            chain = trimmed([runs[number] for number in numbers])
            if units_of(chain) >= parameters.min_chained:
                chains.append(chain)
    return sorted(chains, key=units_of, reverse=True)


def _best_predecessors(runs: list[Run], parameters: AlignmentParameters) -> tuple[list[float], list[int]]:
    """Of each run the weight of the best chain that ends with it, and the run before it there (-1: none).

    Only runs on diagonals near its own can come before it: they are kept in strips as wide as the drift.
    """
    scores: list[float] = []
    before: list[int] = []
    strips: dict[int, _Strip] = defaultdict(_Strip)
    for number, run in enumerate(runs):
        best, best_before = float(run.length), -1
        own = run.diagonal // parameters.max_drift
        for strip in (own - 1, own, own + 1):
            for other in strips[strip].near(run, parameters.max_gap) if strip in strips else ():
                score = scores[other] + _gain(runs[other], run, parameters.max_gap, parameters.max_drift)
                if score > best:
                    best, best_before = score, other
        scores.append(best)
        before.append(best_before)
        strips[own].add(number, run)
    return scores, before


class _Strip:
    """The latest runs on some neighbouring diagonals."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._end = 0

    def near(self, run: Run, max_gap: int) -> Sequence[int]:
        return self._numbers if run.left - self._end <= max_gap else ()

    def add(self, number: int, run: Run) -> None:
        self._numbers = [*self._numbers[1 - LOOK_BACK :], number]
        self._end = max(self._end, run.left_end)


def _gain(last: Run, run: Run, max_gap: int, max_drift: int) -> float:
    """What `run` adds to a chain that ends with `last`; less than nothing where it cannot follow it."""
    last_left, last_right, last_length = last
    left, right, length = run
    between_left, between_right = left - last_left - last_length, right - last_right - last_length
    drift = abs(between_left - between_right)
    gap, behind = max(between_left, between_right), -min(between_left, between_right, 0)
    if drift > max_drift or behind >= length or gap > max_gap:
        return -math.inf
    return length - behind - GAP_COST * max(gap, 0) - (SHIFT_COST if drift else 0.0)


def _unused_way(last: int, before: list[int], used: list[bool]) -> list[int]:
    """From `last` back to the start of its chain or to what a heavier chain has taken, in order."""
    way = []
    while last >= 0 and not used[last]:
        used[last] = True
        way.append(last)
        last = before[last]
    return way[::-1]


def trimmed(chain: list[Run]) -> list[Run]:
    """The chain with every run starting behind the one before it in both texts."""
    apart = chain[:1]
    for run in chain[1:]:
        behind = max(apart[-1].left_end - run.left, apart[-1].right_end - run.right, 0)
        apart.append(Run(run.left + behind, run.right + behind, run.length - behind))
    return apart
