"""Sites that need somebody: those that fail, that were never crawled, and those that are not as usual."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from admin.sites.run_views import with_lost_closed
from storage.crawl import health
from storage.monitoring import site_alarms
from storage.sites import sites

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SHOWN: Final = 6


class SiteTrouble(StrEnum):
    """What is wrong with a site, the worst first."""

    FAILING = "failing"
    UNUSUAL = "unusual"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class TroubledSite:
    site_id: int
    name: str
    trouble: SiteTrouble
    run_id: int | None
    started_at: datetime | None


@dataclass(frozen=True, slots=True)
class Failures:
    """`sites`: all that there are. `count` of them need somebody; `shown` are the first of those."""

    sites: int
    count: int
    shown: tuple[TroubledSite, ...]


def failures(session: "Session") -> Failures:
    """The enabled sites in trouble by their last run and their open alarms."""
    known = {site.name: site.id for site in sites.list_sites(session)}
    alarmed = {alarm.site_id for alarm in site_alarms.open_alarms(session)}
    found = []
    for one in health.sites_health(with_lost_closed()):
        site_id = known.get(one.site)
        if site_id is None or not one.enabled:
            continue
        trouble = (
            SiteTrouble.FAILING if one.is_failing
            else SiteTrouble.UNUSUAL if site_id in alarmed
            else SiteTrouble.NEVER if one.run_id is None
            else None
        )  # fmt: skip
        if trouble is not None:
            found.append(TroubledSite(site_id, one.site, trouble, one.run_id, one.started_at))
    order = list(SiteTrouble)
    found.sort(key=lambda site: (order.index(site.trouble), site.name))
    return Failures(len(known), len(found), tuple(found[:SHOWN]))
