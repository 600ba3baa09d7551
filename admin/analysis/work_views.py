"""The work on cases so far: what waits, decisions a day, delays, crawls, and for managers the size of the store."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template

from admin.identity.permissions import may
from admin.identity.time_zone import viewer_zone
from admin.sites.run_views import with_lost_closed
from admin.web.db_session import database
from admin.web.rendering.bar_charts import SHOWN_DAYS, day_bars, shares
from storage.analytics import detection_latency
from storage.crawl import health
from storage.crawl.health import SiteHealth
from storage.desk import dashboard
from storage.desk.dashboard import waiting
from storage.monitoring import site_alarms
from storage.types import AccountRole, Credit, Severity

SHOWN_SITES: Final = 6

blueprint = Blueprint("analysis_work", __name__, url_prefix="/analysis/work")


@blueprint.get("")
def index() -> str:
    now = datetime.now(UTC)
    is_manager = may(AccountRole.MANAGER)
    in_backlog, failed = dashboard.backlog_size(database()) if is_manager else (0, 0)
    return render_template(
        "analysis/analysis_work.html",
        size=dashboard.store_size(database()) if is_manager else None,
        backlog={"waiting": in_backlog, "failed": failed},
        sites=_health(health.sites_health(with_lost_closed())),
        figures=_figures(now),
        alarms=len({alarm.site_id for alarm in site_alarms.open_alarms(database())}),
        found_in=detection_latency.site_latencies(database(), now)[0],
    )


def _figures(now: datetime) -> dict[str, Any]:
    zone = viewer_zone()
    today = now.astimezone(ZoneInfo(zone)).date()
    first = datetime(today.year, today.month, today.day, tzinfo=ZoneInfo(zone)) - timedelta(days=SHOWN_DAYS - 1)
    waits = waiting(database())
    delays = dashboard.delays(database(), now - timedelta(days=dashboard.DELAYS_OF_DAYS))
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
