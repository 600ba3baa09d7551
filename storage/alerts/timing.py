"""When a digest is sent, and when a failed message is retried. Pure."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

DEFAULT_DIGEST: Final = "08:30"
"""Before the working day: one list of everything since yesterday."""

WAITS_S: Final = (60.0, 300.0, 900.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0, 86_400.0)
"""Waits after the first failure, the second, and so on: long enough for a mail server that is down over a weekend.
After the last one, two days later, the message is set aside.
"""

_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def parse_time_of_day(text: str) -> time | None:
    """Parses `8:30` or `08:30`; None if `text` is not a time of day."""
    found = _TIME.fullmatch(text.strip())
    return None if found is None else time(int(found[1]), int(found[2]))


def next_digest(after: datetime, at: time, zone: ZoneInfo) -> datetime:
    """The first moment after `after`, in UTC, at which clocks in `zone` show `at`.

    Exactly one moment a day: where clocks skip `at`, the moment at which they would have shown it; where they show it
    twice, the first.
    """
    day = after.astimezone(zone).date() - timedelta(days=1)
    while (moment := datetime.combine(day, at, tzinfo=zone).astimezone(UTC)) <= after:
        day += timedelta(days=1)
    return moment


def wait_before_retry(attempts: int) -> timedelta | None:
    """How long to wait after so many failed attempts; None if there is no further attempt."""
    return timedelta(seconds=WAITS_S[attempts - 1]) if attempts <= len(WAITS_S) else None
