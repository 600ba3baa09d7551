"""What was found for each probe, and the figures of the report."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.meaning.probes import FITTED_ON, GOALS, Goal, Kind, Probe
from benchmarks.meaning.statistics import Judged, Rate


class Features(NamedTuple):
    """What a score rests on: the variables of the regression, and whether it is that of short texts."""

    is_short: bool
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a check of one probe found, as ids of stored texts. `literal`: matches by wording. `scores`: of every
    candidate that was judged by meaning. `named`: those among them that are called retellings or translations.
    `rank`: place of the source among the candidates, from 1; None if it is none of them.
    """

    probe: Probe
    literal: tuple[str, ...]
    scores: dict[str, float]
    named: tuple[str, ...]
    rank: int | None
    features: dict[str, Features] = field(default_factory=dict)
    cpu_s: float = 0.0

    @property
    def is_named(self) -> bool:
        """Whether the source was named as retold or translated."""
        return self.probe.source in self.named

    @property
    def is_found(self) -> bool:
        """Whether the source was found, by wording or by meaning."""
        return self.is_named or self.probe.source in self.literal

    @property
    def best(self) -> float:
        """The highest score; 0 without candidates."""
        return max(self.scores.values(), default=0.0)

    @property
    def of_source(self) -> float:
        return self.scores.get(self.probe.source or "", 0.0)


@dataclass(frozen=True, slots=True)
class GoalResult:
    """`found`: copies found, or innocents named. `by_meaning`, `candidates`: copies named by meaning, and those whose
    source was a candidate.
    """

    goal: Goal
    found: Rate
    by_meaning: Rate
    candidates: Rate

    @property
    def is_met(self) -> bool | None:
        """None where no goal is set or nothing was asked."""
        if not self.found.count:
            return None
        if self.goal.at_least is not None:
            return self.found.share >= self.goal.at_least
        return None if self.goal.at_most is None else self.found.share <= self.goal.at_most


@dataclass(frozen=True, slots=True)
class OtherResult:
    """What another method finds of each goal's copies at the threshold at which it names one innocent in a hundred."""

    method: str
    threshold: float
    found: dict[str, Rate]


@dataclass(frozen=True, slots=True)
class MeaningResult:
    stored: int
    left_out: int
    encoder: str
    seed: int
    answers: tuple[Answer, ...]
    others: tuple[OtherResult, ...]
    cpu_s: dict[str, float] = field(default_factory=dict)
    """Processor time by step."""

    @property
    def reported(self) -> list[Answer]:
        """Those of which figures are reported."""
        return [answer for answer in self.answers if answer.probe.kind not in FITTED_ON]

    def goals(self) -> list[GoalResult]:
        return [_result(goal, self.answers) for goal in GOALS]

    def judged(self) -> list[Judged]:
        """Return every pair that was judged, with its truth. A retelling of a source's translation is not counted."""
        return [
            Judged(score, text_id == answer.probe.source and not answer.probe.is_innocent)
            for answer in self.reported
            for text_id, score in answer.scores.items()
        ]


def _result(goal: Goal, answers: Sequence[Answer]) -> GoalResult:
    own = [answer for answer in answers if answer.probe.kind in goal.kinds]
    named = sum(bool(answer.named) if answer.probe.is_innocent else answer.is_named for answer in own)
    found = named if goal.at_most is not None else sum(answer.is_found for answer in own)
    reached = sum(answer.rank is not None for answer in own)
    return GoalResult(goal, Rate(found, len(own)), Rate(named, len(own)), Rate(reached, len(own)))


def by_kind(answers: Sequence[Answer], kinds: Sequence[Kind]) -> list[Answer]:
    return [answer for answer in answers if answer.probe.kind in kinds]
