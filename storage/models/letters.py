"""Letters to copiers: the letter on its way, its text for ever, the cases that it names, and who writes letters."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func
from sqlalchemy.sql import text as sql

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.letters import LetterKind, LetterState, ReplyKind
from storage.types import NoticeChannel


class Letter(Base):
    """A letter to one copier about one or more cases."""

    __tablename__ = "letter"
    __table_args__ = (
        CheckConstraint("(state = 'sent') <= (sent_at IS NOT NULL)", name="sent"),
        Index("ix_letter_to_send", "send_at", postgresql_where=sql("state IN ('waiting', 'sending')")),
        Index(None, "state", "id"),
        Index(None, "case_id"),
        Index(None, "follows_id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)
    """The mail has it in its Message-ID, at every attempt."""
    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="RESTRICT"))
    """The case from which it was written."""
    other_key: Mapped[str]
    copier: Mapped[str]
    """The name of the copier at that time."""
    kind: Mapped[LetterKind] = mapped_column(word(LetterKind))
    follows_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"))
    language: Mapped[str] = mapped_column(String(16))
    subject: Mapped[str]
    recipient: Mapped[str]
    channel: Mapped[NoticeChannel] = mapped_column(word(NoticeChannel))
    is_mail: Mapped[bool]
    """Whether the program sends it."""
    mail_channel_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("alert_channel.id", ondelete="SET NULL"), index=True
    )
    sender: Mapped[str] = mapped_column(server_default="")
    state: Mapped[LetterState] = mapped_column(word(LetterState))
    dated: Mapped[date]
    deadline: Mapped[datetime | None]
    made_at: Mapped[datetime] = mapped_column(server_default=sql("clock_timestamp()"))
    made_by_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"), index=True)
    made_by: Mapped[str] = mapped_column(server_default="")
    send_at: Mapped[datetime | None]
    claimed_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default="0")
    sent_at: Mapped[datetime | None]
    problem: Mapped[str] = mapped_column(server_default="")
    reply_kind: Mapped[ReplyKind | None] = mapped_column(word(ReplyKind))
    reply: Mapped[str] = mapped_column(server_default="")
    replied_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
    closed_by: Mapped[str] = mapped_column(server_default="")
    closed_note: Mapped[str] = mapped_column(server_default="")


class LetterDocument(Base):
    """The text of a letter and its PDF. A trigger refuses changes."""

    __tablename__ = "letter_document"

    letter_id: Mapped[int] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"), primary_key=True)
    body: Mapped[str]
    sha256: Mapped[bytes]
    """Of the UTF-8 bytes of `body`."""
    pdf: Mapped[bytes | None]
    pdf_sha256: Mapped[bytes | None]


class LetterCase(Base):
    """A case that a letter names, with what it says of each page."""

    __tablename__ = "letter_case"

    letter_id: Mapped[int] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"), primary_key=True)
    case_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("case.id", ondelete="RESTRICT"), primary_key=True, index=True
    )
    pages: Mapped[list[dict[str, Any]]] = mapped_column(server_default="[]")


class Letterhead(Base):
    """Who writes letters. One row."""

    __tablename__ = "letterhead"
    __table_args__ = (
        CheckConstraint("id = 1", name="one"),
        CheckConstraint("outbox_minutes BETWEEN 0 AND 1440", name="minutes"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    organisation: Mapped[str] = mapped_column(server_default="")
    contact: Mapped[str] = mapped_column(server_default="")
    telephone: Mapped[str] = mapped_column(server_default="")
    mail: Mapped[str] = mapped_column(server_default="")
    address: Mapped[str] = mapped_column(server_default="")
    signatory: Mapped[str] = mapped_column(server_default="")
    heading: Mapped[str] = mapped_column(server_default="")
    seal: Mapped[bytes | None]
    """A PNG file."""
    mail_channel_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("alert_channel.id", ondelete="SET NULL"), index=True
    )
    outbox_minutes: Mapped[int] = mapped_column(server_default="10")
    changed_by: Mapped[str] = mapped_column(server_default="")
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
