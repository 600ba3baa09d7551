"""The picture of new cases a day, by severity (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from storage.types import Severity

SPARK_DAYS: Final = 14
HEIGHT: Final = 24.0
"""Of the picture, in its own units; a day is ten wide."""
_STEP: Final = 10.0
_WIDTH: Final = 7.0


@dataclass(frozen=True, slots=True)
class SparkPart:
    severity: Severity
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class SparkDay:
    """One day: a bar of parts, the gravest at the foot. `counts`: in the order of Severity."""

    day: date
    x: float
    parts: tuple[SparkPart, ...]
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class NewCases:
    days: tuple[SparkDay, ...]
    bar_width: float = _WIDTH
    width: float = SPARK_DAYS * _STEP
    height: float = HEIGHT

    @property
    def is_any(self) -> bool:
        return any(day.total for day in self.days)


def new_cases(found: Mapping[tuple[date, Severity], int], today: date) -> NewCases:
    """The last SPARK_DAYS days, also those without cases; the busiest day fills the height."""
    days = [today - timedelta(days=back) for back in range(SPARK_DAYS - 1, -1, -1)]
    counts = {day: tuple(found.get((day, severity), 0) for severity in Severity) for day in days}
    most = max((sum(one) for one in counts.values()), default=0) or 1
    return NewCases(
        tuple(
            SparkDay(day, number * _STEP + (_STEP - _WIDTH) / 2, _parts(counts[day], most), counts[day])
            for number, day in enumerate(days)
        )
    )


def _parts(counts: tuple[int, ...], most: int) -> tuple[SparkPart, ...]:
    parts, foot = [], HEIGHT
    for severity, count in zip(Severity, counts, strict=True):
        if count:
            height = HEIGHT * count / most
            foot -= height
            parts.append(SparkPart(severity, round(foot, 2), round(height, 2)))
    return tuple(parts)
