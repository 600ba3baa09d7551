"""The outbox of alert messages: made from due alerts, claimed by one sender at a time, retried until accepted.

Delivery is at least once. A sender that dies after sending leaves its claim; when the claim expires, another sends the
message again under the same key, by which mail programs and webhooks recognise duplicates.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import delete, exists, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.alerts import channels
from storage.alerts.timing import wait_before_retry
from storage.models.alerts import Alert, AlertChannel, AlertEvent, AlertMessage
from storage.postgres.rows import record_of
from storage.postgres.text import storable
from storage.records.alerts import AlertState, EventRecord, MessageState

TAKEN_AT_ONCE: Final = 1_000
CLAIM: Final = timedelta(minutes=5)
"""Longer than any sending takes, so that two senders never send the same message."""
PROBLEM_CHARS: Final = 500
FORGOTTEN_AT_ONCE: Final = 50_000


@dataclass(frozen=True, slots=True)
class DueAlert:
    """An alert that is due, with its event."""

    id: int
    channel_id: int
    is_digest: bool
    event: EventRecord


@dataclass(frozen=True, slots=True)
class NewMessage:
    """One message: `subject` and `text` for people, `payload` for programs."""

    subject: str
    text: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ClaimedMessage:
    """A message claimed by this sender until `claimed_until`. `attempts` includes this one."""

    id: int
    key: str
    channel_id: int
    kind: str
    language: str
    subject: str
    text: str
    payload: Mapping[str, Any]
    made_at: datetime
    attempts: int
    claimed_until: datetime


def take_due(session: Session, now: datetime) -> list[DueAlert]:
    """Due alerts in the order of their events, locked until the transaction ends."""
    rows = session.execute(
        select(Alert, AlertEvent)
        .join(AlertEvent, AlertEvent.id == Alert.event_id)
        .join(AlertChannel, AlertChannel.id == Alert.channel_id)
        .where(Alert.state == AlertState.WAITING, Alert.message_id.is_(None), Alert.due_at <= now, AlertChannel.enabled)
        .order_by(AlertEvent.id)
        .limit(TAKEN_AT_ONCE)
        .with_for_update(of=Alert, skip_locked=True)
    )
    return [
        record_of(DueAlert, alert, event=record_of(EventRecord, event))
        for alert, event in rows
        if alert.channel_id is not None
    ]


def drop_alerts(session: Session, alert_ids: Collection[int]) -> None:
    """Drops alerts whose event no longer matters."""
    session.execute(update(Alert).where(Alert.id.in_(list(alert_ids))).values(state=AlertState.DROPPED))


def add_message(session: Session, channel_id: int, alert_ids: Sequence[int], message: NewMessage, now: datetime) -> int:
    """Adds a message about these alerts to the outbox. Returns its id."""
    channel = select(AlertChannel.name).where(AlertChannel.id == channel_id).scalar_subquery()
    values = {
        "key": str(uuid4()),
        "channel_id": channel_id,
        "channel": channel,
        "subject": storable(message.subject),
        "text": storable(message.text),
        "payload": dict(message.payload),
        "events": len(alert_ids),
        "made_at": now,
        "next_at": now,
    }
    message_id = int(session.execute(insert(AlertMessage).values(values).returning(AlertMessage.id)).scalar_one())
    session.execute(update(Alert).where(Alert.id.in_(list(alert_ids))).values(message_id=message_id))
    return message_id


def claim(session: Session, now: datetime, *, but: Collection[int] = ()) -> ClaimedMessage | None:
    """Claims the next message to send; commit before sending. `but`: channels that fail at the moment.

    Messages with the fewest attempts come first, so that one that no server accepts blocks no other.
    """
    row = session.execute(
        select(AlertMessage, AlertChannel)
        .join(AlertChannel, AlertChannel.id == AlertMessage.channel_id)
        .where(
            AlertMessage.state == MessageState.WAITING,
            AlertMessage.next_at <= now,
            or_(AlertMessage.claimed_until.is_(None), AlertMessage.claimed_until <= now),
            AlertChannel.enabled,
            AlertChannel.id.not_in(list(but)),
        )
        .order_by(AlertMessage.attempts, AlertMessage.id)
        .limit(1)
        .with_for_update(of=AlertMessage, skip_locked=True)
    ).one_or_none()
    if row is None:
        return None
    message, channel = row
    message.claimed_until = now + CLAIM
    message.attempts += 1
    session.flush()
    return record_of(ClaimedMessage, message, channel_id=channel.id, kind=channel.kind, language=channel.language)


def mark_sent(session: Session, message: ClaimedMessage, at: datetime, *, problem: str = "") -> bool:
    """Marks a message and its alerts as sent. `problem`: what went wrong nevertheless. Returns False if it was marked
    before.
    """
    values = {
        "state": MessageState.SENT,
        "sent_at": at,
        "claimed_until": None,
        "problem": storable(problem)[:PROBLEM_CHARS],
    }
    is_open = (AlertMessage.id == message.id, AlertMessage.state != MessageState.SENT)
    if session.scalar(update(AlertMessage).where(*is_open).values(**values).returning(AlertMessage.id)) is None:
        return False
    session.execute(update(Alert).where(Alert.message_id == message.id).values(state=AlertState.SENT, sent_at=at))
    channels.note_success(session, message.channel_id, at)
    return True


def mark_failed(session: Session, message: ClaimedMessage, at: datetime, problem: str) -> MessageState:
    """Schedules a retry, or sets the message aside after the last attempt. Returns its new state.

    Changes nothing about a message whose claim expired and that another sender holds now.
    """
    wait = wait_before_retry(message.attempts)
    state = MessageState.SET_ASIDE if wait is None else MessageState.WAITING
    values = {
        "state": state,
        "next_at": at + (wait or timedelta()),
        "claimed_until": None,
        "problem": storable(problem)[:PROBLEM_CHARS],
    }
    ours = (AlertMessage.id == message.id, AlertMessage.claimed_until == message.claimed_until)
    changed = session.scalar(update(AlertMessage).where(*ours).values(**values).returning(AlertMessage.id))
    if changed is not None and state is MessageState.SET_ASIDE:
        _move_alerts(session, message.id, AlertState.SET_ASIDE)
    channels.note_failure(session, message.channel_id, at, problem)
    return state


def try_again(session: Session, message_id: int, now: datetime) -> bool:
    """Retries a waiting or set-aside message at once, with a new count of attempts. Returns whether there was one."""
    waits = (AlertMessage.id == message_id, AlertMessage.state.in_((MessageState.WAITING, MessageState.SET_ASIDE)))
    has_channel = AlertMessage.channel_id.is_not(None)
    values = {"state": MessageState.WAITING, "next_at": now, "attempts": 0}
    found = update(AlertMessage).where(*waits, has_channel).values(**values).returning(AlertMessage.id)
    if session.scalar(found) is None:
        return False
    _move_alerts(session, message_id, AlertState.WAITING)
    return True


def drop_message(session: Session, message_id: int) -> bool:
    """Drops a waiting or set-aside message. Returns whether there was one."""
    waits = (AlertMessage.id == message_id, AlertMessage.state.in_((MessageState.WAITING, MessageState.SET_ASIDE)))
    found = update(AlertMessage).where(*waits).values(state=MessageState.DROPPED).returning(AlertMessage.id)
    if session.scalar(found) is None:
        return False
    _move_alerts(session, message_id, AlertState.DROPPED)
    return True


def is_due(session: Session, now: datetime) -> bool:
    """Whether there is an event to route, an alert to put into a message, or a message to send."""
    events = exists().where(AlertEvent.routed_at.is_(None))
    alerts = exists().where(
        Alert.state == AlertState.WAITING,
        Alert.message_id.is_(None),
        Alert.due_at <= now,
        AlertChannel.id == Alert.channel_id,
        AlertChannel.enabled,
    )
    messages = exists().where(
        AlertMessage.state == MessageState.WAITING,
        AlertMessage.next_at <= now,
        or_(AlertMessage.claimed_until.is_(None), AlertMessage.claimed_until <= now),
        AlertChannel.id == AlertMessage.channel_id,
        AlertChannel.enabled,
    )
    return bool(session.scalar(select(or_(events, alerts, messages))))


def forget(session: Session, before: datetime) -> int:
    """Removes finished events before `before` with their alerts and messages, a bounded number at a time.

    Returns the number of events removed.
    """
    waits = exists().where(Alert.event_id == AlertEvent.id, Alert.state.in_((AlertState.WAITING, AlertState.HELD)))
    old = select(AlertEvent.id).where(AlertEvent.at < before, AlertEvent.routed_at.is_not(None), ~waits)
    gone = delete(AlertEvent).where(AlertEvent.id.in_(old.limit(FORGOTTEN_AT_ONCE))).returning(AlertEvent.id)
    count = len(session.scalars(gone).all())
    has_alerts = exists().where(Alert.message_id == AlertMessage.id)
    session.execute(delete(AlertMessage).where(AlertMessage.made_at < before, ~has_alerts))
    return count


def _move_alerts(session: Session, message_id: int, state: AlertState) -> None:
    session.execute(update(Alert).where(Alert.message_id == message_id).values(state=state))
