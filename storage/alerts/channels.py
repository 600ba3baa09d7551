"""Alert channels. Their secrets are returned by `address_of` only."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NameTaken, NotKnown
from storage.models.alerts import Alert, AlertChannel, AlertMessage
from storage.postgres.rows import columns_of, record_of, record_or_none, records_of
from storage.postgres.text import storable
from storage.records.alerts import AlertState, ChannelAddress, ChannelRecord, MessageState, NewAddress

NAME_CHARS: Final = 80
PROBLEM_CHARS: Final = 500


def add_channel(session: Session, name: str, address: NewAddress, *, language: str) -> ChannelRecord:
    """Adds a channel, with a secret of its own where its kind signs messages. Raises NameTaken."""
    values = {
        "name": storable(name)[:NAME_CHARS],
        "kind": address.kind,
        "address": storable(address.full),
        "shown": storable(address.shown),
        "secret": new_secret() if address.is_signed else "",
        "language": language,
    }
    made = session.scalar(insert(AlertChannel).values(values).on_conflict_do_nothing().returning(AlertChannel.id))
    if made is None:
        raise NameTaken("channel", name)
    return get_channel(session, made)


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def get_channel(session: Session, channel_id: int) -> ChannelRecord:
    """Raises NotKnown."""
    row = session.get(AlertChannel, channel_id, populate_existing=True)
    if row is None:
        raise NotKnown("channel", str(channel_id))
    return record_of(ChannelRecord, row)


def channel_named(session: Session, name: str) -> ChannelRecord:
    """Raises NotKnown."""
    row = session.scalar(select(AlertChannel).where(AlertChannel.name == storable(name)))
    if row is None:
        raise NotKnown("channel", name, "List them with: zhiwen alert list")
    return record_of(ChannelRecord, row)


def list_channels(session: Session) -> list[ChannelRecord]:
    return records_of(ChannelRecord, session.scalars(select(AlertChannel).order_by(AlertChannel.name)))


def address_of(session: Session, channel_id: int) -> ChannelAddress:
    """Raises NotKnown."""
    columns = columns_of(ChannelAddress, AlertChannel)
    found = record_or_none(ChannelAddress, session.execute(select(*columns).where(AlertChannel.id == channel_id)))
    if found is None:
        raise NotKnown("channel", str(channel_id))
    return found


def edit_channel(session: Session, channel_id: int, values: Mapping[str, object]) -> None:
    """Changes the given columns. Raises NotKnown, and NameTaken for the name of another channel."""
    name = values.get("name")
    if isinstance(name, str):
        taken = select(AlertChannel.id).where(AlertChannel.name == name, AlertChannel.id != channel_id)
        if session.scalar(taken) is not None:
            raise NameTaken("channel", name)
    changed = update(AlertChannel).where(AlertChannel.id == channel_id).values(**values).returning(AlertChannel.id)
    if session.scalar(changed) is None:
        raise NotKnown("channel", str(channel_id))


def remove_channel(session: Session, channel_id: int) -> int:
    """Removes a channel with its rules; sent messages stay in the history. Returns the number of alerts dropped.

    Raises NotKnown.
    """
    open_states = (AlertState.WAITING, AlertState.HELD, AlertState.SET_ASIDE)
    of_channel = (Alert.channel_id == channel_id, Alert.state.in_(open_states))
    dropped = session.scalars(update(Alert).where(*of_channel).values(state=AlertState.DROPPED).returning(Alert.id))
    count = len(dropped.all())
    session.execute(
        update(AlertMessage)
        .where(AlertMessage.channel_id == channel_id, AlertMessage.state != MessageState.SENT)
        .values(state=MessageState.DROPPED)
    )
    gone = delete(AlertChannel).where(AlertChannel.id == channel_id).returning(AlertChannel.id)
    if session.scalar(gone) is None:
        raise NotKnown("channel", str(channel_id))
    return count


def note_success(session: Session, channel_id: int, at: datetime) -> None:
    session.execute(update(AlertChannel).where(AlertChannel.id == channel_id).values(sent_at=at))


def note_failure(session: Session, channel_id: int, at: datetime, problem: str) -> None:
    values = {"failed_at": at, "problem": storable(problem)[:PROBLEM_CHARS]}
    session.execute(update(AlertChannel).where(AlertChannel.id == channel_id).values(**values))
