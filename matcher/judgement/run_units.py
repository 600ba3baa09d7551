"""The units of a block's runs in one array, so that what holds for a unit is computed for all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from matcher.alignment.blocks import Mask, Run
from matcher.alignment.kgrams import Indices

Counts: TypeAlias = npt.NDArray[np.float64]
Stretch: TypeAlias = tuple[int, int]
"""Start and end (exclusive) in the array of units."""


@dataclass(frozen=True, slots=True, eq=False)
class RunUnits:
    """Places of the equal units in both texts, run after run; `bounds` are where each run begins, and the end."""

    left: Indices
    right: Indices
    bounds: tuple[int, ...]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "RunUnits":
        """At least one run, none without units."""
        lefts, rights, lengths = np.array(runs, dtype=np.int64).T
        bounds = (0, *accumulate(lengths.tolist()))
        within = np.arange(bounds[-1]) - np.repeat(bounds[:-1], lengths)
        return cls(np.repeat(lefts, lengths) + within, np.repeat(rights, lengths) + within, bounds)

    @property
    def runs(self) -> list[Stretch]:
        return list(zip(self.bounds[:-1], self.bounds[1:], strict=True))

    def stretches(self, mask: Mask, least: int) -> list[Stretch]:
        """Where the mask is true, run by run, for `least` units and more."""
        is_edge = np.zeros(len(mask) + 1, dtype=np.bool_)
        is_edge[1:-1] = mask[1:] != mask[:-1]
        is_edge[list(self.bounds)] = True
        edges = np.flatnonzero(is_edge)
        kept = mask.take(edges[:-1]) & (edges[1:] - edges[:-1] >= least)
        return list(zip(edges[:-1][kept].tolist(), edges[1:][kept].tolist(), strict=True))


class Tally:
    """Sums of what the units count, figures apart."""

    def __init__(self, counts: Counts, is_figure: Mask) -> None:
        self._words, self._figures = counts[~is_figure], counts[is_figure]
        self._before = np.append(0, np.cumsum(is_figure)).tolist()

    def of(self, stretches: Sequence[Stretch]) -> tuple[float, float]:
        """Words and figures. Each stretch by itself, then one after the other: the order decides about last digits."""
        words = figures = 0.0
        for start, end in stretches:
            first, last = self._before[start], self._before[end]
            words += float(np.add.reduce(self._words[start - first : end - last]))
            if last > first:
                figures += float(np.add.reduce(self._figures[first:last]))
        return words, figures
