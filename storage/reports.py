"""Numbers about the store."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models.matches import Match, PageMatch
from storage.models.pages import Backlog, Page, PageVersion, Text
from storage.models.sites import Site
from storage.records import StoreSummary


def summary(session: Session) -> StoreSummary:
    def count(model: type) -> int:
        return session.scalar(select(func.count()).select_from(model)) or 0

    return StoreSummary(
        texts=count(Text),
        pages=count(Page),
        sites=count(Site),
        newest=session.scalar(select(func.max(PageVersion.fetched_at))),
        backlog=count(Backlog),
        matches=count(Match),
        hits=count(PageMatch),
    )
