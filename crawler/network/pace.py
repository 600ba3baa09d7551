"""Delays between two requests to a host. Pure."""

import re
from datetime import UTC, datetime, time, tzinfo
from email.utils import parsedate_to_datetime
from typing import Final

TARGET_CONCURRENCY: Final = 2.0
"""A server that takes t seconds for an answer is asked every t/2: it never works on more than two of ours at once."""

LONGEST_DELAY_S: Final = 60.0
"""For slow servers, and for the delay that a robots.txt requests."""

FIRST_HOLD_S: Final = 15.0
LONGEST_HOLD_S: Final = 6 * 3600.0

_SECONDS: Final = re.compile(r"\d{1,9}")


def next_delay(delay_s: float, *, latency_s: float, answered_well: bool, least_s: float) -> float:
    """The delay after a response: half way to what its latency calls for, at once if that is longer.

    An error page comes fast and says nothing about how much the server can bear: it shortens no delay.
    """
    wanted_s = latency_s / TARGET_CONCURRENCY
    new_s = max(wanted_s, (delay_s + wanted_s) / 2)
    bounded_s = min(max(new_s, least_s), max(LONGEST_DELAY_S, least_s))
    return bounded_s if answered_well else max(delay_s, bounded_s)


def hold_s(retry_after: str | None, *, refusals: int, now: datetime) -> float:
    """Seconds to pause a host that answered 429 or 503 for the `refusals`-th time in a row.

    At least as long as its Retry-After says, in seconds or as a date; twice as long each time; six hours at most.
    """
    own_s = FIRST_HOLD_S * 2.0 ** min(max(refusals - 1, 0), 20)
    return min(max(own_s, _stated_s(retry_after or "", now)), LONGEST_HOLD_S)


def _stated_s(retry_after: str, now: datetime) -> float:
    stripped = retry_after.strip()
    if _SECONDS.fullmatch(stripped):
        return float(stripped)
    try:
        stated = parsedate_to_datetime(stripped)
    except (ValueError, OverflowError):
        return 0.0
    return (stated.replace(tzinfo=stated.tzinfo or UTC) - now).total_seconds()


def is_open(start: time | None, end: time | None, *, now: datetime, zone: tzinfo) -> bool:
    """Whether a site's window is open. It may span midnight; without one it is always open."""
    if start is None or end is None:
        return True
    clock = now.astimezone(zone).time()
    return start <= clock < end if start <= end else clock >= start or clock < end


def crawl_delay_s(stated: float | None) -> float:
    """The delay that a robots.txt requests, up to the longest that is followed."""
    return min(max(stated or 0.0, 0.0), LONGEST_DELAY_S)


class Pace:
    """The delay at each host, as this process knows it; turns are shared by all processes through the database."""

    def __init__(self, site_delay_s: float) -> None:
        self._site_delay_s = site_delay_s
        self._least: dict[str, float] = {}
        self._delay: dict[str, float] = {}
        self.troubled: set[str] = set()
        """Hosts whose last answer was 429 or 503."""

    def least(self, host: str, delay_s: float) -> None:
        self._least[host] = delay_s

    def delay_s(self, host: str) -> float:
        return max(self._delay.get(host, 0.0), self._floor(host))

    def answered(self, host: str, *, latency_s: float, answered_well: bool) -> None:
        self._delay[host] = next_delay(
            self.delay_s(host), latency_s=latency_s, answered_well=answered_well, least_s=self._floor(host)
        )

    def _floor(self, host: str) -> float:
        return max(self._site_delay_s, self._least.get(host, 0.0))
