"""Metrics, read at once, for the metrics page, the status command and the desk.

Each query is bounded, or uses an estimate of Postgres, so that frequent requests do no harm.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, and_, extract, func, or_, select, text
from sqlalchemy.orm import Session

from storage.analytics import detection_latency, discovery_latency
from storage.analytics.detection_latency import Delay, SiteLatency
from storage.analytics.discovery_latency import DiscoveryLatency
from storage.backups import history
from storage.desk import dashboard
from storage.desk.dashboard import StoreSize
from storage.evidence import witnesses
from storage.jobs import alert_events
from storage.jobs.queue import QUEUES, SILENT_S
from storage.models.matches import Match, PageMatch
from storage.models.operation import JobFailure
from storage.models.pages import Backlog, PageVersion
from storage.models.sites import CrawlRun
from storage.monitoring import disk_forecast, run_totals, site_alarms
from storage.monitoring.disk_forecast import Forecast
from storage.postgres.rows import record_of
from storage.records.alerts import HoldRecord
from storage.records.monitoring import Alarm
from storage.records.witnesses import WitnessCount

MATCHES_LOOKED_AT: Final = 500
DAY: Final = timedelta(hours=24)
MOST_RUNNING: Final = 1_000

_QUEUE: Final = text(
    """WITH grouped AS (
        SELECT task_name, status::text AS status, count(*) AS jobs,
            min(id) FILTER (WHERE scheduled_at IS NULL OR scheduled_at <= now()) AS first
        FROM zhiwen_queue.procrastinate_jobs WHERE status IN ('todo', 'doing', 'failed') GROUP BY 1, 2)
    SELECT task_name AS task, status, jobs, (
        SELECT extract(epoch FROM now() - min(event.at)) FROM zhiwen_queue.procrastinate_events event
        WHERE event.job_id = grouped.first AND event.type = 'deferred')::float8 AS oldest_s
    FROM grouped ORDER BY 1, 2"""
)
_WORKERS: Final = text(
    """SELECT count(*) FILTER (WHERE last_heartbeat > now() - make_interval(secs => :silent_s)), max(last_heartbeat)
        FROM zhiwen_queue.procrastinate_workers"""
)


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """Jobs of one kind. `oldest_s`: seconds since the oldest one that may start was queued."""

    task: str
    state: str
    jobs: int
    oldest_s: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """`crawl_totals`: counters of all finished runs. `job_failures`: of the last day, by kind of job."""

    at: datetime
    size: StoreSize
    to_compare: int
    cannot_compare: int
    oldest_to_compare_s: float | None
    match_delay: Delay
    """From storing to comparison, of the newest hits of the last day."""
    queue: list[QueueFigures]
    workers: int
    """Queues with a worker: one worker serves three, crawls, searches and other work."""
    worker_seen_at: datetime | None
    running: int
    crawl_totals: dict[str, int]
    job_failures: dict[str, int]
    latencies: list[SiteLatency]
    discovered: DiscoveryLatency
    """Of copies that search services found."""
    alarms: list[Alarm]
    holds: list[HoldRecord]
    forecasts: list[Forecast]
    backed_up_at: datetime | None
    witnesses: list[WitnessCount]
    """Confirmations of evidence, and failed captures, by kind and state."""

    @property
    def worker_processes(self) -> int:
        """Rounded up: one that has just begun does not serve all queues yet."""
        return -(-self.workers // len(QUEUES))


_STATES: Final = {"todo": "waiting", "doing": "running", "failed": "set aside"}


def read_figures(session: Session) -> Figures:
    """By the database's own clock."""
    now: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
    to_compare, cannot_compare = dashboard.backlog_size(session)
    workers, worker_seen_at = session.execute(_WORKERS, {"silent_s": SILENT_S}).one()
    newest_backup = history.newest(session)
    return Figures(
        at=now,
        size=dashboard.store_size(session),
        to_compare=to_compare,
        cannot_compare=cannot_compare,
        oldest_to_compare_s=_number(session.scalar(_oldest_to_compare())),
        match_delay=record_of(Delay, session.execute(_match_delay(now - DAY)).one()),
        queue=queue_figures(session),
        workers=workers,
        worker_seen_at=worker_seen_at,
        running=_running(session),
        crawl_totals=run_totals.crawl_totals(session),
        job_failures=dict(session.execute(_failures(now - DAY)).all()),
        latencies=detection_latency.site_latencies(session, now),
        discovered=discovery_latency.discovery_latency(session, now),
        alarms=site_alarms.open_alarms(session),
        holds=alert_events.open_holds(session),
        forecasts=disk_forecast.forecasts(session, now),
        backed_up_at=None if newest_backup is None else newest_backup.made_at,
        witnesses=witnesses.counts(session),
    )


def queue_figures(session: Session) -> list[QueueFigures]:
    return [record_of(QueueFigures, row, state=_STATES[row.status]) for row in session.execute(_QUEUE)]


def worker_seen_at(session: Session) -> datetime | None:
    """The last heartbeat of any worker; None: none is known."""
    _, seen_at = session.execute(_WORKERS, {"silent_s": SILENT_S}).one()
    return seen_at if isinstance(seen_at, datetime) else None


@cache
def _oldest_to_compare() -> Select[float]:
    """Seconds that the first page has waited; postponed pages are not included."""
    age = extract("epoch", func.now() - func.min(Backlog.not_before))
    return select(age).where(Backlog.error.is_(None), Backlog.not_before <= func.now())


def _match_delay(since: datetime) -> Select[*tuple[Any, ...]]:
    newest = (
        select(PageMatch.match_id, PageMatch.low_page_id, PageMatch.high_page_id, PageMatch.created_at)
        .order_by(PageMatch.id.desc())
        .limit(MATCHES_LOOKED_AT)
        .subquery()
    )
    is_of_match = and_(
        or_(PageVersion.page_id == newest.c.low_page_id, PageVersion.page_id == newest.c.high_page_id),
        or_(PageVersion.text_id == Match.low_text_id, PageVersion.text_id == Match.high_text_id),
    )
    stored_at = select(func.max(PageVersion.fetched_at)).where(is_of_match).correlate(newest, Match).scalar_subquery()
    seconds = extract("epoch", newest.c.created_at - stored_at)
    delays = (
        select(seconds.label("seconds"))
        .select_from(newest)
        .join(Match, Match.id == newest.c.match_id)
        .where(newest.c.created_at >= since)
        .subquery()
    )
    return select(*detection_latency.delay_columns(delays.c.seconds))


def _failures(since: datetime) -> Select[str, int]:
    return select(JobFailure.task, func.count()).where(JobFailure.at >= since).group_by(JobFailure.task)


def _running(session: Session) -> int:
    going = select(CrawlRun.id).where(~CrawlRun.tallied, CrawlRun.ended_at.is_(None)).limit(MOST_RUNNING).subquery()
    return session.scalar(select(func.count()).select_from(going)) or 0


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))
