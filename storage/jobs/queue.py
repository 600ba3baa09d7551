"""The job queue: jobs are deferred, listed with their errors, and taken over from dead workers.

The queue is procrastinate's, in a schema of its own, which its functions must find first on the search path. Its SQL
functions are called here rather than its Python client: jobs are added, retried and finished in the caller's
transaction, with rows locked, and the client offers that for adding alone. `pyproject.toml` bounds its version.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Row, func, insert, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from storage.jobs import alert_events
from storage.models.operation import JobFailure
from storage.postgres.rows import record_of
from storage.records.alerts import AlertKind

SCHEMA: Final = "zhiwen_queue"

CRAWL: Final = "crawl"
MATCH: Final = "match"
CAPTURE: Final = "capture"
CHECK_CASE_PAGES: Final = "look"
RECHECK: Final = "recheck"
LEARN: Final = "learn"
PRUNE: Final = "prune"
STAMP: Final = "stamp"
WITNESS: Final = "witness"
WATCH: Final = "watch"
BACKUP: Final = "backup"
ALERT: Final = "alert"
LETTER: Final = "letter"
IMPORT: Final = "bring-in"
CAPTURE_PAGE: Final = "capture-page"
TEXT_INDEX: Final = "text-index"
CHECK: Final = "check"
ENCODE: Final = "encode"
DISCOVER: Final = "discover"
CONTACTS: Final = "contacts"

CRAWLS: Final = "crawls"
"""The queue of crawls, which take long; all other jobs have another, so that they never wait for crawls."""

WORK: Final = "work"

SEARCHES: Final = "searches"
"""The queue of searches for copies on the web, which mostly wait for other machines."""

QUEUES: Final = (CRAWLS, WORK, SEARCHES)
"""Every worker serves all of them."""

_QUEUES: Final[Mapping[str, str]] = {DISCOVER: SEARCHES}
"""The queue of a job, where that is not WORK."""

MOST_DEATHS: Final = 5
"""A job is set aside after so many deaths of its worker: most likely it causes them."""

_DEFER: Final = text(
    """SELECT zhiwen_queue.procrastinate_defer_jobs_v1(ARRAY[ROW(
        :queue, :task, :priority, :lock, :once, CAST(:arguments AS jsonb), :at
    )]::zhiwen_queue.procrastinate_job_to_defer_v1[])"""
)
_ABANDONED: Final = text(
    """SELECT job.id, job.task_name AS task, job.args AS arguments, job.attempts + 1 AS attempts
        FROM zhiwen_queue.procrastinate_jobs job
        LEFT JOIN zhiwen_queue.procrastinate_workers worker ON worker.id = job.worker_id
        WHERE job.status = 'doing'
        AND (worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => :silent_s))
        FOR UPDATE OF job SKIP LOCKED"""
)
_RETRY: Final = text("SELECT zhiwen_queue.procrastinate_retry_job_v2(:id, now(), NULL, NULL, NULL)")
_GIVE_BACK: Final = text(
    "SELECT zhiwen_queue.procrastinate_retry_job_v2(:id, now() + make_interval(secs => :after_s), NULL, NULL, NULL)"
)
_NOT_COUNTED: Final = text("UPDATE zhiwen_queue.procrastinate_jobs SET attempts = attempts - 1 WHERE id = :id")
_IS_RUNNING: Final = text(
    "SELECT id FROM zhiwen_queue.procrastinate_jobs WHERE id = :id AND status = 'doing' FOR UPDATE"
)
_FAIL: Final = text("SELECT zhiwen_queue.procrastinate_finish_job_v1(:id, 'failed', false)")
_DONE_WITH: Final = text("SELECT zhiwen_queue.procrastinate_finish_job_v1(:id, 'aborted', true)")
# Events in the future were written before the clock was set back, and are ignored.
_DEFERRED_SINCE: Final = text(
    """SELECT EXISTS (SELECT 1 FROM zhiwen_queue.procrastinate_jobs job
        JOIN zhiwen_queue.procrastinate_events event ON event.job_id = job.id AND event.type = 'deferred'
        WHERE job.task_name = :task AND event.at > :since AND event.at < now() + interval '5 minutes')"""
)
_LAST_DEFERRED: Final = text(
    """SELECT max(event.at) FROM zhiwen_queue.procrastinate_jobs job
        JOIN zhiwen_queue.procrastinate_events event ON event.job_id = job.id AND event.type = 'deferred'
        WHERE job.task_name = :task"""
)
_SET_ASIDE_SINCE: Final = text(
    """SELECT EXISTS (SELECT 1 FROM job_failure failure
        JOIN zhiwen_queue.procrastinate_jobs job ON job.id = failure.job_id AND job.status = 'failed'
        WHERE failure.task = :task AND failure.set_aside
        AND failure.at > :since AND failure.at < now() + interval '5 minutes')"""
)
_FORGET: Final = text(
    """DELETE FROM zhiwen_queue.procrastinate_jobs WHERE id IN (
        SELECT job.id FROM zhiwen_queue.procrastinate_jobs job
        WHERE job.status IN ('succeeded', 'cancelled', 'aborted') AND NOT EXISTS (
            SELECT 1 FROM zhiwen_queue.procrastinate_events event WHERE event.job_id = job.id AND event.at > :before
        ) LIMIT 10000)"""
)
_FORGET_FAILURES: Final = text(
    """DELETE FROM job_failure WHERE at < :before AND NOT EXISTS (
        SELECT 1 FROM zhiwen_queue.procrastinate_jobs job WHERE job.id = job_failure.job_id)"""
)
_LIST: Final = text(
    """SELECT job.id, job.task_name AS task, job.args AS arguments, job.status::text AS status, job.attempts,
            job.scheduled_at AS begins_at,
            (SELECT max(event.at) FROM zhiwen_queue.procrastinate_events event
                WHERE event.job_id = job.id AND event.type <> 'scheduled') AS changed_at,
            (SELECT failure.error FROM job_failure failure WHERE failure.job_id = job.id
                ORDER BY failure.id DESC LIMIT 1) AS error
        FROM zhiwen_queue.procrastinate_jobs job
        WHERE job.status::text = ANY(:states)
        ORDER BY CASE job.status::text WHEN 'failed' THEN 0 WHEN 'doing' THEN 1 ELSE 2 END, job.id DESC LIMIT :most"""
)
_ALIVE: Final = text(
    """SELECT EXISTS (SELECT 1 FROM zhiwen_queue.procrastinate_workers
        WHERE last_heartbeat > now() - make_interval(secs => :silent_s))"""
)
_AGAIN: Final = text("SELECT id FROM zhiwen_queue.procrastinate_jobs WHERE id = :id AND status = 'failed' FOR UPDATE")
_DROP: Final = text(
    "DELETE FROM zhiwen_queue.procrastinate_jobs WHERE id = :id AND status IN ('failed', 'todo') RETURNING id"
)

WAITING: Final = "todo"
RUNNING: Final = "doing"
SET_ASIDE: Final = "failed"
SILENT_S: Final = 30.0
"""A worker without a heartbeat for so long counts as dead; it sends one every ten seconds."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """`state`: waiting, running or set aside. `error`: of its last failure, if any."""

    id: int
    task: str
    arguments: Mapping[str, Any]
    state: str
    attempts: int
    begins_at: datetime | None
    changed_at: datetime | None
    error: str | None


_STATES: Final = {WAITING: "waiting", RUNNING: "running", SET_ASIDE: "set aside"}


def defer(
    session: Session,
    task: str,
    *,
    queue: str = WORK,
    once: str | None = None,
    lock: str | None = None,
    priority: int = 0,
    at: datetime | None = None,
    **arguments: Any,
) -> int | None:
    """Adds a job to the queue in the caller's transaction. Returns its id; None if one with the same `once` waits.

    Jobs with the same `lock` run one at a time.
    """
    values = {"queue": queue, "task": task, "priority": priority, "lock": lock, "once": once, "at": at}
    try:
        with session.begin_nested(), _on_path(session):
            (number,) = session.execute(_DEFER, values | {"arguments": json.dumps(arguments)}).scalar_one()
    except IntegrityError:
        return None
    return int(number)


def defer_crawl(
    session: Session, site: str, *, trigger: str, max_pages: int | None = None, revisit: bool = False
) -> int | None:
    """Defers a crawl of a site; None if one waits already."""
    what: dict[str, Any] = {"site": site, "trigger": trigger, "max_pages": max_pages, "revisit": revisit}
    return defer(session, CRAWL, queue=CRAWLS, once=f"{CRAWL} {site}", lock=f"{CRAWL} {site}", **what)


def defer_once(session: Session, task: str, *, priority: int = 0) -> int | None:
    """Defers a job that does all pending work of its kind: at most one waits, and one runs at a time."""
    return defer(session, task, queue=_QUEUES.get(task, WORK), once=task, lock=task, priority=priority)


ASKED_PRIORITY: Final = 10
"""Of a job that somebody at the desk waits for."""


def defer_asked(session: Session, task: str, **arguments: Any) -> int | None:
    """Defers a job that somebody asked for, before others; None if an equal one waits. One with the same arguments runs
    at a time.
    """
    once = " ".join((task, *(f"{name}={arguments[name]}" for name in sorted(arguments))))
    where = _QUEUES.get(task, WORK)
    return defer(session, task, queue=where, once=once, lock=task, priority=ASKED_PRIORITY, **arguments)


def was_deferred_since(session: Session, task: str, since: datetime) -> bool:
    return bool(session.execute(_DEFERRED_SINCE, {"task": task, "since": since}).scalar_one())


def last_deferred(session: Session, task: str) -> datetime | None:
    """When a job of this task was last deferred, as far as the queue remembers."""
    at: datetime | None = session.execute(_LAST_DEFERRED, {"task": task}).scalar_one()
    return at


def was_set_aside_since(session: Session, task: str, since: datetime) -> bool:
    """Whether a job of this task was set aside after `since` and not retried."""
    return bool(session.execute(_SET_ASIDE_SINCE, {"task": task, "since": since}).scalar_one())


def database_time(session: Session) -> datetime:
    """The database's clock, which all workers share."""
    now: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
    return now


def take_over(session: Session, *, silent_s: float = SILENT_S) -> list[JobRecord]:
    """Requeues the jobs of workers that are gone or silent for `silent_s` seconds. Returns them."""
    found = session.execute(_ABANDONED, {"silent_s": silent_s}).all()
    return [_taken_over(session, row) for row in found]


def give_back(session: Session, job_ids: Collection[int], *, after_s: float = SILENT_S) -> int:
    """Requeues running jobs of a worker that has to stop, to start again after `after_s` seconds. Not counted as a
    failed attempt. Returns how many were still running.
    """
    given = 0
    for number in sorted(job_ids):
        if session.execute(_IS_RUNNING, {"id": number}).one_or_none() is None:
            continue
        given += 1
        try:
            with session.begin_nested(), _on_path(session):
                session.execute(_GIVE_BACK, {"id": number, "after_s": after_s})
                session.execute(_NOT_COUNTED, {"id": number})
        except IntegrityError:
            # One like it waits already, and does what this one was to do.
            with _on_path(session):
                session.execute(_DONE_WITH, {"id": number})
    return given


def _taken_over(session: Session, row: Row[Any]) -> JobRecord:
    is_set_aside = row.attempts >= MOST_DEATHS
    try:
        with session.begin_nested(), _on_path(session):
            session.execute(_FAIL if is_set_aside else _RETRY, {"id": row.id})
    except IntegrityError:
        # One like it waits already, and does what this one was to do.
        with _on_path(session):
            session.execute(_DONE_WITH, {"id": row.id})
    error = f"Its worker died {row.attempts} times while it was at work."
    add_failure(session, row.id, row.task, row.arguments, attempt=row.attempts, error=error, set_aside=is_set_aside)
    state = _STATES[SET_ASIDE if is_set_aside else WAITING]
    return record_of(JobRecord, row, state=state, begins_at=None, changed_at=None, error=error)


def add_failure(
    session: Session, job_id: int, task: str, arguments: Mapping[str, Any], *, attempt: int, error: str, set_aside: bool
) -> None:
    """Records a failure of a job, for as long as the job is known."""
    session.execute(
        insert(JobFailure).values(
            job_id=job_id, task=task, arguments=dict(arguments), attempt=attempt, error=error, set_aside=set_aside
        )
    )
    if set_aside:
        # At most one alert per job and day.
        key = f"{job_id}:{datetime.now(UTC).date()}"
        alert_events.raise_event(session, AlertKind.JOB_SET_ASIDE, key=key, details={"task": task, "problem": error})


def list_jobs(session: Session, *, states: tuple[str, ...] = tuple(_STATES), limit: int = 200) -> list[JobRecord]:
    """Jobs set aside, running and waiting, in this order, newest first."""
    rows = session.execute(_LIST, {"states": list(states), "most": limit})
    return [record_of(JobRecord, row, state=_STATES[row.status]) for row in rows]


def has_workers(session: Session, *, silent_s: float = SILENT_S) -> bool:
    """Whether a worker has sent a heartbeat within `silent_s` seconds."""
    return bool(session.execute(_ALIVE, {"silent_s": silent_s}).scalar_one())


def try_again(session: Session, job_id: int) -> bool:
    """Retries a job that was set aside. Returns whether there was one."""
    if session.execute(_AGAIN, {"id": job_id}).one_or_none() is None:
        return False
    with _on_path(session):
        session.execute(_RETRY, {"id": job_id})
    return True


def drop(session: Session, job_id: int) -> bool:
    """Removes a waiting or set-aside job. Returns whether there was one."""
    with _on_path(session):
        return session.execute(_DROP, {"id": job_id}).one_or_none() is not None


def forget(session: Session, before: datetime) -> int:
    """Removes finished jobs without events after `before`, a bounded number at a time. Returns how many."""
    with _on_path(session):
        gone = session.execute(_FORGET, {"before": before})
    session.execute(_FORGET_FAILURES, {"before": before})
    return int(gone.rowcount)  # type: ignore[attr-defined]  # a cursor's result has it


@contextmanager
def _on_path(session: Session) -> Iterator[None]:
    session.execute(text(f"SET LOCAL search_path TO {SCHEMA}, public"))
    yield
    session.execute(text("SET LOCAL search_path TO DEFAULT"))
