"""The overview: new and waiting cases, crawls, trends; every number links to its list."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from flask import Blueprint, current_app, render_template

from admin.cases.tabs import TABS, Tab
from admin.identity.permissions import actor
from admin.identity.time_zone import viewer_zone
from admin.sites.run_views import with_lost_closed
from admin.web.bar_charts import SHOWN_DAYS, day_bars, shares
from admin.web.db_session import database
from storage.analytics import detection_latency
from storage.cases import listing
from storage.cases.lists.filters import CaseFilter
from storage.crawl import health
from storage.crawl.health import SiteHealth
from storage.desk import dashboard
from storage.desk.dashboard import waiting
from storage.matches import hits
from storage.monitoring import site_alarms
from storage.records.case_states import OPEN_STATES
from storage.sites import sites
from storage.types import CaseQueue, CaseState, Credit, Severity

SHOWN_HITS: Final = 8
SHOWN_CASES: Final = 8
SHOWN_SITES: Final = 6
COUNTED: Final = 9_999
DELAYS_OF_DAYS: Final = 90

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def index() -> str:
    now = datetime.now(UTC)
    last_visit = dashboard.note_visit(database(), actor().id, now)
    size = dashboard.store_size(database())
    waiting, failed = dashboard.backlog_size(database())
    counts = _counts(now, last_visit)
    return render_template(
        "overview/home.html",
        now=now,
        size=size,
        backlog={"waiting": waiting, "failed": failed},
        last_visit=last_visit,
        counts=counts,
        counted=COUNTED,
        hits=hits.list_hits(database(), limit=SHOWN_HITS) if size.hits.number and not counts["all"] else [],
        cases=listing.list_cases(database(), TABS[Tab.WAITING], limit=SHOWN_CASES),
        sites=_health(health.sites_health(with_lost_closed())) | {"all": len(sites.list_sites(database()))},
        figures=_figures(now) if counts["all"] else None,
        alarms=len({alarm.site_id for alarm in site_alarms.open_alarms(database())}),
        found_in=detection_latency.site_latencies(database(), now)[0],
        endpoints=current_app.view_functions,
    )


def _counts(now: datetime, last_visit: datetime | None) -> dict[str, int]:
    """Number of cases by list, up to COUNTED + 1."""
    ours, me = CaseFilter(queue=CaseQueue.COPIED), actor().id
    untouched = CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER, states=frozenset({CaseState.NEW, CaseState.REVIEWING}))
    lists = {
        "new": CaseFilter(queue=CaseQueue.COPIED, opened_from=last_visit),
        "waiting": TABS[Tab.WAITING],
        "mine": CaseFilter(queue=CaseQueue.COPIED, assignee_id=me, states=OPEN_STATES),
        "overdue": CaseFilter(queue=CaseQueue.COPIED, overdue_at=now),
        "copier": untouched,
        "all": ours,
    }
    return listing.count_each(database(), lists, bound=COUNTED)


def _figures(now: datetime) -> dict[str, Any]:
    zone = viewer_zone()
    today = now.astimezone(ZoneInfo(zone)).date()
    first = datetime(today.year, today.month, today.day, tzinfo=ZoneInfo(zone)) - timedelta(days=SHOWN_DAYS - 1)
    waits = waiting(database())
    delays = dashboard.delays(database(), now - timedelta(days=DELAYS_OF_DAYS))
    return {
        "owners": _drawn(waits.by_owner),
        "severities": _drawn([(one.value, waits.by_severity.get(one.value, 0)) for one in Severity]),
        "credits": _drawn([(one.value, waits.by_credit.get(one.value, 0)) for one in Credit]),
        "days": day_bars(dashboard.decisions_by_day(database(), first, zone), today),
        "delays": delays,
        "delay_bars": _drawn([(str(number), count) for number, count in enumerate(delays.counts)]),
        "delay_steps": dashboard.DELAY_STEPS_H,
    }


def _drawn(counted: list[tuple[str, int]]) -> list[tuple[str, int, float]]:
    """Counts with the lengths of their bars, 0…1."""
    lengths = shares([count for _key, count in counted])
    return [(key, count, length) for (key, count), length in zip(counted, lengths, strict=True)]


def _health(found: list[SiteHealth]) -> dict[str, Any]:
    """Sites in numbers, and those that need attention."""
    watched = [site for site in found if site.enabled]
    never = [site for site in watched if site.run_id is None]
    failing = [site for site in watched if site.is_failing]
    worst = [*failing, *never, *(site for site in watched if site not in failing and site not in never)]
    return {
        "all": len(found),
        "paused": len(found) - len(watched),
        "never": len(never),
        "failing": len(failing),
        "refused": sum(site.refused for site in watched),
        "errors": sum(site.errors for site in watched),
        "worst": worst[:SHOWN_SITES],
        "newest": max((site.started_at for site in found if site.started_at), default=None),
    }
