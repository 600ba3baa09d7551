"""Dates as exact as they were stated, in the viewer's time zone."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask_babel import format_datetime, format_timedelta

from storage.types import Precision

_PATTERNS: Final = {
    Precision.DAY: "yyyy-MM-dd",
    Precision.MONTH: "yyyy-MM",
    Precision.MINUTE: "yyyy-MM-dd HH:mm",
    Precision.SECOND: "yyyy-MM-dd HH:mm:ss",
}


def when(at: datetime, precision: Precision = Precision.MINUTE) -> str:
    return str(format_datetime(at, _PATTERNS.get(precision, _PATTERNS[Precision.MINUTE])))


def ago(at: datetime) -> str:
    """How long ago that was, roughly."""
    return str(format_timedelta(at - datetime.now(UTC), add_direction=True))


def last_day(until: datetime) -> str:
    """The day before the moment at which a term is over: people name the last day that counts."""
    return when(until - timedelta(microseconds=1), Precision.DAY)


def moment(text: str) -> datetime:
    """A time as it stands in stored details."""
    return datetime.fromisoformat(text)
