"""Dates with their declared precision, in the viewer's time zone."""

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
    """`at` in the viewer's zone."""
    return at.astimezone(get_timezone())


def local_day(at: datetime) -> date:
    """The date in the viewer's zone, for letters and file names."""
    return local_time(at).date()


def made_in_words(at: datetime) -> str:
    """Time of creation of a document: to the second, with the zone."""
    return f"{when(at, Precision.SECOND)} ({get_timezone()})"


def ago(at: datetime) -> str:
    """Roughly how long ago `at` was."""
    return str(format_timedelta(at - datetime.now(UTC), add_direction=True))


def last_day(until: datetime) -> str:
    """The last date of a term that ends at `until`, as people name it."""
    return when(until - timedelta(microseconds=1), Precision.DAY)


def moment(text: str) -> datetime:
    """A time from stored details."""
    return datetime.fromisoformat(text)
