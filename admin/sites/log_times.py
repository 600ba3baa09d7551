"""The times of a crawl's log in the viewer's zone (pure).

Lines begin with the clock of the machine that crawled, without its zone. The first line is written as the run begins,
whose time is known with its zone; the difference is the zone's.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

_TIME: Final = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?=[,. ])", re.MULTILINE)
_STEP: Final = timedelta(minutes=15)
"""Zones differ from UTC by multiples of it."""
_FARTHEST: Final = timedelta(hours=15)


def times_in_zone(text: str, started_at: datetime, zone: tzinfo) -> str:
    """`text` with the times at the beginning of lines in `zone`; as it is where the zone is unknown."""
    first = _TIME.search(text)
    begun = None if first is None else _parsed(first[1])
    if begun is None:
        return text
    offset = round((begun - started_at.astimezone(UTC)) / _STEP) * _STEP
    if abs(offset) > _FARTHEST:
        return text

    def local(found: re.Match[str]) -> str:
        at = _parsed(found[1])
        return found[1] if at is None else f"{(at - offset).astimezone(zone):%Y-%m-%d %H:%M:%S}"

    return _TIME.sub(local, text)


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None
