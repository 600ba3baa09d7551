"""Which runs of a site brought pages, newest first."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.crawl.runs import run_record
from storage.models.sites import CrawlRun, Site
from storage.records.crawl_runs import RunRecord


def runs_below(session: Session, *, site: str | None, below: int | None, limit: int) -> list[RunRecord]:
    """Runs, the last begun first."""
    statement = select(CrawlRun, Site.name).join(Site).order_by(CrawlRun.id.desc()).limit(limit)
    if site is not None:
        statement = statement.where(Site.name == site)
    if below is not None:
        statement = statement.where(CrawlRun.id < below)
    return [run_record(*row) for row in session.execute(statement)]
