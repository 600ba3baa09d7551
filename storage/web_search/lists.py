"""Lists for people and programs: what was asked, what was found, hosts that somebody decided about."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, or_, select
from sqlalchemy.orm import Session, aliased

from storage.models.cases import Case, CasePage
from storage.models.pages import Page, PageVersion
from storage.models.sites import Site
from storage.models.web_search import SearchFind, SearchHost, SearchQuery, SearchVisit
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.web_search import (
    DecidedHost,
    DiscoveryTotals,
    FindFilter,
    FoundPage,
    QueryFilter,
    QueryLine,
)
from storage.types import CaseQueue, FindState, FoundBy, HostDecision

_ours = aliased(Page, name="our_page")
_our_version = aliased(PageVersion, name="our_version")
_our_site = aliased(Site, name="our_site")


def list_queries(
    session: Session, where: QueryFilter, *, limit: int, offset: int = 0, below: int | None = None
) -> list[QueryLine]:
    """Return matching queries, newest first; with `below`, those with lower ids."""
    columns = columns_of(
        QueryLine,
        SearchQuery,
        site_name=_our_site.name,
        our_url=_ours.url,
        our_title=_our_version.title,
    )
    statement = _with_article(select(*columns).select_from(SearchQuery), SearchQuery)
    statement = statement.outerjoin(_our_site, _our_site.id == SearchQuery.site_id).where(*_of_queries(where))
    if below is not None:
        statement = statement.where(SearchQuery.id < below)
    statement = statement.order_by(SearchQuery.id.desc()).limit(limit).offset(offset)
    return records_of(QueryLine, session.execute(statement))


def count_queries(session: Session, where: QueryFilter, *, bound: int) -> int:
    """Return how many match, at most `bound`."""
    found = select(SearchQuery.id).outerjoin(_our_site, _our_site.id == SearchQuery.site_id).where(*_of_queries(where))
    return session.scalar(select(func.count()).select_from(found.limit(bound).subquery())) or 0


def asked_services(session: Session) -> list[str]:
    """Return the names of all services that were ever asked."""
    return list(session.scalars(select(SearchQuery.service).distinct().order_by(SearchQuery.service)))


def list_finds(
    session: Session, where: FindFilter, *, limit: int, offset: int = 0, below: int | None = None
) -> list[FoundPage]:
    """Return matching finds, newest first; with `below`, those with lower ids."""
    case_id = (
        select(func.max(CasePage.case_id))
        .join(Case, Case.id == CasePage.case_id)
        .where(CasePage.their_page_id == SearchFind.their_page_id, Case.our_page_id == SearchFind.page_id)
        .correlate(SearchFind)
        .scalar_subquery()
    )
    columns = columns_of(
        FoundPage,
        SearchFind,
        site_name=_our_site.name,
        our_url=_ours.url,
        our_title=func.coalesce(_our_version.title, ""),
        case_id=case_id,
    )
    statement = _finds(select(*columns), where)
    if below is not None:
        statement = statement.where(SearchFind.id < below)
    statement = statement.order_by(SearchFind.id.desc()).limit(limit).offset(offset)
    return records_of(FoundPage, session.execute(statement))


def count_finds(session: Session, where: FindFilter, *, bound: int) -> int:
    """Return how many match, at most `bound`."""
    found = _finds(select(SearchFind.id), where).limit(bound).subquery()
    return session.scalar(select(func.count()).select_from(found)) or 0


def services_of_cases(session: Session, case_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return, for cases with a page that only search services found, the names of these services."""
    statement = (
        select(CasePage.case_id, SearchFind.services)
        .distinct()
        .join(Page, (Page.id == CasePage.their_page_id) & (Page.found_by == FoundBy.SEARCH))
        .join(SearchFind, SearchFind.their_page_id == Page.id)
        .where(CasePage.case_id.in_(case_ids))
    )
    found: dict[int, set[str]] = {}
    for case_id, names in session.execute(statement):
        found.setdefault(case_id, set()).update(names)
    return {case_id: tuple(sorted(names)) for case_id, names in found.items()}


def discovery_totals(session: Session) -> DiscoveryTotals:
    is_failed = SearchQuery.fault.is_not(None)
    queries = select(func.count(), func.count().filter(is_failed), func.coalesce(func.sum(SearchQuery.price), 0.0))
    asked, failed, money = session.execute(queries).one()
    by_state = select(SearchFind.state, func.count()).group_by(SearchFind.state)
    found_pages = select(Page.id).where(Page.found_by == FoundBy.SEARCH)
    of_found = select(func.count(CasePage.case_id.distinct())).join(Case, Case.id == CasePage.case_id)
    cases = of_found.where(CasePage.their_page_id.in_(found_pages), Case.queue != CaseQueue.SHARED_PASSAGE)
    return DiscoveryTotals(
        articles=session.scalar(select(func.count()).select_from(SearchVisit)) or 0,
        queries=asked,
        failed=failed,
        money=money,
        finds={FindState(state): count for state, count in session.execute(by_state)},
        cases=session.scalar(cases) or 0,
    )


def decided_hosts(session: Session, decision: HostDecision, *, limit: int) -> list[DecidedHost]:
    """Return the hosts with this decision, last decided first."""
    statement = select(*columns_of(DecidedHost, SearchHost)).where(SearchHost.decision == decision)
    statement = statement.order_by(SearchHost.decided_at.desc(), SearchHost.host).limit(limit)
    return records_of(DecidedHost, session.execute(statement))


def forget_decision(session: Session, host: str) -> bool:
    """Take a decision about a host back: it is proposed again. Returns False if there was none."""
    taken = delete(SearchHost).where(SearchHost.host == storable(host)).returning(SearchHost.host)
    return session.scalar(taken) is not None


def _with_article(statement: Select[*tuple[Any, ...]], about: Any) -> Select[*tuple[Any, ...]]:
    """The article of ours that queries and what they found are about, where it is stored."""
    is_current = (_our_version.page_id == _ours.id) & _our_version.is_current
    return statement.outerjoin(_ours, _ours.id == about.page_id).outerjoin(_our_version, is_current)


def _finds(statement: Select[*tuple[Any, ...]], where: FindFilter) -> Select[*tuple[Any, ...]]:
    joined = _with_article(statement.select_from(SearchFind), SearchFind)
    return joined.outerjoin(_our_site, _our_site.id == _ours.site_id).where(*_of_finds(where))


def _of_queries(where: QueryFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if where.service is not None:
        conditions.append(SearchQuery.service == storable(where.service))
    if where.site is not None:
        conditions.append(_our_site.name == storable(where.site))
    if where.page_id is not None:
        conditions.append(SearchQuery.page_id == where.page_id)
    is_answered = SearchQuery.ended_at.is_not(None) & SearchQuery.fault.is_(None)
    if where.is_answered is not None:
        conditions.append(is_answered if where.is_answered else ~is_answered)
    return conditions


def _of_finds(where: FindFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if where.state is not None:
        conditions.append(SearchFind.state == where.state)
    if where.site is not None:
        conditions.append(_our_site.name == storable(where.site))
    if where.host is not None:
        conditions.append(SearchFind.host == storable(where.host))
    if where.page_id is not None:
        conditions.append(SearchFind.page_id == where.page_id)
    if where.text is not None:
        part = storable(where.text)
        places = (SearchFind.url, SearchFind.title, _ours.url, _our_version.title)
        conditions.append(or_(*(place.icontains(part, autoescape=True) for place in places)))
    return conditions
