"""How well found passages agree with true ones, in characters: the measures of Potthast, Stein, Barrón-Cedeño and
Rosso, "An Evaluation Framework for Plagiarism Detection" (COLING 2010).

A passage is the characters that it takes up in the copy and in the source. In their precision and recall, means over
passages, a short one weighs as much as a long one; pooled, every character weighs the same.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.corpus.model import Span
from storage.records.matches import Passage


def span_of(passage: Passage, source: str = "") -> Span:
    """The span of a found passage whose left side is the copy."""
    return Span(passage.left_start, passage.left_end, source, passage.right_start, passage.right_end)


@dataclass(frozen=True, slots=True)
class PassageScore:
    """Sums over the copies measured so far; scores of several copies are added."""

    true: int = 0
    """True passages."""
    found: int = 0
    """Found passages."""
    recall_sum: float = 0.0
    precision_sum: float = 0.0
    detected: int = 0
    """True passages that any found one touches in both texts."""
    detections: int = 0
    """Over those, the found ones that touch each."""
    shared_chars: int = 0
    """Characters of found passages that a true one explains."""
    found_chars: int = 0
    caught_chars: int = 0
    """Characters of true passages that a found one covers."""
    true_chars: int = 0

    def plus(self, other: "PassageScore") -> "PassageScore":
        return PassageScore(*(getattr(self, name) + getattr(other, name) for name in _FIELDS))

    @property
    def precision(self) -> float:
        return self.precision_sum / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.recall_sum / self.true if self.true else 0.0

    @property
    def pooled_precision(self) -> float:
        """Over all characters alike, whichever passage they belong to."""
        return self.shared_chars / self.found_chars if self.found_chars else 0.0

    @property
    def pooled_recall(self) -> float:
        return self.caught_chars / self.true_chars if self.true_chars else 0.0

    @property
    def granularity(self) -> float:
        """Found passages for each true one that was found at all: 1 is best."""
        return self.detections / self.detected if self.detected else 1.0

    @property
    def plagdet(self) -> float:
        """Harmonic mean of precision and recall, divided by log2(1 + granularity): 0…1."""
        return self._discounted(self.precision, self.recall)

    @property
    def pooled_plagdet(self) -> float:
        """The same of the pooled measures."""
        return self._discounted(self.pooled_precision, self.pooled_recall)

    def _discounted(self, precision: float, recall: float) -> float:
        total = precision + recall
        return 2 * precision * recall / total / math.log2(1 + self.granularity) if total else 0.0


_FIELDS: Final = tuple(PassageScore.__dataclass_fields__)


def score_of(true: Sequence[Span], found: Sequence[Span]) -> PassageScore:
    """The measures of one copy against all its sources. Empty stretches are not allowed."""
    touching = [[mine for mine in found if _touch(wanted, mine)] for wanted in true]
    explaining = [[wanted for wanted in true if _touch(wanted, mine)] for mine in found]
    caught = [_covered(wanted, mine) for wanted, mine in zip(true, touching, strict=True)]
    shared = [_covered(mine, wanted) for mine, wanted in zip(found, explaining, strict=True)]
    return PassageScore(
        true=len(true),
        found=len(found),
        recall_sum=sum(part / wanted.size for part, wanted in zip(caught, true, strict=True)),
        precision_sum=sum(part / mine.size for part, mine in zip(shared, found, strict=True)),
        detected=sum(bool(mine) for mine in touching),
        detections=sum(map(len, touching)),
        shared_chars=sum(shared),
        found_chars=sum(mine.size for mine in found),
        caught_chars=sum(caught),
        true_chars=sum(wanted.size for wanted in true),
    )


def _touch(one: Span, other: Span) -> bool:
    """Whether they overlap in the copy and in the same source."""
    return (
        one.source == other.source
        and max(one.start, other.start) < min(one.end, other.end)
        and max(one.source_start, other.source_start) < min(one.source_end, other.source_end)
    )


def _covered(passage: Span, others: Iterable[Span]) -> int:
    """Characters of `passage` that lie in any of the others, in the copy and in the source."""
    listed = list(others)
    in_copy = _overlap((passage.start, passage.end), [(item.start, item.end) for item in listed])
    stretch = (passage.source_start, passage.source_end)
    return in_copy + _overlap(stretch, [(item.source_start, item.source_end) for item in listed])


def _overlap(stretch: tuple[int, int], others: Iterable[tuple[int, int]]) -> int:
    start, last = stretch
    covered = 0
    for other_start, other_end in sorted(others):
        begin, end = max(start, other_start), min(last, other_end)
        if end > begin:
            covered += end - begin
            start = end
    return covered
