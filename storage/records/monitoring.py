"""Records of monitoring: daily figures of sites, alarms, disk samples."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Measure(StrEnum):
    """Monitored measures of a site; each outside its band suggests that the site is no longer seen properly."""

    ARTICLES = "articles"
    """New articles per date."""
    WEEK = "week"
    """New articles in seven days: for sites that publish too seldom for daily figures."""
    EMPTY = "empty"
    """Share of read pages without an article: high after a redesign."""
    FAILED = "failed"
    """Share of requests without a page: high when the site blocks us."""
    LENGTH = "length"
    """Mean length of new articles, in characters."""
    REWRITTEN = "rewritten"
    """Share of known pages that one run found changed or gone."""


@dataclass(frozen=True, slots=True)
class SiteDayFigures:
    """Totals of the runs that ended on a date, in the site's time zone."""

    day: date
    runs: int = 0
    answered: int = 0
    """Requests answered with a page, a list, a feed, or "not modified"."""
    failed: int = 0
    read: int = 0
    """Pages with an article, known ones included."""
    empty: int = 0
    """Pages read without an article."""
    articles: int = 0
    """New articles."""
    chars: int = 0
    """Characters of the new articles."""


@dataclass(frozen=True, slots=True)
class Band:
    """The normal range of a value; None: no bound on that side."""

    usual: float
    low: float | None
    high: float | None

    def holds(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A measure of a site outside its band. `closed_at`: when it returned, or was marked as normal."""

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
    """The run that caused it, if it was a single run."""
    accepted_by: str | None
    """Who marked it as normal."""


@dataclass(frozen=True, slots=True)
class DiskSample:
    """Disk space of a machine's home and size of the database, in bytes."""

    machine: str
    at: datetime
    total: int
    free: int
    database: int
