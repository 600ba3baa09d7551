"""Intervals of rates, calibration of scores, and what a threshold finds and wrongly names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Final

Z_95: Final = 1.959964
"""Quantile of the normal distribution for an interval of 95 %."""
BIN_EDGES: Final = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
"""Bounds of the bins of the reliability curve: narrow at both ends, where most scores are."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `count`, with the bounds of its interval of 95 % by Wilson (1927), which holds for small counts too."""

    hits: int
    count: int

    @property
    def share(self) -> float:
        return self.hits / self.count if self.count else 0.0

    @property
    def low(self) -> float:
        return self._interval()[0]

    @property
    def high(self) -> float:
        return self._interval()[1]

    def _interval(self) -> tuple[float, float]:
        if not self.count:
            return 0.0, 1.0
        square = Z_95**2 / self.count
        middle = self.share + square / 2
        half = sqrt(square * (self.share * (1 - self.share) + square / 4))
        return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))


@dataclass(frozen=True, slots=True)
class Judged:
    """The score of a pair of texts, and whether one really is made from the other."""

    score: float
    is_true: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """The pairs whose score is at least `low` and below `high`; `mean`: of their scores, 0 without pairs."""

    low: float
    high: float
    mean: float
    rate: Rate


def brier(judged: Sequence[Judged]) -> float | None:
    """Return the mean square of score less truth (Brier 1950): 0 at best, .25 for a coin; None without pairs."""
    if not judged:
        return None
    return sum((pair.score - pair.is_true) ** 2 for pair in judged) / len(judged)


def reliability(judged: Sequence[Judged]) -> list[Bin]:
    """Return for each bin of scores what share of its pairs is true. A score of 1 is in the last bin."""
    bins = []
    for low, high in pairwise(BIN_EDGES):
        inside = [pair for pair in judged if low <= pair.score < high or pair.score == high == BIN_EDGES[-1]]
        mean = sum(pair.score for pair in inside) / len(inside) if inside else 0.0
        bins.append(Bin(low, high, mean, Rate(sum(pair.is_true for pair in inside), len(inside))))
    return bins


@dataclass(frozen=True, slots=True)
class Point:
    """What the threshold finds, and how many innocents it names."""

    threshold: float
    found: Rate
    false: Rate


def curve(found: Sequence[float], false: Sequence[float], thresholds: Sequence[float]) -> Iterator[Point]:
    """Return a point a threshold. `found`: the score that each copy's source got; `false`: the highest score that each
    innocent got; 0 where none was named.
    """
    for threshold in thresholds:
        yield Point(
            threshold,
            Rate(sum(score >= threshold for score in found), len(found)),
            Rate(sum(score >= threshold for score in false), len(false)),
        )


def threshold_at(false: Sequence[float], most: float) -> float:
    """Return the least threshold above which no more than the share `most` of the innocents has a score."""
    allowed = int(most * len(false))
    ranked = sorted(false, reverse=True)
    return ranked[allowed] if allowed < len(ranked) else 0.0
