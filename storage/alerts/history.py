"""The history of alert messages: sent, waiting, set aside."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.models.alerts import Alert, AlertMessage
from storage.postgres.rows import records_of
from storage.records.alerts import AlertState, MessageRecord, MessageState


@dataclass(frozen=True, slots=True)
class AlertCounts:
    """Messages that wait for their channel (`waiting`) or were set aside; alerts not yet due (`for_later`) or on hold
    (`held`).
    """

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
    """Newest first; with `before_id`, messages with lower ids."""
    query = select(AlertMessage).order_by(AlertMessage.id.desc()).limit(limit)
    if state is not None:
        query = query.where(AlertMessage.state == state)
    if channel_id is not None:
        query = query.where(AlertMessage.channel_id == channel_id)
    if before_id is not None:
        query = query.where(AlertMessage.id < before_id)
    return records_of(MessageRecord, session.scalars(query.execution_options(populate_existing=True)))


def counts(session: Session) -> AlertCounts:
    """Counts what is not finished. Each count is small or answered by an index."""
    rows = session.execute(
        select(AlertMessage.state, func.count())
        .where(AlertMessage.state.in_((MessageState.WAITING, MessageState.SET_ASIDE)))
        .group_by(AlertMessage.state)
    )
    messages = dict(rows.all())
    later = select(func.count()).where(Alert.state == AlertState.WAITING, Alert.message_id.is_(None))
    held = select(func.count()).where(Alert.state == AlertState.HELD, Alert.hold_id.is_not(None))
    found = session.execute(
        select(later.scalar_subquery().label("for_later"), held.scalar_subquery().label("held"))
    ).one()
    return AlertCounts(
        waiting=messages.get(MessageState.WAITING, 0),
        set_aside=messages.get(MessageState.SET_ASIDE, 0),
        for_later=found.for_later,
        held=found.held,
    )
