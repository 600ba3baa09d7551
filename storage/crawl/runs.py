"""Crawl runs: written while running, so that a killed run shows how far it came."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, TextClause, and_, case, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.crawl.site_lock import LOCK_CLASS, SITE_KEYS
from storage.models.sites import CrawlRun, Site
from storage.postgres.rows import columns_of, record_of
from storage.records.crawl import History, RunRecord

LOST: Final = "lost"
"""The exit reason of a run whose process died."""

FINISHED: Final = "finished"
REMEMBERED_RUNS: Final = 9
"""Runs from which the activity of a site is estimated: few, so that a change shows soon."""

_NEWS: Final = ("articles/new", "articles/changed")

STARTING: Final = timedelta(minutes=2)
"""From the row of a run until its process holds the site's lock. Before, it cannot be recognised as alive."""

_NOBODY_CRAWLS: Final = text(
    """
    NOT EXISTS (
        SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2 AND granted
          AND classid::bigint = :lock_class AND objid::bigint = crawl_run.site_id % :site_keys
    )
    """
).bindparams(lock_class=LOCK_CLASS, site_keys=SITE_KEYS)


def start_run(session: Session, site_id: int, *, trigger: str) -> int:
    return session.scalars(insert(CrawlRun).values(site_id=site_id, trigger=trigger).returning(CrawlRun.id)).one()


def record_run(
    session: Session, run_id: int, *, counters: Mapping[str, int], refusal_samples: Mapping[str, Sequence[str]]
) -> None:
    """Stores the counters so far; refusals are counted under `refused/<name>`, each with sample URLs.

    A run that writes is alive: if it was closed as lost while the database was away, it is open again.
    """
    samples = {name: list(urls) for name, urls in refusal_samples.items()}
    is_lost = CrawlRun.exit_reason.is_not_distinct_from(LOST)
    session.execute(
        update(CrawlRun)
        .where(CrawlRun.id == run_id)
        .values(
            counters=dict(counters),
            refusal_samples=samples,
            ended_at=case((is_lost, None), else_=CrawlRun.ended_at),
            exit_reason=case((is_lost, None), else_=CrawlRun.exit_reason),
        )
    )


def finish_run(
    session: Session,
    run_id: int,
    *,
    exit_reason: str,
    counters: Mapping[str, int],
    refusal_samples: Mapping[str, Sequence[str]],
) -> None:
    record_run(session, run_id, counters=counters, refusal_samples=refusal_samples)
    session.execute(update(CrawlRun).where(CrawlRun.id == run_id).values(ended_at=func.now(), exit_reason=exit_reason))


def close_lost(session: Session) -> int:
    """Closes runs whose process died: nobody holds the lock of their site. Returns how many."""
    return _close(session, _NOBODY_CRAWLS)


def close_lost_of_site(session: Session, site_id: int, *, but: int) -> int:
    """The same for one site, called by the run `but`, which holds its lock."""
    return _close(session, and_(CrawlRun.site_id == site_id, CrawlRun.id != but))


def _close(session: Session, is_lost: ColumnElement[bool] | TextClause) -> int:
    has_begun = CrawlRun.started_at < func.now() - STARTING
    closed = session.scalars(
        update(CrawlRun)
        .where(CrawlRun.ended_at.is_(None), has_begun, is_lost)
        .values(ended_at=func.now(), exit_reason=LOST)
        .returning(CrawlRun.id)
        .execution_options(synchronize_session=False)
    )
    return len(closed.all())


def list_runs(
    session: Session, *, site: str | None = None, below: int | None = None, limit: int = 50
) -> list[RunRecord]:
    """The newest runs first; those with lower ids than `below`."""
    statement = _runs().order_by(CrawlRun.id.desc()).limit(limit)
    if site is not None:
        statement = statement.where(Site.name == site)
    if below is not None:
        statement = statement.where(CrawlRun.id < below)
    return [_run_record(row) for row in session.execute(statement)]


def last_runs(session: Session, site_ids: Collection[int]) -> dict[int, RunRecord]:
    """The newest run of each of these sites, by id of the site; sites without one are left out."""
    newest = select(CrawlRun.id).where(CrawlRun.site_id == Site.id).order_by(CrawlRun.id.desc()).limit(1)
    of_each = select(newest.correlate(Site).scalar_subquery()).where(Site.id.in_(list(site_ids)))
    rows = session.execute(_runs().add_columns(CrawlRun.site_id).where(CrawlRun.id.in_(of_each)))
    return {row.site_id: _run_record(row) for row in rows}


def news_of_site(session: Session, site_id: int) -> History:
    """How many of the last finished runs of a site found news, and over how many seconds.

    The oldest of them only starts the period.
    """
    rows = session.execute(
        select(CrawlRun.started_at, CrawlRun.counters)
        .where(CrawlRun.site_id == site_id, CrawlRun.exit_reason == FINISHED)
        .order_by(CrawlRun.id.desc())
        .limit(REMEMBERED_RUNS)
    ).all()
    if len(rows) < 2:  # noqa: PLR2004  # two make a stretch of time
        return History()
    changes = sum(any(counters.get(name, 0) for name in _NEWS) for _, counters in rows[:-1])
    return History(len(rows) - 1, changes, (rows[0].started_at - rows[-1].started_at).total_seconds())


def get_run(session: Session, run_id: int) -> RunRecord | None:
    row = session.execute(_runs().where(CrawlRun.id == run_id)).one_or_none()
    return None if row is None else _run_record(row)


@cache
def _runs() -> Select[*tuple[Any, ...]]:
    return select(*columns_of(RunRecord, CrawlRun, site_name=Site.name)).join(Site)


def _run_record(row: Row[Any]) -> RunRecord:
    samples = {name: tuple(urls) for name, urls in row.refusal_samples.items()}
    return record_of(RunRecord, row, refusal_samples=samples)
