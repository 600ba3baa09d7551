"""How far the search for copies is: what waits, what was found, and what it cost."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.pages import Page
from storage.models.sites import Site
from storage.models.web_search import SearchFind, SearchQuery, SearchVisit
from storage.postgres.rows import record_of
from storage.records.web_search import SearchFigures
from storage.types import CaseQueue, FindState, SiteRole


def fetched_since_visit(session: Session, page_id: int) -> int:
    """Return how many finds of an article were fetched since its last complete visit."""
    last = select(SearchVisit.visited_at).where(SearchVisit.page_id == page_id).scalar_subquery()
    fetched = select(func.count()).where(SearchFind.page_id == page_id, SearchFind.fetched_at.is_not(None))
    since = fetched.where(SearchFind.fetched_at >= func.coalesce(last, func.to_timestamp(0)))
    return session.execute(since).scalar_one()


def articles_with_finds(session: Session, *, least: int, site_id: int | None = None, limit: int) -> list[str]:
    """Return the addresses of articles of which finds wait and fewer than `least` were fetched since the last visit,
    those with the oldest find first.
    """
    fetched = func.count().filter(SearchFind.fetched_at >= func.coalesce(SearchVisit.visited_at, func.to_timestamp(0)))
    is_waiting = SearchFind.state == FindState.WAITING
    has_one = select(SearchFind.page_id).where(is_waiting)
    statement = (
        select(Page.url)
        .join(Site, Site.id == Page.site_id)
        .join(SearchFind, SearchFind.page_id == Page.id)
        .outerjoin(SearchVisit, SearchVisit.page_id == Page.id)
        .where(Page.id.in_(has_one), Page.gone_at.is_(None), Site.role == SiteRole.ORIGINAL, Site.enabled)
        .group_by(Page.id)
        .having(fetched < least)
        .order_by(func.min(SearchFind.found_at).filter(is_waiting), Page.id)
    )
    if site_id is not None:
        statement = statement.where(Page.site_id == site_id)
    return list(session.scalars(statement.limit(limit)))


def cases_of_pages(session: Session, page_ids: Collection[int]) -> int:
    """Return the number of cases in which these pages are the copies, without those that share a passage only."""
    cases = (
        select(CasePage.case_id)
        .join(Case, Case.id == CasePage.case_id)
        .where(CasePage.their_page_id.in_(page_ids), Case.queue != CaseQueue.SHARED_PASSAGE)
        .distinct()
    )
    return session.execute(select(func.count()).select_from(cases.subquery())).scalar_one()


def figures(session: Session, *, day: datetime) -> SearchFigures:
    """Return the queries booked since a day began, the search results that wait, and the copies that were found."""
    queries = select(func.count()).where(SearchQuery.booked_at >= day).scalar_subquery()
    finds = select(func.count()).select_from(SearchFind)
    waiting = finds.where(SearchFind.state == FindState.WAITING).scalar_subquery()
    copies = finds.where(SearchFind.state == FindState.COPY).scalar_subquery()
    row = session.execute(select(queries.label("queries_today"), waiting.label("waiting"), copies.label("copies")))
    return record_of(SearchFigures, row.one())
