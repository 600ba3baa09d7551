"""Metrics of the answers: shares by family, precision over all named pairs, passages. Pure."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from benchmarks.corpus.model import Expected, Family, Language, Probe, Span
from benchmarks.quality.scenarios.checking import Answer, Named
from benchmarks.quality.scoring.passages import PassageScore, score_of, span_of
from benchmarks.quality.scoring.truth import Sides, Truth


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A probe with its answer and the truth. `planted`: see Truth.sides."""

    family: Family
    probe: Probe
    answer: Answer
    sides: Sides

    @property
    def counts(self) -> bool:
        """An innocent that truly shares a run with what was named, and with nothing else, is not counted."""
        return not (self.probe.expected is Expected.INNOCENT and self.sides.left_out and not self.sides.wrong)

    @property
    def is_as_expected(self) -> bool:
        match self.probe.expected:
            case Expected.COPY:
                return bool(self.sides.right)
            case Expected.INNOCENT:
                return not self.sides.wrong
            case Expected.NO_CASE:
                return not any(named.is_claimed for named in self.answer.named)


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """`share`: of the probes counted, those that came out as expected; None where there was none."""

    name: str
    title: str
    language: Language
    expected: Expected
    floor: float | None
    probes: int
    left_out: int
    as_expected: int
    passages: PassageScore

    @property
    def counted(self) -> int:
        return self.probes - self.left_out

    @property
    def share(self) -> float | None:
        return self.as_expected / self.counted if self.counted else None

    @property
    def is_met(self) -> bool | None:
        """None where there is no floor or nothing was measured."""
        return None if self.floor is None or self.share is None else self.share >= self.floor


@dataclass(frozen=True, slots=True)
class Precision:
    """Pairs of a probe and a text that was named."""

    right: int
    wrong: int
    left_out: int

    @property
    def share(self) -> float | None:
        named = self.right + self.wrong
        return self.right / named if named else None


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Precision and recall if only texts of at least this score are reported."""

    score: float
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Of a number over all checks."""

    median: float
    p95: float
    largest: float


CURVE_POINTS: Final = 200


def family_result(family: Family, results: Sequence[JudgedAnswer], passages: PassageScore) -> FamilyResult:
    counted = [item for item in results if item.counts]
    return FamilyResult(
        name=family.name,
        title=family.title,
        language=family.language,
        expected=family.expected,
        floor=family.floor,
        probes=len(results),
        left_out=len(results) - len(counted),
        as_expected=sum(item.is_as_expected for item in counted),
        passages=passages,
    )


def recall_of(results: Iterable[FamilyResult]) -> float | None:
    """Share of all probes of these families that came out as expected, each probe alike."""
    listed = list(results)
    counted = sum(result.counted for result in listed)
    return sum(result.as_expected for result in listed) / counted if counted else None


def pair_precision(results: Iterable[JudgedAnswer]) -> Precision:
    """Precision over all reported pairs. A wire story that is recognised as one is no wrong pair."""
    sides = [item.sides for item in results if item.probe.expected is not Expected.NO_CASE]
    return Precision(
        right=sum(len(side.right) for side in sides),
        wrong=sum(len(side.wrong) for side in sides),
        left_out=sum(len(side.left_out) for side in sides),
    )


def passages_of(results: Iterable[JudgedAnswer], truth: Truth) -> PassageScore:
    """Passage measures over the probes whose sources all have a known passage, and only for those sources."""
    total = PassageScore()
    for item in results:
        probe = item.probe
        if probe.spans and {span.source for span in probe.spans} == probe.sources:
            total = total.plus(score_of(_true(probe, truth), _found(item, truth)))
    return total


def _true(probe: Probe, truth: Truth) -> list[Span]:
    return [replace(span, source=str(truth.same_text(truth.number_of(span.source)))) for span in probe.spans]


def _found(item: JudgedAnswer, truth: Truth) -> list[Span]:
    return [
        span_of(passage, str(truth.same_text(named.number)))
        for named in item.answer.named
        if named.number in item.sides.right
        for passage in named.passages
        if not passage.is_boilerplate
    ]


def curve(results: Sequence[JudgedAnswer]) -> tuple[CurvePoint, ...]:
    """Precision and recall by least score. Empty if nothing was reported."""
    copies = [item for item in results if item.probe.expected is Expected.COPY]
    judged = [item for item in results if item.probe.expected is not Expected.NO_CASE]
    best = np.array([max(_scores(item, item.sides.right), default=-np.inf) for item in copies])
    right = np.sort([score for item in judged for score in _scores(item, item.sides.right)])
    wrong = np.sort([score for item in judged for score in _scores(item, item.sides.wrong)])
    scores = np.unique(np.concatenate((right, wrong)))
    if not copies or not len(scores):
        return ()
    kept = scores[np.unique(np.linspace(0, len(scores) - 1, CURVE_POINTS).round().astype(int))]
    points = []
    for score in kept.tolist():
        true = len(right) - int(np.searchsorted(right, score))
        false = len(wrong) - int(np.searchsorted(wrong, score))
        points.append(CurvePoint(score, float((best >= score).mean()), true / (true + false)))
    return tuple(points)


def _scores(item: JudgedAnswer, numbers: frozenset[int]) -> list[float]:
    return [named.score for named in item.answer.named if named.number in numbers]


def best_f1(points: Sequence[CurvePoint]) -> CurvePoint | None:
    """The point at which precision and recall are best together; None on an empty curve."""
    return max(points, key=_f1, default=None)


def _f1(point: CurvePoint) -> float:
    total = point.precision + point.recall
    return 2 * point.precision * point.recall / total if total else 0.0


def spread(values: Sequence[float]) -> Spread:
    """`values` is not empty."""
    return Spread(statistics.median(values), float(np.percentile(values, 95)), max(values))


def at_least(named: Sequence[Named], score: float) -> tuple[Named, ...]:
    return tuple(item for item in named if item.score >= score)


def by_family(results: Iterable[JudgedAnswer]) -> Mapping[str, list[JudgedAnswer]]:
    grouped: dict[str, list[JudgedAnswer]] = {}
    for item in results:
        grouped.setdefault(item.family.name, []).append(item)
    return grouped
