"""Addresses that carry a date: archives of a day, a month, a year, and the editions of newspapers. Pure."""

import re
from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlsplit

FEWEST_DATES: Final = 3
"""Lists that differ by their date alone, for today's to be guessed."""

LONGEST_SILENCE: Final = timedelta(days=60)
"""Since the last list of a pattern. A site that has ended has no list of today."""

MOST_GUESSES: Final = 20

_DATED: Final = re.compile(
    r"""(?<=[/_-]) (?P<year>(?:19|20)\d\d)
        (?: (?P<first>[/_-]?) (?P<month>0[1-9]|1[0-2]) (?: (?P<second>[/_-]?) (?P<day>0[1-9]|[12]\d|3[01]) )? )?
        (?= [/_.-] | $ )""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Period:
    """The days that an address is about, both included."""

    first: date
    last: date


def period_of(url: str) -> Period | None:
    """The period that an address names in its path; None if it names no valid one."""
    found = _DATED.search(urlsplit(url).path)
    if found is None:
        return None
    year, month, day = int(found["year"]), int(found["month"] or 0), int(found["day"] or 0)
    if not month:
        return Period(date(year, 1, 1), date(year, 12, 31))
    days = monthrange(year, month)[1]
    if day > days:
        return None
    return Period(date(year, month, day or 1), date(year, month, day or days))


def current_lists(seen: Iterable[str], *, today: date) -> tuple[str, ...]:
    """Addresses of today's and yesterday's lists, by the pattern of those that were seen.

    A newspaper that has a page of contents for each day links from it to the day before, and from nowhere to the
    next one.
    """
    dates: defaultdict[tuple[str, str, str], set[date]] = defaultdict(set)
    for url in seen:
        path = urlsplit(url).path
        found = _DATED.search(path)
        period = period_of(url)
        if found is None or period is None or not found["month"]:
            continue
        start = url.index(path)
        before, after = url[: start + found.start()], url[start + found.end() :]
        dates[before, _format(found), after].add(period.last)
    likely = [
        pattern
        for pattern, written in dates.items()
        if len(written) >= FEWEST_DATES and max(written) >= today - LONGEST_SILENCE
    ]
    days = (today, today - timedelta(days=1))
    guesses = (before + day.strftime(form) + after for before, form, after in likely for day in days)
    return tuple(dict.fromkeys(guesses))[:MOST_GUESSES]


def _format(found: re.Match[str]) -> str:
    day = f"{found['second']}%d" if found["day"] else ""
    return f"%Y{found['first']}%m{day}"
