"""The lists that the morning sheet counts, as the query strings of the pages it leads to (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from storage.types import CaseState, Severity

BOUND: Final = 9_999
"""Nothing is counted beyond it: a list shows as many, and one more says that there are more."""
SHOWN_CASES: Final = 8
SHOWN_HITS: Final = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """A number of the sheet, `BOUND` + 1 for any above it, and the page that lists what is counted."""

    count: int
    url: str


def since_when(last_visit: datetime | None, now: datetime, zone: ZoneInfo) -> datetime:
    """From when on something is new: the last visit, but at least since midnight; at the first visit, since yesterday's
    midnight. A second look in the same morning must not empty the sheet.
    """
    today = start_of_today(now, zone)
    return today - timedelta(days=1) if last_visit is None else min(last_visit, today)


def start_of_today(now: datetime, zone: ZoneInfo) -> datetime:
    day = now.astimezone(zone)
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def entries_of(since: datetime) -> Mapping[str, dict[str, str]]:
    """By name, the fields of the list of cases."""
    at = since.isoformat()
    new = {"tab": "all", "since": at}
    return {
        "new": new,
        **{f"new-{severity}": {**new, "severity": severity.value} for severity in Severity},
        "waiting": {},
        "mine": {"assignee": "@me"},
        "to-write": {"tab": "confirmed", "assignee": "@me"},
        "nobodys": {"assignee": "@nobody"},
        "overdue": {"tab": "notified", "overdue": "1"},
        "woken": {"woken": "1"},
        "back": {"state": CaseState.REAPPEARED.value},
        "gone": {"tab": "all", "gone": at},
        "copier": {"tab": "copier"},
        "agency": {"tab": "agency"},
        "passage": {"tab": "passage"},
        "confirmed": {"tab": "confirmed"},
    }
