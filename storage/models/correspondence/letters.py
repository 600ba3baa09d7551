"""Letters to copiers: the letter on its way, its text for ever, its cases and statements, drafts, and who writes."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func
from sqlalchemy.sql import text as sql

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.correspondence.letters import LetterKind, LetterState, ReplyKind
from storage.records.correspondence.notices import ConsentWay, NoticeForm
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
    form: Mapped[NoticeForm] = mapped_column(word(NoticeForm), server_default="letter")
    sendings: Mapped[int] = mapped_column(server_default="1")
    """How often a person had it sent: each time is signed by itself."""
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


class LetterStatement(Base):
    """A statement that a person ticked and signed when a letter was sent. A trigger refuses changes.

    The account is no foreign key: a removed account changes nothing here.
    """

    __tablename__ = "letter_statement"

    letter_id: Mapped[int] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"), primary_key=True)
    sending: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    wording: Mapped[str]
    signer: Mapped[str]
    ticked_by_id: Mapped[int | None] = mapped_column(BigInteger)
    ticked_by: Mapped[str]
    ticked_at: Mapped[datetime]


class LetterDraft(Base):
    """A notice that is being written: what a person filled in. Its text is made from that and the store."""

    __tablename__ = "letter_draft"
    __table_args__ = (Index(None, "case_id"), Index(None, "letter_id"))

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="RESTRICT"))
    form: Mapped[NoticeForm] = mapped_column(word(NoticeForm))
    language: Mapped[str] = mapped_column(String(16))
    inputs: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    changed_at: Mapped[datetime] = mapped_column(server_default=sql("clock_timestamp()"))
    changed_by_id: Mapped[int | None] = mapped_column(BigInteger)
    changed_by: Mapped[str] = mapped_column(server_default="")
    letter_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("letter.id", ondelete="RESTRICT"))


class LetterConsent(Base):
    """That consent to a text was requested, and given. A trigger refuses changes of what was given."""

    __tablename__ = "letter_consent"
    __table_args__ = (
        UniqueConstraint("draft_id", "sha256", "reasons"),
        Index("ix_letter_consent_asked", "id", postgresql_where=sql("given_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    draft_id: Mapped[int] = mapped_column(BigKey, ForeignKey("letter_draft.id", ondelete="RESTRICT"))
    sha256: Mapped[bytes]
    """Of the UTF-8 bytes of the text."""
    reasons: Mapped[str]
    asked_at: Mapped[datetime]
    asked_by_id: Mapped[int | None] = mapped_column(BigInteger)
    asked_by: Mapped[str]
    given_at: Mapped[datetime | None]
    given_by_id: Mapped[int | None] = mapped_column(BigInteger)
    given_by: Mapped[str] = mapped_column(server_default="")
    way: Mapped[ConsentWay | None] = mapped_column(word(ConsentWay))


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
    postcode: Mapped[str] = mapped_column(server_default="")
    signatory: Mapped[str] = mapped_column(server_default="")
    identity: Mapped[str] = mapped_column(server_default="")
    representative: Mapped[str] = mapped_column(server_default="")
    heading: Mapped[str] = mapped_column(server_default="")
    seal: Mapped[bytes | None]
    """A PNG file."""
    mail_channel_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("alert_channel.id", ondelete="SET NULL"), index=True
    )
    outbox_minutes: Mapped[int] = mapped_column(server_default="10")
    changed_by: Mapped[str] = mapped_column(server_default="")
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
