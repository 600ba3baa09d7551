"""Frozen values of how Zhiwen watches over itself: days of sites, alarms, disks."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Measure(StrEnum):
    """What of a site may leave its band, each a sign that something is not seen any more."""

    ARTICLES = "articles"
    """New articles of a day."""
    WEEK = "week"
    """New articles of seven days: of a site that publishes too seldom for its days to say anything."""
    EMPTY = "empty"
    """Share of the read pages in which no article was found. A site that was redesigned looks so."""
    FAILED = "failed"
    """Share of the requests that brought no page. A site that shuts us out looks so."""
    LENGTH = "length"
    """Mean length of new articles, in characters."""
    REWRITTEN = "rewritten"
    """Share of the known pages that one run found changed or gone."""


@dataclass(frozen=True, slots=True)
class SiteDayFigures:
    """What the runs that ended on a day, of the site's own calendar, brought."""

    day: date
    runs: int = 0
    answered: int = 0
    """Requests that brought a page, a list, a feed, or the word that nothing changed."""
    failed: int = 0
    read: int = 0
    """Pages that hold an article, known ones too."""
    empty: int = 0
    """Pages that were read, and no article was found in them."""
    articles: int = 0
    """New ones."""
    chars: int = 0
    """Of the new ones, all together."""


@dataclass(frozen=True, slots=True)
class Band:
    """Between `low` and `high` a value is as usual; None: there is no bound on that side."""

    usual: float
    low: float | None
    high: float | None

    def holds(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A measure of a site that has left its band. `closed_at`: since when it is as usual again, or taken for usual."""

    id: int
    site_id: int
    site: str
    measure: Measure
    day: date
    value: float
    band: Band
    opened_at: datetime
    closed_at: datetime | None
    run_id: int | None
    """The run that brought it, where it was one."""
    accepted_by: str | None
    """Who said that it is to be taken for usual from now on."""


@dataclass(frozen=True, slots=True)
class DiskSample:
    """The disk under the home of a machine, and the database, in bytes."""

    machine: str
    at: datetime
    total: int
    free: int
    database: int
