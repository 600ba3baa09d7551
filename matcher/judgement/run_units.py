"""The units of a block's runs in one array, to compute their properties all at once."""

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
    """Positions of the equal units in both texts, run after run; `bounds`: the start of each run, and the end."""

    left: Indices
    right: Indices
    bounds: tuple[int, ...]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "RunUnits":
        """Return the units of at least one run; no run may be empty."""
        lefts, rights, lengths = np.array(runs, dtype=np.int64).T
        bounds = (0, *accumulate(lengths.tolist()))
        within = np.arange(bounds[-1]) - np.repeat(bounds[:-1], lengths)
        return cls(np.repeat(lefts, lengths) + within, np.repeat(rights, lengths) + within, bounds)

    @property
    def runs(self) -> list[Stretch]:
        return list(zip(self.bounds[:-1], self.bounds[1:], strict=True))

    def stretches(self, mask: Mask, least: int) -> list[Stretch]:
        """Return the stretches of at least `least` units, within runs, where the mask is true."""
        is_edge = np.zeros(len(mask) + 1, dtype=np.bool_)
        is_edge[1:-1] = mask[1:] != mask[:-1]
        is_edge[list(self.bounds)] = True
        edges = np.flatnonzero(is_edge)
        kept = mask.take(edges[:-1]) & (edges[1:] - edges[:-1] >= least)
        return list(zip(edges[:-1][kept].tolist(), edges[1:][kept].tolist(), strict=True))


class Tally:
    """Sums of unit weights, figures counted separately."""

    def __init__(self, counts: Counts, is_figure: Mask) -> None:
        self._words, self._figures = counts[~is_figure], counts[is_figure]
        self._before = np.append(0, np.cumsum(is_figure)).tolist()

    def of(self, stretches: Sequence[Stretch]) -> tuple[float, float]:
        """Return words and figures. Stretches are summed one by one in order, which decides about the last digits."""
        words = figures = 0.0
        for start, end in stretches:
            first, last = self._before[start], self._before[end]
            words += float(np.add.reduce(self._words[start - first : end - last]))
            if last > first:
                figures += float(np.add.reduce(self._figures[first:last]))
        return words, figures
