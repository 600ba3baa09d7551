"""Facts about cases for alert rules and messages: the case, the sites of both sides, matching saved views."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import and_, func, select, union
from sqlalchemy.orm import Session

from storage.alerts.rules import CaseFacts
from storage.cases import listing
from storage.cases.lists.filters import CaseFilter
from storage.models.cases import Case, CasePage
from storage.models.pages import Page, PageVersion
from storage.models.sites import Site
from storage.web_search.lists import services_of_cases


def facts_of(
    session: Session, case_ids: Collection[int], views: Mapping[int, CaseFilter] | None = None
) -> dict[int, CaseFacts]:
    """By case id, for those of these cases that exist. `views`: the filters of saved lists by their ids."""
    ids = list(case_ids)
    records = {record.id: record for record in listing.cases_by_id(session, ids)}
    zones = _zones(session, ids)
    site_ids = _sites(session, ids)
    since = _since(session, ids)
    searched = services_of_cases(session, ids)
    in_views: dict[int, set[int]] = {}
    for view_id, where in (views or {}).items():
        for case_id in listing.fitting(session, where, ids):
            in_views.setdefault(case_id, set()).add(view_id)
    return {
        case_id: CaseFacts(
            record,
            site_ids=frozenset(site_ids.get(case_id, ())),
            time_zone=zones.get(case_id),
            view_ids=frozenset(in_views.get(case_id, ())),
            since=since.get(case_id),
            search_services=searched.get(case_id, ()),
        )
        for case_id, record in records.items()
    }


def _zones(session: Session, ids: list[int]) -> dict[int, str]:
    rows = session.execute(
        select(Case.id, Site.time_zone)
        .join(Page, Page.id == Case.our_page_id)
        .join(Site, Site.id == Page.site_id)
        .where(Case.id.in_(ids))
    )
    return dict(rows.all())


def _since(session: Session, ids: list[int]) -> dict[int, datetime]:
    """When the first page of the copier appeared: its own date, else when it was first seen."""
    appeared = func.min(func.coalesce(PageVersion.published_at, Page.first_seen_at))
    rows = session.execute(
        select(CasePage.case_id, appeared)
        .join(Page, Page.id == CasePage.their_page_id)
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.text_id == CasePage.their_text_id))
        .where(CasePage.case_id.in_(ids))
        .group_by(CasePage.case_id)
    )
    return dict(rows.all())


def _sites(session: Session, ids: list[int]) -> dict[int, set[int]]:
    ours = select(Case.id, Page.site_id).join(Page, Page.id == Case.our_page_id).where(Case.id.in_(ids))
    theirs = (
        select(CasePage.case_id, Page.site_id)
        .join(Page, Page.id == CasePage.their_page_id)
        .where(CasePage.case_id.in_(ids))
    )
    found: dict[int, set[int]] = {}
    for case_id, site_id in session.execute(union(ours, theirs)):
        if site_id is not None:
            found.setdefault(case_id, set()).add(site_id)
    return found
