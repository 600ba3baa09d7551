"""Copies of confirmed cases that went and came back: written down in their cases, and told to whoever asked for it."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage import alerts, jobs
from storage.alert_records import AlertKind
from storage.case_states import BY_PROGRAM
from storage.cases import record_event, set_state
from storage.crawling import PageEventKind
from storage.models.cases import Case, CasePage
from storage.types import CaseEventKind, CaseState

WATCHED: Final = frozenset({CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REMOVED, CaseState.REAPPEARED})
"""Cases whose copies are looked at again and again: until they are gone, and whether they come back."""

_EVENTS: Final = {
    PageEventKind.GONE: (CaseEventKind.PAGE_GONE, AlertKind.COPY_REMOVED),
    PageEventKind.BACK: (CaseEventKind.PAGE_BACK, AlertKind.COPY_REAPPEARED),
}


def note(session: Session, page_id: int, kind: PageEventKind, *, entry: int | None) -> None:
    """The page went or came back: so the history of each watched case that it is a copy in says, with the evidence.

    A case that rests as taken down is open again when a copy of it is back. `entry` numbers the evidence; where a
    crawl noticed and there is none, a capture is asked for.
    """
    rows = session.execute(
        select(Case.id, Case.state)
        .join(CasePage, CasePage.case_id == Case.id)
        .where(CasePage.their_page_id == page_id, CasePage.gone_at.is_(None), Case.state.in_(WATCHED))
        .order_by(Case.id)
        .with_for_update(of=Case, key_share=True)
    ).all()
    event, alert = _EVENTS[kind]
    for case_id, state in rows:
        details = {"page_id": page_id} | ({} if entry is None else {"entry": entry})
        record_event(session, case_id, event, details=details)
        if kind is PageEventKind.BACK and CaseState.REAPPEARED in BY_PROGRAM.get(state, frozenset()):
            set_state(session, case_id, before=state, after=CaseState.REAPPEARED)
        alerts.raise_page_event(session, alert, case_id, page_id)
    if rows and entry is None:
        jobs.defer_once(session, jobs.LOOK)
