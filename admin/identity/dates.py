"""Dates as exact as they were stated, in the viewer's time zone."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

from flask_babel import format_datetime, format_timedelta, get_timezone

from storage.types import Precision

_PATTERNS: Final = {
    Precision.DAY: "yyyy-MM-dd",
    Precision.MONTH: "yyyy-MM",
    Precision.MINUTE: "yyyy-MM-dd HH:mm",
    Precision.SECOND: "yyyy-MM-dd HH:mm:ss",
}


def when(at: datetime, precision: Precision = Precision.MINUTE) -> str:
    return str(format_datetime(at, _PATTERNS.get(precision, _PATTERNS[Precision.MINUTE])))


def local_time(at: datetime) -> datetime:
    """In the viewer's zone."""
    return at.astimezone(get_timezone())


def local_day(at: datetime) -> date:
    """The day on the viewer's calendar: what letters and names of files are dated by."""
    return local_time(at).date()


def made_in_words(at: datetime) -> str:
    """When a document was made: to the second, with the zone."""
    return f"{when(at, Precision.SECOND)} ({get_timezone()})"


def ago(at: datetime) -> str:
    """How long ago that was, roughly."""
    return str(format_timedelta(at - datetime.now(UTC), add_direction=True))


def last_day(until: datetime) -> str:
    """The day before the moment at which a term is over: people name the last day that counts."""
    return when(until - timedelta(microseconds=1), Precision.DAY)


def moment(text: str) -> datetime:
    """A time as it stands in stored details."""
    return datetime.fromisoformat(text)
