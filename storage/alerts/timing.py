"""When an alert is told, and when a message that failed is tried again (pure)."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

DEFAULT_DIGEST: Final = "08:30"
"""Before the morning's work begins: what came since yesterday stands on one list."""

WAITS_S: Final = (60.0, 300.0, 900.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0, 86_400.0)
"""After the first failure, the second, and so on. A mail server that is away over a weekend is waited for; after the
last wait, two days on, the message is set aside.
"""

_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def parse_time_of_day(text: str) -> time | None:
    """`8:30` or `08:30`; None for what is no time of day."""
    found = _TIME.fullmatch(text.strip())
    return None if found is None else time(int(found[1]), int(found[2]))


def next_digest(after: datetime, at: time, zone: ZoneInfo) -> datetime:
    """The first moment later than `after` at which clocks in `zone` show `at`, in UTC.

    One moment on each day: on the day on which clocks pass over `at`, the moment at which they would have shown it;
    where they show it twice, the first.
    """
    day = after.astimezone(zone).date() - timedelta(days=1)
    while (moment := datetime.combine(day, at, tzinfo=zone).astimezone(UTC)) <= after:
        day += timedelta(days=1)
    return moment


def wait_before_retry(attempts: int) -> timedelta | None:
    """After so many failures; None: not any more."""
    return timedelta(seconds=WAITS_S[attempts - 1]) if attempts <= len(WAITS_S) else None
