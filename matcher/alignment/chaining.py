"""Chaining: joins runs that follow each other closely in both texts."""

import math
from dataclasses import dataclass
from typing import Final

from matcher.alignment.blocks import AlignmentParameters, Run, units_of

LOOK_BACK: Final = 8
"""Earlier runs on near diagonals that a run may continue. Prose has one or two, tables of figures hundreds."""
GAP_COST: Final = 0.05
"""Cost of each unit between two runs, in matched units: of two continuations the nearer one is better."""
SHIFT_COST: Final = 1.0
"""Cost of leaving the diagonal, in matched units."""


def chained(runs: list[Run], parameters: AlignmentParameters) -> list[list[Run]]:
    """Return the heaviest chains of runs that are sorted by position. Each run is in one chain; light chains are
    dropped.
    """
    scores, before = _best_predecessors(runs, parameters)
    used = [False] * len(runs)
    chains = []
    # A sort in reverse keeps equal ones in their order.
    for last in sorted(range(len(runs)), key=scores.__getitem__, reverse=True):
        if used[last]:
            continue
        chain = trimmed([runs[number] for number in _unused_way(last, before, used)])
        if units_of(chain) >= parameters.min_chained:
            chains.append(chain)
    return sorted(chains, key=units_of, reverse=True)


def _best_predecessors(runs: list[Run], parameters: AlignmentParameters) -> tuple[list[float], list[int]]:
    """Return for each run the weight of the best chain that ends with it, and the run before it there (-1: none).

    Only runs on near diagonals can precede it: they are kept in strips as wide as the drift. Of equally good ones the
    first of the first strip is taken.
    """
    max_gap, max_drift = parameters.max_gap, parameters.max_drift
    scores: list[float] = []
    before: list[int] = []
    strips: dict[int, _Strip] = {}
    for number, run in enumerate(runs):
        left, right, length = run
        own = (left - right) // max_drift
        best, best_before, best_strip = float(length), -1, own
        for strip in (own, own - 1, own + 1):
            held = strips.get(strip)
            if held is None or left - held.end > max_gap:
                continue
            for other in held.latest:
                # Nothing adds more than its length: this alone rules out most runs.
                if scores[other] + length < best:
                    continue
                score = scores[other] + _gain(runs[other], run, max_gap, max_drift)
                if score > best or (score == best and best_before > -1 and (strip, other) < (best_strip, best_before)):
                    best, best_before, best_strip = score, other, strip
        scores.append(best)
        before.append(best_before)
        held = strips.get(own)
        if held is None:
            strips[own] = _Strip([number], left + length)
        else:
            held.latest = [number, *held.latest[: LOOK_BACK - 1]]
            held.end = max(held.end, left + length)
    return scores, before


@dataclass(slots=True)
class _Strip:
    """The latest runs on some neighbouring diagonals, and how far they reach in the left text."""

    latest: list[int]
    """The latest run comes first: it is the best in most cases."""
    end: int


def _gain(last: Run, run: Run, max_gap: int, max_drift: int) -> float:
    """Return what `run` adds to a chain that ends with `last`; negative if it cannot follow."""
    last_left, last_right, last_length = last
    left, right, length = run
    gap, less = left - last_left - last_length, right - last_right - last_length
    if gap < less:
        gap, less = less, gap
    if gap - less > max_drift or -less >= length or gap > max_gap:
        return -math.inf
    # Units between the two runs in either text; a negative number is their overlap.
    new = length + less if less < 0 else length
    return new - GAP_COST * (gap if gap > 0 else 0) - (SHIFT_COST if gap != less else 0.0)


def _unused_way(last: int, before: list[int], used: list[bool]) -> list[int]:
    """Return the chain that ends with `last`, in order, from its start or the last run taken by a heavier chain."""
    way = []
    while last >= 0 and not used[last]:
        used[last] = True
        way.append(last)
        last = before[last]
    return way[::-1]


def trimmed(chain: list[Run]) -> list[Run]:
    """Return the chain with every run starting after the end of the previous one in both texts."""
    apart = chain[:1]
    left_end, right_end = chain[0].left_end, chain[0].right_end
    for run in chain[1:]:
        left, right, length = run
        behind = max(left_end - left, right_end - right)
        apart.append(Run(left + behind, right + behind, length - behind) if behind > 0 else run)
        left_end, right_end = left + length, right + length
    return apart
