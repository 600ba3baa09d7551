"""Visits of sites by day, with the runs that are not counted in the totals yet."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.models.sites import CrawlRun, Site
from storage.monitoring.run_totals import NO_CRAWL, figures_of_run, site_days
from storage.time_zones import zone_named

MOST_UNCOUNTED: Final = 1_000
"""Runs; beyond, the totals are behind anyway."""


@dataclass(frozen=True, slots=True)
class DayOfVisits:
    """The runs of a site that ended on a date in its time zone. `answered` and `failed` count requests."""

    day: date
    runs: int
    answered: int
    failed: int

    @property
    def is_failing(self) -> bool:
        """Whether more requests failed than were answered, or nothing was answered at all."""
        return self.failed > self.answered or self.answered == 0


def recent_days(session: Session, site_ids: Collection[int], since: date) -> dict[int, list[DayOfVisits]]:
    """The days of these sites that had runs, oldest first."""
    sums: defaultdict[int, dict[date, tuple[int, int, int]]] = defaultdict(dict)
    for site_id, days in site_days(session, site_ids, since).items():
        sums[site_id] = {one.day: (one.runs, one.answered, one.failed) for one in days}
    uncounted = session.execute(
        select(CrawlRun.site_id, Site.time_zone, CrawlRun.ended_at, CrawlRun.exit_reason, CrawlRun.counters)
        .join(Site, Site.id == CrawlRun.site_id)
        .where(~CrawlRun.tallied, CrawlRun.ended_at.is_not(None), CrawlRun.site_id.in_(list(site_ids)))
        .order_by(CrawlRun.id.desc())
        .limit(MOST_UNCOUNTED)
    )
    for site_id, zone, ended_at, exit_reason, counters in uncounted:
        if ended_at is None:
            continue
        day = ended_at.astimezone(zone_named(zone)).date()
        if exit_reason in NO_CRAWL or day < since:
            continue
        one, before = figures_of_run(day, counters), sums[site_id].get(day, (0, 0, 0))
        sums[site_id][day] = (before[0] + 1, before[1] + one.answered, before[2] + one.failed)
    return {
        site_id: [DayOfVisits(day, *figures) for day, figures in sorted(days.items())] for site_id, days in sums.items()
    }
