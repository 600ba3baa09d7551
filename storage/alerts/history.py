"""What was sent, what waits and what was set aside, as the desk lists it."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.errors import NotKnown
from storage.models.alerts import Alert, AlertMessage
from storage.records.alerts import AlertState, MessageRecord, MessageState


@dataclass(frozen=True, slots=True)
class AlertCounts:
    """Messages that wait for their channel or were set aside; alerts that wait for their time, or for a look."""

    waiting: int
    set_aside: int
    for_later: int
    held: int


def list_messages(
    session: Session,
    *,
    state: MessageState | None = None,
    channel_id: int | None = None,
    before_id: int | None = None,
    limit: int = 50,
) -> list[MessageRecord]:
    """Newest first; `before_id` is the last one of the page before."""
    query = select(AlertMessage).order_by(AlertMessage.id.desc()).limit(limit)
    if state is not None:
        query = query.where(AlertMessage.state == state)
    if channel_id is not None:
        query = query.where(AlertMessage.channel_id == channel_id)
    if before_id is not None:
        query = query.where(AlertMessage.id < before_id)
    return [_record(row) for row in session.scalars(query.execution_options(populate_existing=True))]


def get_message(session: Session, message_id: int) -> MessageRecord:
    """Raises NotKnown."""
    row = session.get(AlertMessage, message_id, populate_existing=True)
    if row is None:
        raise NotKnown("message", str(message_id))
    return _record(row)


def counts(session: Session) -> AlertCounts:
    """Of what is not done with; each is few, or is there an index for it."""
    rows = session.execute(
        select(AlertMessage.state, func.count())
        .where(AlertMessage.state.in_((MessageState.WAITING, MessageState.SET_ASIDE)))
        .group_by(AlertMessage.state)
    )
    messages = {row[0]: row[1] for row in rows}
    later = select(func.count()).where(Alert.state == AlertState.WAITING, Alert.message_id.is_(None))
    held = select(func.count()).where(Alert.state == AlertState.HELD, Alert.hold_id.is_not(None))
    for_later, waits_for_a_look = session.execute(select(later.scalar_subquery(), held.scalar_subquery())).one()
    return AlertCounts(
        messages.get(MessageState.WAITING, 0), messages.get(MessageState.SET_ASIDE, 0), for_later, waits_for_a_look
    )


def _record(row: AlertMessage) -> MessageRecord:
    return MessageRecord(
        id=row.id,
        channel=row.channel,
        subject=row.subject,
        text=row.text,
        events=row.events,
        state=row.state,
        made_at=row.made_at,
        next_at=row.next_at,
        sent_at=row.sent_at,
        attempts=row.attempts,
        problem=row.problem,
    )
