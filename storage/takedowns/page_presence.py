"""Pages that disappeared and came back: the record of when a copy was removed or restored."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from storage.models.frontier import PageEventRow
from storage.models.pages import Page
from storage.postgres.rows import columns_of, records_of
from storage.records.crawl import PageEvent, PageEventKind
from storage.takedowns import case_takedowns


def record_gone(session: Session, url: str, at: datetime, *, reason: str, is_captured: bool = False) -> bool:
    """Records that the page is gone. Returns whether that is new. `is_captured`: by a capture, which updates the cases
    itself.
    """
    found = update(Page).where(Page.url == url, Page.gone_at.is_(None)).values(gone_at=at).returning(Page.id)
    return _record(session, session.scalar(found), PageEventKind.GONE, at, reason, is_captured=is_captured)


def record_seen(session: Session, url: str, at: datetime, *, is_captured: bool = False) -> bool:
    """Records that the page is present. Returns whether it had been gone. Call before saving a new text, which clears
    `gone_at`.
    """
    found = update(Page).where(Page.url == url, Page.gone_at.is_not(None)).values(gone_at=None).returning(Page.id)
    return _record(session, session.scalar(found), PageEventKind.BACK, at, "", is_captured=is_captured)


def record_all_seen(session: Session, seen: Mapping[str, datetime]) -> frozenset[str]:
    """The same for many pages, by URL; returns those that had been gone. They are few: one statement finds them."""
    gone = select(Page.url).where(Page.url.in_(list(seen)), Page.gone_at.is_not(None)).order_by(Page.url)
    return frozenset(url for url in session.scalars(gone).all() if record_seen(session, url, seen[url]))


def events_of_page(session: Session, url: str) -> list[PageEvent]:
    """When the page disappeared and came back, oldest first."""
    statement = select(*columns_of(PageEvent, PageEventRow, url=Page.url)).join(Page, Page.id == PageEventRow.page_id)
    rows = session.execute(statement.where(Page.url == url).order_by(PageEventRow.at, PageEventRow.id))
    return records_of(PageEvent, rows)


def _record(
    session: Session, page_id: int | None, kind: PageEventKind, at: datetime, reason: str, *, is_captured: bool
) -> bool:
    if page_id is None:
        return False
    session.execute(insert(PageEventRow).values(page_id=page_id, kind=kind, at=at, reason=reason))
    if not is_captured:
        case_takedowns.note(session, page_id, kind)
    return True
