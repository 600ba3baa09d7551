"""Schedule rules: a cron expression, `every 6 h`, or `adaptive`, which follows the rate of changes. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from croniter import CroniterError, croniter

from storage.crawl import revisit_interval
from storage.records.crawl import History

_LENGTH: Final = r"(\d{1,6})\s*(min|minutes?|m|hours?|h|days?|d)"
EVERY: Final = re.compile(rf"every\s+{_LENGTH}", re.IGNORECASE)
ADAPTIVE: Final = re.compile(rf"adaptive(?:\s+{_LENGTH}\s+to\s+{_LENGTH})?", re.IGNORECASE)
_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
CRON_FIELDS: Final = 5
_NOTHING: Final = History()

SHORTEST: Final = timedelta(minutes=1)
"""The scheduler runs once a minute."""

LONGEST: Final = timedelta(days=366)

ADAPTIVE_BOUNDS: Final = (timedelta(minutes=10), timedelta(days=1))
ADAPTIVE_FIRST: Final = timedelta(hours=1)
"""The interval of a site without history."""

_WRITE: Final = "write `every 6 h`, `adaptive`, `adaptive 10 min to 1 d`, or five cron fields such as `30 6 * * 1-5`"


class BadRule(ValueError):
    """An invalid rule; the message has an example of a valid one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One of the three is set; `adaptive`: the shortest and the longest interval."""

    period: timedelta | None = None
    cron: str | None = None
    adaptive: tuple[timedelta, timedelta] | None = None

    @property
    def begins_at_once(self) -> bool:
        """Whether the rule counts from the last start, instead of by the clock."""
        return self.cron is None

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Parse a rule. Raises BadRule."""
        words = " ".join(text.split())
        every = EVERY.fullmatch(words)
        if every is not None:
            period = _length(every[1], every[2])
            if not SHORTEST <= period <= LONGEST:
                raise BadRule(f"{words!r} is too often or too seldom: from `every 1 min` to `every 366 d`")
            return cls(period=period)
        adaptive = ADAPTIVE.fullmatch(words)
        if adaptive is not None:
            return cls(adaptive=_bounds(words, adaptive))
        if len(words.split()) != CRON_FIELDS or not _is_cron(words):
            raise BadRule(f"{words!r} is no schedule: {_WRITE}")
        return cls(cron=words)

    def next_after(self, moment: datetime, zone: ZoneInfo, history: History = _NOTHING) -> datetime:
        """Return the first time after `moment` (aware) at which the rule is due; cron uses the hours of `zone`.

        `history`: the site's visits, for an adaptive rule.
        """
        if self.adaptive is not None:
            return moment + _adapted(self.adaptive, history)
        if self.period is not None:
            return moment + self.period
        found = croniter(self.cron or "", moment.astimezone(zone)).get_next(datetime)
        assert isinstance(found, datetime)  # noqa: S101  # as requested
        return found.astimezone(moment.tzinfo)


def _length(number: str, unit: str) -> timedelta:
    return int(number) * _UNITS[unit[0].lower()]


def _bounds(words: str, found: "re.Match[str]") -> tuple[timedelta, timedelta]:
    if found[1] is None:
        return ADAPTIVE_BOUNDS
    least, most = _length(found[1], found[2]), _length(found[3], found[4])
    if not SHORTEST <= least < most <= LONGEST:
        raise BadRule(f"{words!r}: the bounds are from `1 min to …` up to `… to 366 d`, the shorter one first")
    return least, most


def _adapted(bounds: tuple[timedelta, timedelta], history: History) -> timedelta:
    wait_s = revisit_interval.wait_s(history)
    wait = ADAPTIVE_FIRST if wait_s is None else timedelta(seconds=wait_s)
    return min(max(wait, bounds[0]), bounds[1])


def _is_cron(words: str) -> bool:
    """Return whether the rule is ever due: `0 0 30 2 *` is not."""
    try:
        croniter(words, datetime(2026, 1, 1)).get_next(datetime)
    except (CroniterError, ValueError, KeyError, AttributeError, OverflowError):
        return False
    return True
