"""Crawl health: the last run of each site, with its refusals."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, lateral, or_, select, true
from sqlalchemy.orm import Session

from storage.models.sites import CrawlRun, Site
from storage.postgres.rows import record_of

MOST_SITES: Final = 1_000
ERRORS: Final = frozenset({"unreachable", "timeout", "bad-status", "broken-response", "too-many-redirects"})
"""Refusals caused by the site's server or the network, not by the page."""
BROKEN_OFF: Final = frozenset({"failed", "died", "lost", "stalled", "storage-failed"})
"""Exit reasons that need a person's attention."""
_REFUSED: Final = "refused/"


@dataclass(frozen=True, slots=True)
class SiteHealth:
    """The last run of a site. `run_id` None: never crawled."""

    site: str
    enabled: bool
    run_id: int | None
    started_at: datetime | None
    ended_at: datetime | None
    exit_reason: str | None
    fetched: int
    refused: int
    errors: int

    @property
    def is_failing(self) -> bool:
        """Whether the run broke off or had more errors than pages."""
        return self.run_id is not None and (self.exit_reason in BROKEN_OFF or self.errors > self.fetched)


def sites_health(session: Session) -> list[SiteHealth]:
    """All crawled sites, longest not crawled first. Sites with imported articles only and no start URL are left out."""
    last = lateral(
        select(CrawlRun.id, CrawlRun.started_at, CrawlRun.ended_at, CrawlRun.exit_reason, CrawlRun.counters)
        .where(CrawlRun.site_id == Site.id)
        .order_by(CrawlRun.id.desc())
        .limit(1)
        .correlate(Site)
    )
    starts = Site.start_urls.concat(Site.sitemaps).concat(Site.feeds)
    rows = session.execute(
        select(Site.name.label("site"), Site.enabled, last, last.c.id.label("run_id"))
        .outerjoin(last, true())
        .where(or_(last.c.id.is_not(None), func.cardinality(starts) > 0))
        .order_by(func.coalesce(last.c.ended_at, last.c.started_at).asc().nulls_first(), Site.name)
        .limit(MOST_SITES)
    )
    return [record_of(SiteHealth, row, **_sums(row.counters or {})) for row in rows]


def _sums(counters: dict[str, int]) -> dict[str, int]:
    refused = {name.removeprefix(_REFUSED): count for name, count in counters.items() if name.startswith(_REFUSED)}
    errors = sum(count for name, count in refused.items() if name in ERRORS)
    return {"fetched": counters.get("pages/fetched", 0), "refused": sum(refused.values()), "errors": errors}
