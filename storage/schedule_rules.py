"""When a site is crawled by itself: a cron expression, or `every 6 h`. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from croniter import CroniterError, croniter

EVERY: Final = re.compile(r"every\s+(\d{1,6})\s*(min|minutes?|m|hours?|h|days?|d)", re.IGNORECASE)
_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
CRON_FIELDS: Final = 5

SHORTEST: Final = timedelta(minutes=1)
"""The scheduler looks once a minute."""

LONGEST: Final = timedelta(days=366)


class BadRule(ValueError):
    """A rule that is none; the message says what one looks like."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Either `period` or `cron` is set."""

    period: timedelta | None = None
    cron: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Raises BadRule."""
        words = " ".join(text.split())
        every = EVERY.fullmatch(words)
        if every is not None:
            period = int(every[1]) * _UNITS[every[2][0].lower()]
            if not SHORTEST <= period <= LONGEST:
                raise BadRule(f"{words!r} is too often or too seldom: from `every 1 min` to `every 366 d`")
            return cls(period=period)
        if len(words.split()) != CRON_FIELDS or not _is_cron(words):
            raise BadRule(f"{words!r} is no schedule: write `every 6 h`, or five cron fields such as `30 6 * * 1-5`")
        return cls(cron=words)

    def next_after(self, moment: datetime, zone: ZoneInfo) -> datetime:
        """The first time after `moment` (aware) at which it holds; cron's hours are those of `zone`."""
        if self.period is not None:
            return moment + self.period
        found = croniter(self.cron or "", moment.astimezone(zone)).get_next(datetime)
        assert isinstance(found, datetime)  # noqa: S101  # as was asked for
        return found.astimezone(moment.tzinfo)


def _is_cron(words: str) -> bool:
    """Whether there is a time at which it ever holds: `0 0 30 2 *` has none."""
    try:
        croniter(words, datetime(2026, 1, 1)).get_next(datetime)
    except (CroniterError, ValueError, KeyError, AttributeError, OverflowError):
        return False
    return True
