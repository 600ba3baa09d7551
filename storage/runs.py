"""Crawl runs: written while they go, so that a killed one still shows how far it came."""

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.sites import CrawlRun, Site
from storage.records import RunRecord


def start_run(session: Session, site_id: int, *, trigger: str) -> int:
    return session.scalars(insert(CrawlRun).values(site_id=site_id, trigger=trigger).returning(CrawlRun.id)).one()


def record_run(
    session: Session, run_id: int, *, counters: Mapping[str, int], refusal_samples: Mapping[str, Sequence[str]]
) -> None:
    """Counters so far; refusals are counted under `refused/<name>`, with a few URLs each as samples."""
    samples = {name: list(urls) for name, urls in refusal_samples.items()}
    session.execute(
        update(CrawlRun).where(CrawlRun.id == run_id).values(counters=dict(counters), refusal_samples=samples)
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


def list_runs(session: Session, *, site: str | None = None, limit: int = 50) -> list[RunRecord]:
    """The newest runs first."""
    statement = select(CrawlRun, Site.name).join(Site).order_by(CrawlRun.id.desc()).limit(limit)
    if site is not None:
        statement = statement.where(Site.name == site)
    return [_run_record(*row) for row in session.execute(statement)]


def get_run(session: Session, run_id: int) -> RunRecord | None:
    row = session.execute(select(CrawlRun, Site.name).join(Site).where(CrawlRun.id == run_id)).one_or_none()
    return None if row is None else _run_record(*row)


def _run_record(run: CrawlRun, site_name: str) -> RunRecord:
    return RunRecord(
        id=run.id,
        site_name=site_name,
        trigger=run.trigger,
        started_at=run.started_at,
        ended_at=run.ended_at,
        exit_reason=run.exit_reason,
        counters=run.counters,
        refusal_samples={name: tuple(urls) for name, urls in run.refusal_samples.items()},
    )
