"""Figures of sites beside their settings: articles, open cases, schedules, and the last thirty days."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from admin.sites.visit_strip import DAYS, StripDay, strip_of
from admin.web.db_session import database
from storage.cases.open_by_site import open_cases_by_site
from storage.jobs import schedules
from storage.monitoring.recent_days import recent_days
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.time_zones import zone_named


def figures_of(shown: Sequence[SiteRecord], *, most_pages: int) -> dict[str, Any]:
    """For the list, each by id of a site: pages (counted up to `most_pages`), open cases, schedules, strips."""
    return {
        "pages": sites.count_pages_of_each(database(), [site.id for site in shown], most=most_pages),
        "cases": open_cases_by_site(database()),
        "schedules": {one.site_id: one for one in schedules.list_schedules(database())},
        "strips": strips(shown),
    }


def strips(shown: Sequence[SiteRecord]) -> dict[int, list[StripDay]]:
    """The last days of these sites, by id; each in the time zone of its site."""
    now = datetime.now(UTC)
    found = recent_days(database(), [site.id for site in shown], (now - timedelta(days=DAYS + 1)).date())
    return {
        site.id: strip_of(found.get(site.id, ()), now.astimezone(zone_named(site.settings.time_zone)).date())
        for site in shown
    }
