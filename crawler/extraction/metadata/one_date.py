"""The first date in a text, if a page can have been published then. Pure: fetch time and zone are given."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from crawler.extraction.metadata.date_formats import Moment, english, numeric, relative, rfc2822, without_year
from crawler.extraction.metadata.european_dates import day_first
from storage.records.pages import Declared
from storage.types import DateOrigin

OLDEST_YEAR: Final = 1990
"""There was no web before; a template's 1970-01-01 is not a date."""

CLOCK_TOLERANCE: Final = timedelta(days=1)
"""Tolerated beyond the time of the fetch, for wrong clocks and time zones; later dates are wrong."""


def first_date(text: str, zone: tzinfo, now: datetime) -> Moment | None:
    """The first possible date, in the time zone that the text states, else in `zone`."""
    found = numeric(text, zone) or relative(text, zone, now) or english(text, zone)
    found = found or day_first(text, zone) or rfc2822(text)
    return if_possible(found, now)


def date_in(text: str, origin: DateOrigin, *, zone: tzinfo, now: datetime) -> Declared | None:
    """The first date in `text`, as one that `origin` declares."""
    found = first_date(text, zone, now) if text else None
    return declared(found, origin) if found else None


def stated_date(text: str, *, zone: tzinfo, now: datetime) -> Declared | None:
    """The date in what a site's own rule found on a page."""
    found = first_date(text, zone, now) or if_possible(without_year(text, zone, now), now)
    return declared(found, DateOrigin.VISIBLE) if found else None


def declared(found: Moment, origin: DateOrigin) -> Declared:
    """A moment in UTC as one that `origin` declares."""
    return Declared(found[0].astimezone(UTC), found[1], origin)


def if_possible(found: Moment | None, now: datetime) -> Moment | None:
    """The moment, if a page of the web can have been published then."""
    if found is None or found[0].year < OLDEST_YEAR or found[0] > now + CLOCK_TOLERANCE:
        return None
    return found
