"""Alerts: channels, rules, events, holds, messages, and feeds.

An event is written in the transaction of what happened. An `Alert` notifies one channel of it, at most once; alerts
sent together are one `AlertMessage`.

From a copy's appearance to its alert: `Alert.sent_at` of the alerts whose `AlertEvent` is `case-opened`, by
`AlertEvent.case_id`; the earliest of several channels counts. `AlertEvent.at` is when the case was opened.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func
from sqlalchemy.sql import text as sql

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.alerts import AlertKind, AlertState, MessageState
from storage.types import CaseQueue, Severity


class AlertChannel(Base):
    """A channel: a mailbox, a chat, a program."""

    __tablename__ = "alert_channel"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    kind: Mapped[str] = mapped_column(String(24))
    """A value of `admin.alerts.kinds`; a new kind needs no migration."""
    address: Mapped[str]
    """In the notation of apprise, with passwords: readers of this table can send in our name."""
    shown: Mapped[str]
    """The part of it that may be displayed."""
    secret: Mapped[str] = mapped_column(server_default="")
    language: Mapped[str] = mapped_column(String(16))
    enabled: Mapped[bool] = mapped_column(server_default="true")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    sent_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    problem: Mapped[str] = mapped_column(server_default="")


class AlertRule(Base):
    """What a channel is notified of. A rule is removed with its site, owner or list: without it it would match more."""

    __tablename__ = "alert_rule"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    channel_id: Mapped[int] = mapped_column(BigKey, ForeignKey("alert_channel.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    enabled: Mapped[bool] = mapped_column(server_default="true")
    kinds: Mapped[list[str]]
    queue: Mapped[CaseQueue | None] = mapped_column(word(CaseQueue))
    site_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), index=True)
    owner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="CASCADE"), index=True)
    least: Mapped[Severity] = mapped_column(word(Severity))
    match_kinds: Mapped[list[str]] = mapped_column(server_default="{}")
    credits: Mapped[list[str]] = mapped_column(server_default="{}")
    view_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("saved_view.id", ondelete="CASCADE"), index=True)
    mentioned_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"), index=True)
    digest_at: Mapped[str | None] = mapped_column(String(5))
    time_zone: Mapped[str] = mapped_column(String(64), server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class AlertEvent(Base):
    """Something that happened. `key` makes it one event however often it is raised."""

    __tablename__ = "alert_event"
    __table_args__ = (
        Index("ix_alert_event_to_route", "id", postgresql_where=sql("routed_at IS NULL")),
        Index(None, "at"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    key: Mapped[str] = mapped_column(String(200), unique=True)
    kind: Mapped[AlertKind] = mapped_column(word(AlertKind))
    at: Mapped[datetime] = mapped_column(server_default=sql("clock_timestamp()"))
    case_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("case.id", ondelete="CASCADE"), index=True)
    site_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), index=True)
    details: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    routed_at: Mapped[datetime | None]
    """When its channels were determined."""


class AlertHold(Base):
    """A hold on the alerts of one site: a run looks wrong."""

    __tablename__ = "alert_hold"
    __table_args__ = (
        Index("uq_alert_hold_open", "site_id", unique=True, postgresql_where=sql("ended_at IS NULL")),
        Index(None, "site_id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    run_id: Mapped[int | None] = mapped_column(BigKey)
    reason: Mapped[str]
    since: Mapped[datetime]
    begun_at: Mapped[datetime] = mapped_column(server_default=sql("clock_timestamp()"))
    ended_at: Mapped[datetime | None]
    is_sent: Mapped[bool | None]
    """Whether the held alerts were sent or dropped."""
    ended_by: Mapped[str] = mapped_column(server_default="")


class AlertMessage(Base):
    """One message over a channel. Receivers recognise repeated attempts by `key`."""

    __tablename__ = "alert_message"
    __table_args__ = (
        Index("ix_alert_message_to_send", "next_at", postgresql_where=sql("state = 'waiting'")),
        Index(None, "channel_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    key: Mapped[str] = mapped_column(String(40), unique=True)
    channel_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("alert_channel.id", ondelete="SET NULL"))
    channel: Mapped[str]
    """The name of the channel at that time."""
    subject: Mapped[str]
    text: Mapped[str]
    payload: Mapped[dict[str, Any]]
    """The same for programs."""
    events: Mapped[int]
    state: Mapped[MessageState] = mapped_column(word(MessageState), server_default=MessageState.WAITING.value)
    made_at: Mapped[datetime] = mapped_column(server_default=sql("clock_timestamp()"))
    next_at: Mapped[datetime] = mapped_column(server_default=sql("clock_timestamp()"))
    claimed_until: Mapped[datetime | None]
    """A sender has claimed it until then."""
    attempts: Mapped[int] = mapped_column(server_default="0")
    sent_at: Mapped[datetime | None]
    problem: Mapped[str] = mapped_column(server_default="")


class Alert(Base):
    """One event for one channel."""

    __tablename__ = "alert"
    __table_args__ = (
        UniqueConstraint("channel_id", "event_id"),
        CheckConstraint("(state = 'sent') = (sent_at IS NOT NULL)", name="sent"),
        Index("ix_alert_to_tell", "due_at", postgresql_where=sql("state = 'waiting' AND message_id IS NULL")),
        Index(None, "message_id"),
        Index(None, "event_id"),
        Index(None, "hold_id", postgresql_where=sql("hold_id IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    event_id: Mapped[int] = mapped_column(BigKey, ForeignKey("alert_event.id", ondelete="CASCADE"))
    channel_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("alert_channel.id", ondelete="SET NULL"))
    state: Mapped[AlertState] = mapped_column(word(AlertState))
    due_at: Mapped[datetime]
    """The earliest time of sending."""
    is_digest: Mapped[bool]
    hold_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("alert_hold.id", ondelete="SET NULL"))
    message_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("alert_message.id", ondelete="SET NULL"))
    sent_at: Mapped[datetime | None]
    """When the channel accepted it: the end of the detection latency."""


class FeedToken(Base):
    """A secret feed address of a saved list of cases."""

    __tablename__ = "feed_token"
    __table_args__ = (Index(None, "account_id"), Index(None, "view_id"))

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the secret in the address: the table does not give access to the feed."""
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    view_id: Mapped[int] = mapped_column(BigKey, ForeignKey("saved_view.id", ondelete="CASCADE"))
    language: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    read_at: Mapped[datetime | None]
    """When it was last read, to the hour."""
