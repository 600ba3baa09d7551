"""The day of a page's date as its readers see it: data in UTC may name the day before or after."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from crawler.extraction.metadata.date_formats import Moment, english, in_address, numeric
from crawler.extraction.metadata.european_dates import day_first, slashed_readings
from crawler.extraction.metadata.one_date import declared, if_possible
from storage.records.pages import Declared
from storage.types import DateOrigin, Precision

MOST_OFFSET: Final = timedelta(hours=14)
"""Of a place's clock from UTC."""
_CLOCK: Final = re.compile(r"(?<![\d:.])([0-2]?\d)[:h]([0-5]\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class PageDate:
    """The date that a page declares. `day`: the day as the page writes it, in its own time zone."""

    declared: Declared = field(default_factory=Declared)
    day: date | None = None


def dated(found: Moment, origin: DateOrigin) -> PageDate:
    """A moment in its own time zone as the date that `origin` declares."""
    return PageDate(declared(found, origin), found[0].date())


def with_local_day(stated: PageDate, shown: Iterable[str], url: str, *, zone: tzinfo, now: datetime) -> PageDate:
    """A date in UTC, which hides the day of its place, with the day that the page shows or its address has, if that is
    the day before or after; else with that of the site if it was midnight there.
    """
    at = stated.declared.at
    if at is None:
        return stated
    lines = list(shown)
    in_figures = (day for line in lines for day in slashed_readings(line, zone))
    beside = (day for day in in_figures if abs((day[0].date() - at.date()).days) <= 1)
    for moment in (*(_shown_day(line, zone) for line in lines), *beside, in_address(url, zone)):
        possible = if_possible(moment, now)
        if possible is not None and possible[1] is not Precision.MONTH:
            is_beside = abs((possible[0].date() - at.date()).days) == 1
            return replace(stated, day=possible[0].date()) if is_beside else stated
    local = at.astimezone(zone)
    return replace(stated, day=local.date()) if not (local.hour or local.minute) else stated


def on_its_clock(stated: PageDate, lines: Iterable[str], zone: tzinfo) -> PageDate | None:
    """A date in UTC with the day of a line that shows the same moment by another clock: its minutes are the same, and
    its hour is that of some zone.
    """
    at = stated.declared.at
    if at is None or not (at.hour or at.minute):
        return None
    for line in lines:
        for hour, minute in _CLOCK.findall(line):
            if int(minute) != at.minute:
                continue
            for moment in filter(None, (_shown_day(line, zone), *slashed_readings(line, zone))):
                day = moment[0].date()
                shown = datetime(day.year, day.month, day.day, int(hour) % 24, int(minute), tzinfo=UTC)
                if timedelta() < abs(shown - at) <= MOST_OFFSET:
                    return replace(stated, day=day)
    return None


def _shown_day(line: str, zone: tzinfo) -> Moment | None:
    return numeric(line, zone) or english(line, zone) or day_first(line, zone)
