"""Monitoring: sites outside their control limits, detection latency, queue, disks, backups."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.monitoring.labels import WATCH_TABLES, measured, span
from admin.web import labels
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.pagination import PAGE_SIZE, Paging
from admin.web.url_converters import as_key
from storage.analytics import detection_latency
from storage.cases import listing
from storage.cases.lists.filters import CaseOrder
from storage.crawl import runs
from storage.desk import dashboard
from storage.desk.dashboard import DELAY_STEPS_H
from storage.monitoring import site_alarms
from storage.monitoring.metrics import read_figures
from storage.types import AccountRole

CLOSED_SHOWN: Final = 20
MOST_PAGES: Final = 40
"""Pages of hits that can be shown; the figures are computed from the same number."""

BEFORE_OURS: Final = "before"

blueprint = Blueprint("watching", __name__, url_prefix="/health")
labels.register(blueprint, WATCH_TABLES)
blueprint.add_app_template_filter(measured)
blueprint.add_app_template_filter(span)


@blueprint.get("")
def index() -> str:
    runs.close_lost(database())
    recent = site_alarms.recent_alarms(database())
    return render_template(
        "monitoring/watching.html",
        figures=read_figures(database()),
        closed=[alarm for alarm in recent if alarm.closed_at is not None][:CLOSED_SHOWN],
        window_days=detection_latency.WINDOW.days,
    )


@blueprint.get("/finds")
def finds() -> str:
    """The hits behind a latency figure, the slowest first."""
    site = request.args.get("site", "").replace("\0", "") or None
    page = _page()
    found = detection_latency.detected_copies(
        database(), datetime.now(UTC), site=site, limit=PAGE_SIZE + 1, offset=page * PAGE_SIZE
    )
    return render_template("hits/finds.html", finds=found[:PAGE_SIZE], site=site, paging=_paging(page, len(found)))


@blueprint.get("/delays/<step>")
def delays(step: str) -> str:
    """The cases behind a bar of the overview: how long after the original the first copy was published."""
    number = as_key(step)
    if step != BEFORE_OURS and (number is None or number > len(DELAY_STEPS_H)):
        abort(404)
    since, page = datetime.now(UTC) - timedelta(days=dashboard.DELAYS_OF_DAYS), _page()
    found = dashboard.cases_by_delay(database(), since, number, limit=PAGE_SIZE + 1, offset=page * PAGE_SIZE)
    return render_template(
        "analysis/delays.html",
        cases=listing.cases_in_order(database(), found[:PAGE_SIZE], CaseOrder.NEWEST),
        step=number,
        key=step,
        paging=_paging(page, len(found)),
        days=dashboard.DELAYS_OF_DAYS,
    )


@blueprint.post("/alarms/<key:alarm_id>/accept")
@needs(AccountRole.MANAGER)
def accept(alarm_id: int) -> Response:
    """Accept the present level of a measure as normal."""
    alarm = or_404(site_alarms.accept(database(), alarm_id, by=actor().name, now=datetime.now(UTC)))
    note("alarm.accept", f"{alarm.site}: {alarm.measure}")
    flash(_("Accepted as normal. No judgement until there is enough data."), "success")
    return redirect(url_for("watching.index"))


def _page() -> int:
    """Page of the request, counted from 0."""
    return min(max(as_key(request.args.get("page", "")) or 1, 1), MOST_PAGES) - 1


def _paging(page: int, found: int) -> Paging:
    """Paging of a list of which one page and one more entry were read."""
    return Paging(page + 1, min(page * PAGE_SIZE + found, MOST_PAGES * PAGE_SIZE))
