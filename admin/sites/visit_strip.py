"""The last thirty days of a site as a strip: visits that went well, that failed, none (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from storage.monitoring.recent_days import DayOfVisits

DAYS: Final = 30


class DayState(StrEnum):
    OK = "ok"
    FAILING = "failing"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class StripDay:
    day: date
    state: DayState
    runs: int = 0
    answered: int = 0
    failed: int = 0


def strip_of(found: Iterable[DayOfVisits], today: date) -> list[StripDay]:
    """One entry a day, the oldest first, `today` last. Days outside are left out."""
    by_day = {one.day: one for one in found}
    days = (today - timedelta(days=back) for back in range(DAYS - 1, -1, -1))
    return [_day(day, by_day.get(day)) for day in days]


def _day(day: date, visits: DayOfVisits | None) -> StripDay:
    if visits is None:
        return StripDay(day, DayState.NONE)
    state = DayState.FAILING if visits.is_failing else DayState.OK
    return StripDay(day, state, visits.runs, visits.answered, visits.failed)
