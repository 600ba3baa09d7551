"""Crawl runs, with what each refused and why."""

from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request

from admin.identity.time_zone import viewer_zone
from admin.sites.log_times import times_in_zone
from admin.web.answers import or_404
from admin.web.db_session import database
from storage.crawl import logs, runs
from storage.records.crawl import RunRecord

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SHOWN_RUNS: Final = 200
_REFUSED: Final = "refused/"

blueprint = Blueprint("runs", __name__, url_prefix="/runs")


@blueprint.get("")
def index() -> str:
    site = request.args.get("site", "").replace("\0", "") or None
    return render_template(
        "sites/runs.html", runs=runs.list_runs(with_lost_closed(), site=site, limit=SHOWN_RUNS), site=site
    )


@blueprint.get("/<key:run_id>")
def detail(run_id: int) -> str:
    run = or_404(runs.get_run(with_lost_closed(), run_id))
    log = logs.get(database(), run_id)
    said = "" if log is None else times_in_zone(log.text, run.started_at, ZoneInfo(viewer_zone()))
    return render_template("sites/run.html", run=run, log=log, said=said)


@blueprint.get("/<key:run_id>/progress")
def progress(run_id: int) -> str:
    """The part of a page that shows progress: polled while a run goes on."""
    run = or_404(runs.get_run(with_lost_closed(), run_id))
    return render_template("sites/run_progress.html", run=run)


def with_lost_closed() -> "Session":
    """The database session, after runs whose process is gone were marked as lost."""
    runs.close_lost(database())
    return database()


@blueprint.app_template_filter()
def refusals(run: RunRecord) -> list[tuple[str, int, tuple[str, ...]]]:
    """Refusals of a run: reason, count and sample URLs, most frequent first."""
    counted = {name.removeprefix(_REFUSED): count for name, count in run.counters.items() if name.startswith(_REFUSED)}
    reasons = counted | {reason: len(urls) for reason, urls in run.refusal_samples.items() if reason not in counted}
    listed = [(reason, count, run.refusal_samples.get(reason, ())) for reason, count in reasons.items() if count]
    return sorted(listed, key=lambda item: (-item[1], item[0]))


@blueprint.app_template_filter()
def results(run: RunRecord) -> list[tuple[str, int]]:
    """The counters of a run that are no refusals."""
    return sorted((name, count) for name, count in run.counters.items() if not name.startswith(_REFUSED))
