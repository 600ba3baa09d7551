"""Pages of cases to capture: both sides of a new case, and the copies of confirmed cases again and again.

And the state of each copy after its captures.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, delete, exists, or_, select, union_all
from sqlalchemy.orm import Session

from storage.jobs import queue
from storage.models.cases import Case, CasePage
from storage.models.frontier import PageEventRow
from storage.models.operation import CaseCapture
from storage.models.pages import Page
from storage.postgres.rows import columns_of, record_of, records_of
from storage.postgres.writes import upsert
from storage.records.case_states import OPEN_STATES
from storage.records.copy_states import RECHECKS_APART, CopyStanding, after_recheck
from storage.takedowns import capture_retries, case_takedowns
from storage.takedowns.case_takedowns import WATCHED
from storage.types import CopyState, Sight


@dataclass(frozen=True, slots=True)
class PageToCapture:
    """A page of a case to capture."""

    case_id: int
    page_id: int
    url: str


@dataclass(frozen=True, slots=True)
class Capture:
    """The last capture of a page for a case. `refusal`: why it found no article."""

    page_id: int
    at: datetime
    entry: int
    refusal: str | None
    state: CopyState


@dataclass(frozen=True, slots=True)
class Copy:
    """A page in a case. `our_text_id` and `their_text_id` share passages; both are None for our own page."""

    case_id: int
    our_text_id: int | None = None
    their_text_id: int | None = None


def pending(session: Session, *, limit: int) -> list[PageToCapture]:
    """Pages of open cases without a capture, newest cases first, by case."""
    both = union_all(_our_pages(Case.state.in_(OPEN_STATES)), _their_pages(Case.state.in_(OPEN_STATES))).subquery()
    missing = ~exists().where(CaseCapture.case_id == both.c.case_id, CaseCapture.page_id == both.c.page_id)
    rows = session.execute(
        select(*columns_of(PageToCapture, both, Page))
        .join(Page, Page.id == both.c.page_id)
        .where(missing)
        .order_by(both.c.case_id.desc(), both.c.page_id)
        .limit(limit)
    )
    return records_of(PageToCapture, rows)


def of_page(session: Session, page_id: int, *, limit: int) -> list[PageToCapture]:
    """A page with each open case that it belongs to, on either side, newest cases first."""
    is_open = Case.state.in_(OPEN_STATES)
    both = union_all(
        _our_pages(is_open & (Case.our_page_id == page_id)), _their_pages(is_open & (CasePage.their_page_id == page_id))
    ).subquery()
    rows = session.execute(
        select(*columns_of(PageToCapture, both, Page))
        .join(Page, Page.id == both.c.page_id)
        .order_by(both.c.case_id.desc())
        .limit(limit)
    )
    return records_of(PageToCapture, rows)


def due_for_retry(session: Session, now: datetime, *, limit: int) -> list[PageToCapture]:
    """Pages of open and watched cases whose capture, or record in a browser, failed and whose pause is over, longest
    waiting first.
    """
    rows = session.execute(
        select(*columns_of(PageToCapture, CaseCapture, Page))
        .join(Case, Case.id == CaseCapture.case_id)
        .join(Page, Page.id == CaseCapture.page_id)
        .where(CaseCapture.next_at <= now, Case.state.in_(OPEN_STATES | WATCHED))
        .order_by(CaseCapture.next_at)
        .limit(limit)
    )
    return records_of(PageToCapture, rows)


def due_for_recheck(session: Session, before: datetime, *, limit: int) -> list[PageToCapture]:
    """Copies of confirmed cases whose last capture is before `before`, oldest first."""
    return _watched(session, CaseCapture.at < before, limit=limit)


def to_confirm(session: Session, now: datetime, *, limit: int) -> list[PageToCapture]:
    """Copies of confirmed cases found missing once, long enough ago for the second recheck."""
    is_missing = CaseCapture.state == CopyState.MISSING
    return _watched(session, is_missing & (CaseCapture.at <= now - RECHECKS_APART), limit=limit)


def changed_since(session: Session, *, limit: int) -> list[PageToCapture]:
    """Copies of confirmed cases that a crawl found gone or back after their last capture."""
    later = exists().where(PageEventRow.page_id == CaseCapture.page_id, PageEventRow.at > CaseCapture.at)
    return _watched(session, later, limit=limit)


def _watched(session: Session, wanted: ColumnElement[bool], *, limit: int) -> list[PageToCapture]:
    rows = session.execute(
        select(*columns_of(PageToCapture, CaseCapture, Page))
        .join(Case, Case.id == CaseCapture.case_id)
        .join(CasePage, (CasePage.case_id == Case.id) & (CasePage.their_page_id == CaseCapture.page_id))
        .join(Page, Page.id == CaseCapture.page_id)
        .where(Case.state.in_(WATCHED), wanted)
        .order_by(CaseCapture.at)
        .limit(limit)
    )
    return records_of(PageToCapture, rows)


def copies_on(session: Session, asked: PageToCapture) -> list[Copy]:
    """All cases that one capture of the page concerns: the one asked for, and others with an earlier capture of it.

    Locks the page: pages are locked before cases, by crawls as well.
    """
    session.execute(select(Page.id).where(Page.id == asked.page_id).with_for_update(key_share=True))
    theirs = session.execute(
        select(*columns_of(Copy, CasePage))
        .outerjoin(
            CaseCapture, (CaseCapture.case_id == CasePage.case_id) & (CaseCapture.page_id == CasePage.their_page_id)
        )
        .where(
            CasePage.their_page_id == asked.page_id,
            or_(CasePage.case_id == asked.case_id, CaseCapture.case_id.is_not(None)),
        )
        .order_by(CasePage.case_id)
    )
    return records_of(Copy, theirs) or [Copy(asked.case_id)]


def record(
    session: Session, case_id: int, page_id: int, *, at: datetime, entry: int, refusal: str | None, sight: Sight
) -> CopyStanding:
    """Records one recheck of a page of a case, with its history. Returns the new state of the copy."""
    session.execute(select(Case.id).where(Case.id == case_id).with_for_update(key_share=True))
    row = session.get(CaseCapture, (case_id, page_id), with_for_update=True, populate_existing=True)
    before = None if row is None else record_of(CopyStanding, row)
    after = after_recheck(before, sight, at)
    retry = capture_retries.retry_of(session, row, at=at, entry=entry, refusal=refusal)
    if retry.is_last:
        capture_retries.report_failure(session, case_id, page_id, refusal or "")
    again = {"attempts": retry.attempts, "next_at": retry.next_at}
    values = {"at": at, "entry": entry, "refusal": refusal, **asdict(after), **again}
    upsert(session, CaseCapture, {"case_id": case_id, "page_id": page_id}, values)
    case_takedowns.record_recheck(
        session, case_id, page_id, None if before is None else before.state, after.state, entry=entry
    )
    return after


def ask_again(session: Session, case_ids: Collection[int]) -> int:
    """Forgets failed captures and failed records of these cases, so that they are tried again; the evidence chain keeps
    them. Returns how many pages.
    """
    failed = CaseCapture.case_id.in_(list(case_ids)) & CaseCapture.refusal.is_not(None)
    gone = len(session.scalars(delete(CaseCapture).where(failed).returning(CaseCapture.page_id)).all())
    return gone + capture_retries.ask_again(session, case_ids, at=queue.database_time(session))


def recent(session: Session, page_id: int, since: datetime) -> Capture | None:
    """A capture of the page since `since` that another case may reuse: no crawl has contradicted it."""
    later = exists().where(PageEventRow.page_id == CaseCapture.page_id, PageEventRow.at > CaseCapture.at)
    row = session.execute(
        select(CaseCapture)
        .where(CaseCapture.page_id == page_id, CaseCapture.at >= since, ~later)
        .order_by(CaseCapture.at.desc())
        .limit(1)
    ).scalar_one_or_none()
    return None if row is None else record_of(Capture, row)


def _our_pages(where: ColumnElement[bool]) -> Select[int, int]:
    return select(Case.id.label("case_id"), Case.our_page_id.label("page_id")).where(where)


def _their_pages(where: ColumnElement[bool]) -> Select[int, int]:
    of_case = CasePage.gone_at.is_(None)
    return (
        select(CasePage.case_id, CasePage.their_page_id).join(Case, Case.id == CasePage.case_id).where(where, of_case)
    )
