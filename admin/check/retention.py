"""How long a result is kept: an hour unless its owner chooses longer."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from flask_babel import lazy_gettext as _l


class Keep(StrEnum):
    """Retention times that a person may choose."""

    HOUR = "hour"
    MONTH = "month"
    YEAR = "year"


TIMES: Final[Mapping[Keep, timedelta]] = {
    Keep.HOUR: timedelta(hours=1),
    Keep.MONTH: timedelta(days=30),
    Keep.YEAR: timedelta(days=365),
}

LONGER: Final = (Keep.MONTH, Keep.YEAR)

KEEP_TABLE: Final[Mapping[str, Mapping[str, object]]] = {
    "keep": {Keep.HOUR: _l("for an hour"), Keep.MONTH: _l("for 30 days"), Keep.YEAR: _l("for a year")}
}


def keep_of(value: str) -> Keep:
    """The choice of a form; an hour for anything else."""
    return Keep(value) if value in set(Keep) else Keep.HOUR


def expiry(keep: Keep) -> datetime:
    return datetime.now(UTC) + TIMES[keep]
