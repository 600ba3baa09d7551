"""Working days in mainland China and in the federal calendar of the United States, for terms of law. Pure.

China: the State Council's yearly arrangement, by chinesecalendar, with the weekends that are worked. Beyond the last
arrangement only weekends are known, and a day is unconfirmed. United States: 5 U.S.C. 6103; closings by executive order
are not known.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final

import chinese_calendar

MOST_DAYS: Final = 1_000
"""Longest term in working days; no law of these has one above 14."""
_MONDAY, _THURSDAY, _SATURDAY, _SUNDAY = 0, 3, 5, 6
_FIXED: Final = ((1, 1), (6, 19), (7, 4), (11, 11), (12, 25))
_JUNETEENTH: Final = (6, 19)
_JUNETEENTH_SINCE: Final = 2021
_NTH: Final = ((1, _MONDAY, 3), (2, _MONDAY, 3), (9, _MONDAY, 1), (10, _MONDAY, 2), (11, _THURSDAY, 4))
"""Month, weekday and its number: Martin Luther King, Washington, Labor Day, Columbus, Thanksgiving."""
_DAY: Final = timedelta(days=1)


class WorkCalendar(StrEnum):
    CHINA = "cn"
    UNITED_STATES = "us"


@dataclass(frozen=True, slots=True)
class CountedDay:
    """`is_confirmed`: False where a day on the way to it is beyond the table of holidays."""

    day: date
    is_confirmed: bool


def after_working_days(start: date, count: int, calendar: WorkCalendar) -> CountedDay:
    """Return the `count`-th working day after `start`, which does not count itself.

    Raises ValueError for a count outside 1…MOST_DAYS.
    """
    if not 1 <= count <= MOST_DAYS:
        message = f"{count} working days: it must be 1 to {MOST_DAYS}"
        raise ValueError(message)
    confirmed = True
    for day in _days_after(start):
        confirmed = confirmed and is_known(day, calendar)
        count -= is_working_day(day, calendar)
        if not count:
            return CountedDay(day, confirmed)
    message = f"{start} is too near the end of the calendar"
    raise ValueError(message)


def end_of_term(last: date, calendar: WorkCalendar) -> CountedDay:
    """Return the day on which a term ends: `last`, or the next working day if that is a rest day.

    Chinese Civil Code, Art. 203. Raises ValueError at the end of the calendar.
    """
    if is_working_day(last, calendar):
        return CountedDay(last, is_known(last, calendar))
    found = after_working_days(last, 1, calendar)
    return CountedDay(found.day, found.is_confirmed and is_known(last, calendar))


def is_working_day(day: date, calendar: WorkCalendar) -> bool:
    """Return whether people work on a day; beyond China's table, whether it is no weekend."""
    if calendar is WorkCalendar.UNITED_STATES:
        return day.weekday() < _SATURDAY and day not in _federal_holidays(day.year)
    try:
        return bool(chinese_calendar.is_workday(day))
    except NotImplementedError:
        return day.weekday() < _SATURDAY


def is_known(day: date, calendar: WorkCalendar) -> bool:
    if calendar is WorkCalendar.UNITED_STATES:
        return True
    try:
        chinese_calendar.is_workday(day)
    except NotImplementedError:
        return False
    return True


def _days_after(start: date) -> Iterator[date]:
    day = start
    while day < date.max:
        day += _DAY
        yield day


@lru_cache(maxsize=64)
def _federal_holidays(year: int) -> frozenset[date]:
    fixed = [
        date(number, month, day)
        for number in (year, min(year + 1, date.max.year))
        for month, day in _FIXED
        if (month, day) != _JUNETEENTH or number >= _JUNETEENTH_SINCE
    ]
    moving = [_nth(year, month, weekday, number) for month, weekday, number in _NTH]
    memorial = max(day for day in (date(year, 5, number) for number in range(25, 32)) if day.weekday() == _MONDAY)
    return frozenset({*map(_observed, fixed), *moving, memorial})


def _observed(day: date) -> date:
    """On a Saturday, the Friday before is free; on a Sunday, the Monday after."""
    if day.weekday() == _SATURDAY:
        return day - _DAY
    return day + _DAY if day.weekday() == _SUNDAY else day


def _nth(year: int, month: int, weekday: int, number: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
