"""Open cases grouped by the page that they are about: one page may hold something of many articles of ours."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from storage.cases.lists.filters import is_snoozed
from storage.cases.parties import name_behind
from storage.models.cases import Case, CasePage
from storage.models.pages import Page, PageVersion
from storage.models.sites import Owner, Site
from storage.postgres.rows import columns_of, records_of
from storage.records.case_states import WAITING_STATES
from storage.types import CaseQueue

COUNTED: Final = 5_000
"""Pages that are counted; nobody looks further."""


@dataclass(frozen=True, slots=True)
class PageOfCases:
    """A page of a copier with undecided cases. `cases`: how many, and so of how many articles of ours it has some."""

    page_id: int
    url: str
    title: str
    site: str | None
    copier: str
    cases: int
    chars: int
    """Of the largest copy among them."""


def pages_with_cases(session: Session, *, least: int = 1, limit: int, offset: int = 0) -> list[PageOfCases]:
    """Pages with undecided copies of ours, those with most cases first. `least`: cases of a page."""
    grouped = (
        select(
            CasePage.their_page_id.label("page_id"),
            func.count().label("cases"),
            func.max(CasePage.chars).label("chars"),
            func.min(Case.other_key).label("other_key"),
            func.min(Case.other_owner_id).label("owner_id"),
        )
        .join(Case, Case.id == CasePage.case_id)
        .where(*_waiting())
        .group_by(CasePage.their_page_id)
        .having(func.count() >= least)
        .order_by(func.count().desc(), func.max(CasePage.chars).desc(), CasePage.their_page_id)
        .limit(limit)
        .offset(offset)
        .subquery()
    )
    columns = columns_of(
        PageOfCases, grouped, Page, title=func.coalesce(PageVersion.title, ""), site=Site.name,
        copier=name_behind(Owner.name, grouped.c.other_key),
    )  # fmt: skip
    rows = session.execute(
        select(*columns)
        .join(Page, Page.id == grouped.c.page_id)
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .outerjoin(Site, Site.id == Page.site_id)
        .outerjoin(Owner, Owner.id == grouped.c.owner_id)
        .order_by(grouped.c.cases.desc(), grouped.c.chars.desc(), grouped.c.page_id)
    )
    return records_of(PageOfCases, rows)


def count_pages(session: Session, *, least: int = 1) -> int:
    """How many such pages there are, counted up to COUNTED."""
    pages = (
        select(CasePage.their_page_id)
        .join(Case, Case.id == CasePage.case_id)
        .where(*_waiting())
        .group_by(CasePage.their_page_id)
        .having(func.count() >= least)
        .limit(COUNTED)
        .subquery()
    )
    return session.scalar(select(func.count()).select_from(pages)) or 0


def cases_of_pages(session: Session, page_ids: Collection[int], *, per_page: int) -> dict[int, list[int]]:
    """By page, the ids of its undecided cases, the largest copy first, at most `per_page` each."""
    rank = func.row_number().over(
        partition_by=CasePage.their_page_id, order_by=(CasePage.chars.desc(), CasePage.case_id)
    )
    ranked = (
        select(CasePage.their_page_id, CasePage.case_id, rank.label("rank"))
        .join(Case, Case.id == CasePage.case_id)
        .where(*_waiting(), CasePage.their_page_id.in_(list(page_ids)))
        .subquery()
    )
    found: dict[int, list[int]] = {}
    wanted = select(ranked).where(ranked.c.rank <= per_page).order_by(ranked.c.their_page_id, ranked.c.rank)
    for row in session.execute(wanted):
        found.setdefault(row.their_page_id, []).append(row.case_id)
    return found


def _waiting() -> tuple[ColumnElement[bool], ...]:
    return (Case.state.in_(WAITING_STATES), Case.queue == CaseQueue.COPIED, CasePage.gone_at.is_(None), ~is_snoozed())
