"""Which pages of cases are to be captured: both sides of one that has just been opened; again, those confirmed."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, delete, exists, select, union_all
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.case_states import OPEN_STATES
from storage.case_watch import WATCHED
from storage.models.cases import Case, CasePage
from storage.models.frontier import PageEventRow
from storage.models.operation import CaseCapture
from storage.models.pages import Page


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of a case that is to be captured."""

    case_id: int
    page_id: int
    url: str


@dataclass(frozen=True, slots=True)
class Capture:
    """The last capture of a page for a case. `refusal`: why there was no page."""

    page_id: int
    at: datetime
    entry: int
    refusal: str | None


def pending(session: Session, *, limit: int) -> list[Asked]:
    """Pages of open cases that were not captured for them, those of the newest cases first; a case's own together."""
    both = union_all(_our_pages(Case.state.in_(OPEN_STATES)), _their_pages(Case.state.in_(OPEN_STATES))).subquery()
    missing = ~exists().where(CaseCapture.case_id == both.c.case_id, CaseCapture.page_id == both.c.page_id)
    rows = session.execute(
        select(both.c.case_id, both.c.page_id, Page.url)
        .join(Page, Page.id == both.c.page_id)
        .where(missing)
        .order_by(both.c.case_id.desc(), both.c.page_id)
        .limit(limit)
    )
    return [Asked(*row) for row in rows]


def to_look_at_again(session: Session, before: datetime, *, limit: int) -> list[Asked]:
    """Their pages of confirmed cases whose last capture is older, the oldest first."""
    return _watched(session, CaseCapture.at < before, limit=limit)


def changed_since(session: Session, *, limit: int) -> list[Asked]:
    """Their pages of confirmed cases that a crawl found gone, or there again, after their last capture."""
    later = exists().where(PageEventRow.page_id == CaseCapture.page_id, PageEventRow.at > CaseCapture.at)
    return _watched(session, later, limit=limit)


def _watched(session: Session, wanted: ColumnElement[bool], *, limit: int) -> list[Asked]:
    rows = session.execute(
        select(CaseCapture.case_id, CaseCapture.page_id, Page.url)
        .join(Case, Case.id == CaseCapture.case_id)
        .join(CasePage, (CasePage.case_id == Case.id) & (CasePage.their_page_id == CaseCapture.page_id))
        .join(Page, Page.id == CaseCapture.page_id)
        .where(Case.state.in_(WATCHED), wanted)
        .order_by(CaseCapture.at)
        .limit(limit)
    )
    return [Asked(*row) for row in rows]


def record(session: Session, case_id: int, page_id: int, *, at: datetime, entry: int, refusal: str | None) -> None:
    values = {"at": at, "entry": entry, "refusal": refusal}
    statement = insert(CaseCapture).values(case_id=case_id, page_id=page_id, **values)
    session.execute(
        statement.on_conflict_do_update(index_elements=[CaseCapture.case_id, CaseCapture.page_id], set_=values)
    )


def ask_again(session: Session, case_ids: Collection[int]) -> int:
    """Forgets that pages of these cases could not be captured, so that they are asked for again; the chain of evidence
    keeps it. Returns how many pages.
    """
    failed = CaseCapture.case_id.in_(list(case_ids)) & CaseCapture.refusal.is_not(None)
    return len(session.scalars(delete(CaseCapture).where(failed).returning(CaseCapture.page_id)).all())


def recent(session: Session, page_id: int, since: datetime) -> Capture | None:
    """A capture of the page that is so new that another case may refer to it."""
    row = session.execute(
        select(CaseCapture)
        .where(CaseCapture.page_id == page_id, CaseCapture.at >= since)
        .order_by(CaseCapture.at.desc())
        .limit(1)
    ).scalar_one_or_none()
    return None if row is None else Capture(row.page_id, row.at, row.entry, row.refusal)


def captures_of_case(session: Session, case_id: int) -> list[Capture]:
    found = session.scalars(select(CaseCapture).where(CaseCapture.case_id == case_id).order_by(CaseCapture.page_id))
    return [Capture(row.page_id, row.at, row.entry, row.refusal) for row in found]


def _our_pages(where: ColumnElement[bool]) -> Select[int, int]:
    return select(Case.id.label("case_id"), Case.our_page_id.label("page_id")).where(where)


def _their_pages(where: ColumnElement[bool]) -> Select[int, int]:
    of_case = CasePage.gone_at.is_(None)
    return (
        select(CasePage.case_id, CasePage.their_page_id).join(Case, Case.id == CasePage.case_id).where(where, of_case)
    )
