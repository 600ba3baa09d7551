"""Copies of confirmed cases that were removed or came back: recorded in their cases, with alerts.

A page that a crawl finds gone is rechecked with evidence before its case says that the copy is removed. That a copy is
back is believed at once.
"""

from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from storage.cases.findings import record_event, set_state
from storage.jobs import alert_events, queue
from storage.models.cases import Case, CasePage
from storage.models.operation import CaseCapture
from storage.records.alerts import AlertKind
from storage.records.case_states import BY_PROGRAM
from storage.records.crawl import PageEventKind
from storage.types import CaseEventKind, CaseState, CopyState

WATCHED: Final = frozenset({CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REMOVED, CaseState.REAPPEARED})
"""States of cases whose copies are rechecked regularly: until they are removed, and in case they come back."""

_UNREMARKABLE: Final = frozenset({None, CopyState.THERE, CopyState.UNREADABLE})
"""Changes between these are not recorded."""


def note(session: Session, page_id: int, kind: PageEventKind) -> None:
    """Handles a page that a crawl found gone or back: asks for a capture if a watched case has a copy on it.

    A case in state removed is reopened when a copy is back.
    """
    rows = session.execute(
        select(Case.id, Case.state, CaseCapture.state)
        .join(CasePage, CasePage.case_id == Case.id)
        .outerjoin(CaseCapture, (CaseCapture.case_id == Case.id) & (CaseCapture.page_id == CasePage.their_page_id))
        .where(CasePage.their_page_id == page_id, CasePage.gone_at.is_(None), Case.state.in_(WATCHED))
        .order_by(Case.id)
        .with_for_update(of=Case, key_share=True)
    ).all()
    for case_id, state, copy_state in rows:
        was_removed = copy_state is CopyState.REMOVED or state is CaseState.REMOVED
        if kind is PageEventKind.BACK and was_removed:
            _is_back(session, case_id, state, page_id, entry=None)
            _forget_removal(session, case_id, page_id)
    if rows:
        queue.defer_once(session, queue.CHECK_CASE_PAGES)


def record_recheck(
    session: Session, case_id: int, page_id: int, before: CopyState | None, after: CopyState, *, entry: int
) -> None:
    """Handles one recheck of a page of a case; `entry` is the number of its evidence entry.

    A change in a watched case goes into the case's history. A copy that is removed or back raises an alert.
    """
    state = session.scalar(
        select(Case.state)
        .join(CasePage, CasePage.case_id == Case.id)
        .where(Case.id == case_id, CasePage.their_page_id == page_id, Case.state.in_(WATCHED))
        .with_for_update(of=Case, key_share=True)
    )
    if state is None:
        return
    if after is CopyState.THERE and (before is CopyState.REMOVED or state is CaseState.REMOVED):
        _is_back(session, case_id, state, page_id, entry=entry)
    elif after is CopyState.REMOVED and before is not after:
        record_event(session, case_id, CaseEventKind.PAGE_GONE, details=_details(page_id, entry))
        alert_events.raise_page_event(session, AlertKind.COPY_REMOVED, case_id, page_id)
    elif before is not after and not {before, after} <= _UNREMARKABLE:
        details = _details(page_id, entry) | {"copy": after.value}
        record_event(session, case_id, CaseEventKind.PAGE_LOOKED, details=details)


def _is_back(session: Session, case_id: int, state: CaseState, page_id: int, *, entry: int | None) -> None:
    record_event(session, case_id, CaseEventKind.PAGE_BACK, details=_details(page_id, entry))
    if CaseState.REAPPEARED in BY_PROGRAM.get(state, frozenset()):
        set_state(session, case_id, before=state, after=CaseState.REAPPEARED)
    alert_events.raise_page_event(session, AlertKind.COPY_REAPPEARED, case_id, page_id)


def _forget_removal(session: Session, case_id: int, page_id: int) -> None:
    """Sets the copy to present, so that the capture that follows finds no change."""
    here = (CaseCapture.case_id == case_id, CaseCapture.page_id == page_id, CaseCapture.state == CopyState.REMOVED)
    session.execute(
        update(CaseCapture)
        .where(*here)
        .values(state=CopyState.THERE, since=queue.database_time(session), missing_since=None)
    )


def _details(page_id: int, entry: int | None) -> dict[str, object]:
    details: dict[str, object] = {"page_id": page_id}
    return details if entry is None else details | {"entry": entry}
