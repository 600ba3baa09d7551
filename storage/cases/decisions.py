"""Decisions in force on cases: moves by a person, to a state or a list, that were not undone."""

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Final

from sqlalchemy import ColumnElement, String, cast, exists, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session, aliased

from storage.models.cases import CaseEvent
from storage.postgres.rows import record_of
from storage.records.cases import CaseEventRecord
from storage.types import CaseEventKind, CaseQueue

DECISIONS: Final = (CaseEventKind.MOVED, CaseEventKind.QUEUED)
"""What a person decides of a case, and may undo: its state, and its list."""
QUEUE, QUEUE_BEFORE = "queue", "queue_before"
"""The details of a move to another list: where to; and where from, if from the list of agency stories."""
TOGETHER: Final = "together"
"""The event detail shared by decisions that were taken at once."""
_LOOKED_AT: Final = 50
"""Decisions of a person that are searched for one that can still be undone."""


@cache
def is_undone() -> ColumnElement[bool]:
    """Whether the event of the query was undone."""
    undoing = aliased(CaseEvent)
    return exists().where(
        undoing.case_id == CaseEvent.case_id,
        undoing.kind == CaseEventKind.UNDONE,
        undoing.details["event"].as_string() == cast(CaseEvent.id, String),
    )


def last_decisions(session: Session, case_ids: Collection[int]) -> dict[int, CaseEventRecord]:
    """By case, the decision that can be undone next: its last move, to a state or a list, that is not undone, if a
    person made it.
    """
    rows = session.scalars(
        select(CaseEvent)
        .ext(distinct_on(CaseEvent.case_id))
        .where(CaseEvent.case_id.in_(list(case_ids)), CaseEvent.kind.in_(DECISIONS), ~is_undone())
        .order_by(CaseEvent.case_id, CaseEvent.id.desc())
    )
    return {row.case_id: record_of(CaseEventRecord, row) for row in rows if row.actor}


def last_undone(session: Session, case_ids: Collection[int], actor: str) -> dict[int, CaseEventRecord]:
    """By case, the decision that `actor` has undone, where the undoing is the last event of the case."""
    if not case_ids:
        return {}
    newest = (
        select(CaseEvent.kind, CaseEvent.actor, CaseEvent.details["event"].as_integer().label("event"))
        .ext(distinct_on(CaseEvent.case_id))
        .where(CaseEvent.case_id.in_(list(case_ids)))
        .order_by(CaseEvent.case_id, CaseEvent.id.desc())
        .subquery()
    )
    is_undoing = (newest.c.kind == CaseEventKind.UNDONE) & (newest.c.actor == actor)
    rows = session.scalars(select(CaseEvent).join(newest, newest.c.event == CaseEvent.id).where(is_undoing))
    return {row.case_id: record_of(CaseEventRecord, row) for row in rows}


def queue_before(event: CaseEventRecord) -> CaseQueue:
    """The list that a case was in before this move to another one."""
    stated = event.details.get(QUEUE_BEFORE)
    if stated is not None:
        return CaseQueue(str(stated))
    is_ours = event.details.get(QUEUE) == CaseQueue.COPIED.value
    return CaseQueue.WE_MAY_BE_COPIER if is_ours else CaseQueue.COPIED


def latest_of(session: Session, account_id: int, since: datetime) -> list[int]:
    """The cases of this person's last decision since `since` that can be undone, with all that were decided at once."""
    newest = session.scalars(
        select(CaseEvent)
        .where(CaseEvent.kind.in_(DECISIONS), CaseEvent.at >= since, CaseEvent.actor_id == account_id)
        .where(~is_undone())
        .order_by(CaseEvent.at.desc(), CaseEvent.id.desc())
        .limit(_LOOKED_AT)
    ).all()
    last = last_decisions(session, {event.case_id for event in newest})
    open_ones = (event for event in newest if event.case_id in last and last[event.case_id].id == event.id)
    latest = next(open_ones, None)
    if latest is None:
        return []
    token = latest.details.get(TOGETHER)
    return [latest.case_id] if token is None else decided_with(session, account_id, since, str(token))


def decided_with(session: Session, account_id: int, since: datetime, token: str, *, undone: bool = False) -> list[int]:
    """The cases that this person has decided at once since `since`, by the token of the decision: those that were not
    undone since, or those that were.
    """
    at_once = CaseEvent.details[TOGETHER].as_string() == token
    events = select(CaseEvent.case_id).where(CaseEvent.kind.in_(DECISIONS), CaseEvent.at >= since)
    found = events.where(CaseEvent.actor_id == account_id, at_once, is_undone() if undone else ~is_undone())
    return list(session.scalars(found.order_by(CaseEvent.case_id)))
