"""The notice of a letter that was taken back, at a case that had been notified before it."""

from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from storage.cases.actions import DEADLINE_BEFORE, LETTER
from storage.cases.decisions import is_undone
from storage.cases.findings import record_event
from storage.models.cases import Case, CaseEvent, CaseNotice
from storage.records.cases import Actor
from storage.types import CaseEventKind


def forget_notice(session: Session, case_id: int, letter_id: int, *, actor: Actor) -> bool:
    """Removes the notice of a letter that was taken back from a case that had been notified before; the event stays.

    Restores the former deadline unless it was set since. Returns whether there was such a notice.
    """
    session.execute(select(Case.id).where(Case.id == case_id).with_for_update(key_share=True))
    event = session.execute(
        select(CaseEvent.id, CaseEvent.details)
        .where(CaseEvent.case_id == case_id, CaseEvent.kind == CaseEventKind.NOTIFIED)
        .where(CaseEvent.details[LETTER].as_string() == str(letter_id))
        .order_by(CaseEvent.id.desc())
        .limit(1)
    ).one_or_none()
    of_letter = (CaseNotice.case_id == case_id, CaseNotice.letter_id == letter_id)
    gone = session.scalar(delete(CaseNotice).where(*of_letter).returning(CaseNotice.id))
    if event is None or gone is None:
        return False
    set_since = session.scalar(
        select(CaseEvent.id)
        .where(CaseEvent.case_id == case_id, CaseEvent.id > event.id)
        .where(CaseEvent.kind.in_((CaseEventKind.NOTIFIED, CaseEventKind.DEADLINE)))
        .limit(1)
    )
    before = event.details.get(DEADLINE_BEFORE)
    kept = {} if set_since else {Case.deadline.key: None if before is None else datetime.fromisoformat(before)}
    session.execute(update(Case).where(Case.id == case_id).values(**kept, touched=True, changed_at=func.now()))
    record_event(session, case_id, CaseEventKind.UNDONE, actor=actor, details={"event": event.id, LETTER: letter_id})
    return True


def was_moved(session: Session, case_id: int, letter_id: int) -> bool:
    """Whether the letter moved the case to notified; if not, it was there already."""
    moved = select(CaseEvent.id).where(CaseEvent.case_id == case_id, CaseEvent.kind == CaseEventKind.MOVED)
    return session.scalar(moved.where(CaseEvent.details[LETTER].as_string() == str(letter_id)).limit(1)) is not None


def is_undone_with_letter(session: Session, case_id: int, event_id: int) -> bool:
    """Whether this move was made by a letter, and undone with it."""
    move = select(CaseEvent.id).where(CaseEvent.id == event_id, CaseEvent.case_id == case_id)
    return session.scalar(move.where(CaseEvent.details.has_key(LETTER), is_undone())) is not None
