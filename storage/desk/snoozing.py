"""Cases that people put off until a moment: out of the lists of what is to decide, and back by themselves."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from storage.cases.findings import record_event
from storage.models.cases import Case
from storage.records.case_states import WAITING_STATES
from storage.records.cases import Actor
from storage.types import CaseEventKind

UNTIL: Final = "until"
"""The detail of the event; None: taken up again."""


def snooze(session: Session, case_ids: Collection[int], until: datetime | None, *, actor: Actor) -> list[int]:
    """Puts undecided cases off until a moment, or takes them up again (None). Returns the ids of those it changed.

    Decided cases, and cases that are not there, are left alone. Nothing wakes a case: its lists compare the moment.
    """
    waiting = select(Case.id).where(Case.id.in_(list(case_ids)), Case.state.in_(WAITING_STATES)).order_by(Case.id)
    known = session.scalars(waiting.with_for_update(key_share=True)).all()
    values = {"snoozed_until": until, "touched": True}
    changed = update(Case).where(Case.id.in_(known), Case.snoozed_until.is_distinct_from(until)).values(**values)
    found = sorted(session.scalars(changed.returning(Case.id)))
    details = {UNTIL: None if until is None else until.isoformat()}
    for case_id in found:
        record_event(session, case_id, CaseEventKind.SNOOZED, actor=actor, details=details)
    return found
