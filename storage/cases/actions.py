"""Actions of people on cases: move, undo, assign, note, notify. Each is recorded as an event with its actor."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.cases import listing
from storage.cases.decisions import QUEUE, QUEUE_BEFORE, TOGETHER, last_decisions, queue_before
from storage.cases.findings import record_event, set_state
from storage.errors import ChangedMeanwhile, MoveNotAllowed, NothingToUndo, NotKnown
from storage.models.cases import Case, CaseEvent, CaseNotice
from storage.postgres.rows import records_of
from storage.postgres.text import storable
from storage.records.case_states import QUEUED_IN, may_move
from storage.records.cases import Actor, CaseEventRecord, CaseRecord, NoticeRecord
from storage.types import CaseEventKind, CaseQueue, CaseState, Dismissal, NoticeChannel

NOTE_CHARS = 10_000
RECIPIENT_CHARS = 400
SHOWN_EVENTS = 100
DEADLINE_BEFORE = "deadline_before"
"""The detail of a notice event that holds the former deadline, which undoing restores."""
LETTER = "letter"
"""The detail of moves and notices that names the letter that made them."""


@dataclass(frozen=True, slots=True)
class NewNotice:
    """A notice to the copier: recipient, channel, and the deadline for an answer."""

    recipient: str
    channel: NoticeChannel
    sent_at: datetime
    deadline: datetime | None = None
    letter_id: int | None = None
    """The stored letter, if there is one."""


def get_case(session: Session, case_id: int) -> CaseRecord:
    """Raises NotKnown."""
    found = listing.get_case(session, case_id)
    if found is None:
        raise NotKnown("case", str(case_id))
    return found


def history(session: Session, case_id: int, *, limit: int = SHOWN_EVENTS) -> list[CaseEventRecord]:
    """The last `limit` events of a case, oldest first."""
    newest = select(CaseEvent).where(CaseEvent.case_id == case_id).order_by(CaseEvent.id.desc()).limit(limit)
    return records_of(CaseEventRecord, session.scalars(newest))[::-1]


def notices(session: Session, case_id: int) -> list[NoticeRecord]:
    """In the order in which they were sent."""
    rows = session.scalars(select(CaseNotice).where(CaseNotice.case_id == case_id).order_by(CaseNotice.id))
    return records_of(NoticeRecord, rows)


def last_decision(session: Session, case_id: int) -> CaseEventRecord | None:
    """The decision that can be undone next: the last move not undone, if a person made it."""
    return last_decisions(session, [case_id]).get(case_id)


def move_case(
    session: Session,
    case_id: int,
    to: CaseState,
    *,
    expected: CaseState,
    actor: Actor,
    note: str = "",
    because: Dismissal | None = None,
    together: str | None = None,
    letter_id: int | None = None,
) -> None:
    """Moves a case to another state.

    `expected`: the state the person saw. `because`: the reason of a dismissal. `together`: a token shared by decisions
    taken at once. `letter_id`: the letter that moves it, with which alone the move is undone.

    Raises NotKnown, and MoveNotAllowed, also if the case was moved meanwhile.
    """
    found, queue = _locked(session, case_id)
    if found is not expected or not may_move(found, to, queue):
        raise MoveNotAllowed(case_id, found.value, to.value)
    reason = because if to is CaseState.DISMISSED else None
    details: dict[str, object] = {} if together is None else {TOGETHER: together}
    if letter_id is not None:
        details[LETTER] = letter_id
    set_state(
        session, case_id, before=found, after=to, actor=actor, note=_bounded(note), because=reason, details=details
    )


def requeue_case(
    session: Session,
    case_id: int,
    to: CaseQueue,
    *,
    expected: CaseState,
    actor: Actor,
    together: str | None = None,
) -> None:
    """Puts a case into another list, for good: a person has decided who was first, or whose text it is. `together`: as
    in `move_case`.

    Raises NotKnown, and MoveNotAllowed if it is there already, is decided, or was moved meanwhile.
    """
    state, queue = _locked(session, case_id)
    if state is not expected or state not in QUEUED_IN or queue is to:
        raise MoveNotAllowed(case_id, state.value, to.value)
    _touch(session, case_id, queue=to, snoozed_until=None)
    details = {QUEUE: to.value} | ({} if together is None else {TOGETHER: together})
    if queue in (CaseQueue.AGENCY, CaseQueue.SHARED_PASSAGE):
        details[QUEUE_BEFORE] = queue.value
    record_event(session, case_id, CaseEventKind.QUEUED, actor=actor, details=details)


def undo_decision(session: Session, case_id: int, event_id: int, *, actor: Actor) -> CaseState:
    """Undoes the last decision, as an event of its own. Returns the restored state.

    `event_id`: the decision the person saw. Raises NotKnown, and NothingToUndo if another action came after it.
    """
    state, queue = _locked(session, case_id)
    last = last_decision(session, case_id)
    if last is None or last.id != event_id:
        raise NothingToUndo(case_id)
    if last.kind is CaseEventKind.QUEUED:
        _undo_queue(session, case_id, last, queue, actor)
        return state
    if last.to_state is not state or last.from_state is None:
        raise NothingToUndo(case_id)
    before = session.scalar(
        select(CaseEvent.details["because"].astext)
        .where(CaseEvent.case_id == case_id, CaseEvent.to_state == last.from_state, CaseEvent.id < event_id)
        .order_by(CaseEvent.id.desc())
        .limit(1)
    )
    because = Dismissal(before) if before and last.from_state is CaseState.DISMISSED else None
    if last.to_state is CaseState.NOTIFIED:
        _forget_notices(session, case_id, since=event_id)
    details = {"event": event_id}
    undone = CaseEventKind.UNDONE
    set_state(
        session,
        case_id,
        before=state,
        after=last.from_state,
        actor=actor,
        because=because,
        kind=undone,
        details=details,
    )
    return last.from_state


def _undo_queue(session: Session, case_id: int, last: CaseEventRecord, queue: CaseQueue, actor: Actor) -> None:
    """Puts a case back into the list it was in."""
    if last.details.get(QUEUE) != queue.value:
        raise NothingToUndo(case_id)
    before = queue_before(last)
    _touch(session, case_id, queue=before)
    details = {"event": last.id, QUEUE: before.value}
    record_event(session, case_id, CaseEventKind.UNDONE, actor=actor, details=details)


def _forget_notices(session: Session, case_id: int, *, since: int) -> None:
    """Removes the notices recorded with a move to notified; their events stay in the history.

    Restores the former deadline unless a person has set another one since.
    """
    of_case = (CaseEvent.case_id == case_id, CaseEvent.id > since)
    events = session.execute(
        select(CaseEvent.kind, CaseEvent.details)
        .where(*of_case, CaseEvent.kind.in_((CaseEventKind.NOTIFIED, CaseEventKind.DEADLINE)))
        .order_by(CaseEvent.id)
    ).all()
    sent = [details for kind, details in events if kind is CaseEventKind.NOTIFIED]
    numbers = [details["notice"] for details in sent]
    session.execute(delete(CaseNotice).where(CaseNotice.case_id == case_id, CaseNotice.id.in_(numbers)))
    if sent and len(sent) == len(events):
        deadline = _deadline_before(session, case_id, since, sent[0])
        session.execute(update(Case).where(Case.id == case_id).values(deadline=deadline))


def _deadline_before(session: Session, case_id: int, since: int, notice: Mapping[str, Any]) -> datetime | None:
    """As the notice says. Notices of earlier versions do not: then the last deadline that was set before."""
    stated = notice.get(DEADLINE_BEFORE)
    if DEADLINE_BEFORE not in notice:
        stated = session.scalar(
            select(CaseEvent.details["deadline"].as_string())
            .where(CaseEvent.case_id == case_id, CaseEvent.kind == CaseEventKind.DEADLINE, CaseEvent.id < since)
            .order_by(CaseEvent.id.desc())
            .limit(1)
        )
    return None if stated is None else datetime.fromisoformat(stated)


def assign_case(session: Session, case_id: int, assignee: Actor | None, *, actor: Actor) -> None:
    """Assigns a case to a person, or to nobody. Raises NotKnown."""
    _touch(session, case_id, assignee_id=None if assignee is None else assignee.account_id)
    details = {"assignee": None if assignee is None else assignee.name}
    record_event(session, case_id, CaseEventKind.ASSIGNED, actor=actor, details=details)


def note_case(session: Session, case_id: int, notes: str, *, expected: str | None = None, actor: Actor) -> None:
    """Replaces the notes of a case; the former ones stay in its history.

    `expected`: the notes the person saw. Raises NotKnown, and ChangedMeanwhile if they differ from the present ones.
    """
    _locked_state(session, case_id)
    before = get_case(session, case_id).notes
    if expected is not None and _lines(expected) != _lines(before):
        raise ChangedMeanwhile(case_id)
    _touch(session, case_id, notes=_bounded(notes))
    record_event(session, case_id, CaseEventKind.NOTED, actor=actor, note=_bounded(notes), details={"before": before})


def set_deadline(session: Session, case_id: int, deadline: datetime | None, *, actor: Actor) -> None:
    """Sets or clears the deadline of a case. Raises NotKnown."""
    _touch(session, case_id, deadline=deadline)
    details = {"deadline": None if deadline is None else deadline.isoformat()}
    record_event(session, case_id, CaseEventKind.DEADLINE, actor=actor, details=details)


def notify_case(
    session: Session,
    case_id: int,
    notice: NewNotice,
    *,
    expected: CaseState,
    actor: Actor,
    together: str | None = None,
) -> None:
    """Records a notice to the copier and moves the case to notified, from the state `expected`. `together`: as in
    `move_case`.

    Raises NotKnown and MoveNotAllowed.
    """
    if expected is CaseState.NOTIFIED:
        found = _locked_state(session, case_id)
        if found is not expected:
            raise MoveNotAllowed(case_id, found.value, CaseState.NOTIFIED.value)
    else:
        to, letter_id = CaseState.NOTIFIED, notice.letter_id
        move_case(session, case_id, to, expected=expected, actor=actor, together=together, letter_id=letter_id)
    recipient = storable(notice.recipient[:RECIPIENT_CHARS])
    values = {
        "recipient": recipient,
        "channel": notice.channel,
        "sent_at": notice.sent_at,
        "letter_id": notice.letter_id,
    }
    before = session.scalar(select(Case.deadline).where(Case.id == case_id))
    notice_id = session.scalar(insert(CaseNotice).values(case_id=case_id, **values).returning(CaseNotice.id))
    _touch(session, case_id, deadline=notice.deadline)
    details = {
        "notice": notice_id,
        "recipient": recipient,
        "channel": notice.channel.value,
        "sent_at": notice.sent_at.isoformat(),
        "deadline": None if notice.deadline is None else notice.deadline.isoformat(),
        DEADLINE_BEFORE: None if before is None else before.isoformat(),
    }
    if notice.letter_id is not None:
        details[LETTER] = notice.letter_id
    record_event(session, case_id, CaseEventKind.NOTIFIED, actor=actor, details=details)


def record_reply(session: Session, case_id: int, notice_id: int, reply: str, at: datetime, *, actor: Actor) -> None:
    """Records the reply to a notice. Raises NotKnown."""
    _touch(session, case_id)
    of_case = (CaseNotice.id == notice_id, CaseNotice.case_id == case_id)
    values = {"reply": _bounded(reply), "replied_at": at}
    found = session.scalar(update(CaseNotice).where(*of_case).values(**values).returning(CaseNotice.id))
    if found is None:
        raise NotKnown("notice", str(notice_id))
    record_event(session, case_id, CaseEventKind.REPLIED, actor=actor, note=_bounded(reply))


def _locked_state(session: Session, case_id: int) -> CaseState:
    return _locked(session, case_id)[0]


def _locked(session: Session, case_id: int) -> tuple[CaseState, CaseQueue]:
    asked = select(Case.state, Case.queue).where(Case.id == case_id).with_for_update(key_share=True)
    found = session.execute(asked).one_or_none()
    if found is None:
        raise NotKnown("case", str(case_id))
    return found.state, found.queue


def _touch(session: Session, case_id: int, **values: Any) -> None:
    _locked_state(session, case_id)
    session.execute(update(Case).where(Case.id == case_id).values(**values, touched=True, changed_at=func.now()))


def _bounded(note: str) -> str:
    return storable(note[:NOTE_CHARS])


def _lines(notes: str) -> list[str]:
    """Browsers change line ends and drop trailing blanks."""
    return notes.rstrip().splitlines()
