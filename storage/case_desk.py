"""What people do with cases: look, move, assign, note, set a deadline. Each act is written down with who did it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from storage.case_records import Actor, CaseEventRecord, CasePageRecord, CaseRecord
from storage.case_states import may_move
from storage.cases import record_event, set_state
from storage.errors import MoveNotAllowed, NotKnown
from storage.models.cases import Case, CaseEvent, CasePage
from storage.models.pages import Page
from storage.models.sites import Owner
from storage.pages import storable
from storage.types import CaseEventKind, CaseQueue, CaseState, LicenceTerm

NOTE_CHARS = 10_000


def get_case(session: Session, case_id: int) -> CaseRecord:
    """Raises NotKnown."""
    row = session.execute(_cases().where(Case.id == case_id)).one_or_none()
    if row is None:
        raise NotKnown("case", str(case_id))
    return CaseRecord(*row)


def list_cases(
    session: Session,
    *,
    states: Collection[CaseState] = (),
    queue: CaseQueue | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[CaseRecord]:
    """Cases, latest first; in one of `states` if any are named."""
    statement = _cases().order_by(Case.id.desc()).limit(limit).offset(offset)
    if states:
        statement = statement.where(Case.state.in_(states))
    if queue is not None:
        statement = statement.where(Case.queue == queue)
    return [CaseRecord(*row) for row in session.execute(statement)]


def pages_of_case(session: Session, case_id: int) -> list[CasePageRecord]:
    """Their pages, first found first; those that no longer hold a copy among them."""
    rows = session.execute(
        select(CasePage, Page.url)
        .join(Page, Page.id == CasePage.their_page_id)
        .where(CasePage.case_id == case_id)
        .order_by(CasePage.id)
    )
    return [
        CasePageRecord(
            their_page_id=row.their_page_id,
            their_url=url,
            our_text_id=row.our_text_id,
            their_text_id=row.their_text_id,
            kind=row.kind,
            chars=row.chars,
            our_share=row.our_share,
            their_share=row.their_share,
            credit=row.credit,
            standing=row.standing,
            broken_terms=tuple(map(LicenceTerm, row.broken_terms)),
            licence_id=row.licence_id,
            found_at=row.found_at,
            gone_at=row.gone_at,
        )
        for row, url in rows
    ]


def history(session: Session, case_id: int) -> list[CaseEventRecord]:
    """What happened, in order."""
    rows = session.scalars(select(CaseEvent).where(CaseEvent.case_id == case_id).order_by(CaseEvent.id))
    return [
        CaseEventRecord(row.at, row.kind, row.actor, row.from_state, row.to_state, row.note, row.details)
        for row in rows
    ]


def move_case(
    session: Session, case_id: int, to: CaseState, *, expected: CaseState, actor: Actor, note: str = ""
) -> CaseRecord:
    """Moves a case from the state in which the person saw it.

    Raises NotKnown, and MoveNotAllowed: also where somebody else has moved it meanwhile.
    """
    found = _locked_state(session, case_id)
    if found is not expected or not may_move(found, to):
        raise MoveNotAllowed(case_id, found.value, to.value)
    set_state(session, case_id, before=found, after=to, actor=actor, note=_bounded(note))
    return get_case(session, case_id)


def assign_case(session: Session, case_id: int, assignee: Actor | None, *, actor: Actor) -> CaseRecord:
    """Gives a case to somebody, or to nobody. Raises NotKnown."""
    _touch(session, case_id, assignee_id=None if assignee is None else assignee.account_id)
    details = {"assignee": None if assignee is None else assignee.name}
    record_event(session, case_id, CaseEventKind.ASSIGNED, actor=actor, details=details)
    return get_case(session, case_id)


def note_case(session: Session, case_id: int, notes: str, *, actor: Actor) -> CaseRecord:
    """Replaces the notes of a case; what they were is in its history. Raises NotKnown."""
    before = get_case(session, case_id).notes
    _touch(session, case_id, notes=_bounded(notes))
    record_event(session, case_id, CaseEventKind.NOTED, actor=actor, note=_bounded(notes), details={"before": before})
    return get_case(session, case_id)


def set_deadline(session: Session, case_id: int, deadline: datetime | None, *, actor: Actor) -> CaseRecord:
    """Until when something has to happen. Raises NotKnown."""
    _touch(session, case_id, deadline=deadline)
    details = {"deadline": None if deadline is None else deadline.isoformat()}
    record_event(session, case_id, CaseEventKind.DEADLINE, actor=actor, details=details)
    return get_case(session, case_id)


def _locked_state(session: Session, case_id: int) -> CaseState:
    found = session.scalar(select(Case.state).where(Case.id == case_id).with_for_update(key_share=True))
    if found is None:
        raise NotKnown("case", str(case_id))
    return found


def _touch(session: Session, case_id: int, **values: Any) -> None:
    _locked_state(session, case_id)
    session.execute(update(Case).where(Case.id == case_id).values(**values, touched=True, changed_at=func.now()))


def _bounded(note: str) -> str:
    return storable(note[:NOTE_CHARS])


def _cases() -> Select[*tuple[Any, ...]]:
    live = (
        select(
            CasePage.case_id.label("case_id"),
            func.count().label("pages"),
            func.max(CasePage.chars).label("chars"),
        )
        .where(CasePage.gone_at.is_(None))
        .group_by(CasePage.case_id)
        .subquery()
    )
    name = func.coalesce(Owner.name, func.substr(Case.other_key, len("host:") + 1))
    return (
        select(Case.id, Case.our_page_id, Page.url, Case.other_key, Case.other_owner_id, name, Case.queue, Case.state,
               Case.touched, Case.assignee_id, Case.deadline, Case.notes, Case.opened_at, Case.changed_at,
               func.coalesce(live.c.pages, 0), func.coalesce(live.c.chars, 0))
        .join(Page, Page.id == Case.our_page_id)
        .outerjoin(Owner, Owner.id == Case.other_owner_id)
        .outerjoin(live, live.c.case_id == Case.id)
    )  # fmt: skip
