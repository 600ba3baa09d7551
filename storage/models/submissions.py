"""Texts that people hand in: submissions, and checked texts with their results, both private and with an expiry date;
and certificates of checks.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import Unsigned64, word
from storage.types import CheckState


def _gin(column: str) -> Index:
    # As on `fingerprint`: a pending list would be scanned whole by every query.
    return Index(f"ix_submission_{column}", column, postgresql_using="gin", postgresql_with={"fastupdate": "off"})


class Submission(Base):
    """A submission, separate from the texts of the web: it has no page and no hit, and is deleted when it expires."""

    __tablename__ = "submission"
    __table_args__ = (
        # A text that is submitted twice is one submission.
        UniqueConstraint("collection", "author", "sha256"),
        CheckConstraint("created_at < expires_at", name="term"),
        Index(None, "collection", "id"),
        Index(None, "expires_at"),
        _gin("slices"),
        _gin("seeds"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    collection: Mapped[str] = mapped_column(String(100))
    """The set compared with each other: a course, a magazine, a competition."""
    author: Mapped[str] = mapped_column(String(200))
    title: Mapped[str] = mapped_column(server_default="")
    body: Mapped[str]
    chars: Mapped[int]
    sha256: Mapped[bytes]
    """Of the UTF-8 bytes of `body`."""
    algorithm_version: Mapped[int]
    simhash: Mapped[int | None] = mapped_column(Unsigned64())
    slices: Mapped[list[int]] = mapped_column(ARRAY(Integer()))
    seeds: Mapped[list[int]] = mapped_column(ARRAY(Integer()))
    added_by_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"), index=True)
    added_by: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    expires_at: Mapped[datetime]


class TextCheck(Base):
    """A checked text with its result. It belongs to one person, and is deleted when it expires."""

    __tablename__ = "text_check"
    __table_args__ = (
        CheckConstraint("created_at < expires_at", name="term"),
        CheckConstraint("(state = 'done') <= (result IS NOT NULL AND sha256 IS NOT NULL)", name="result"),
        Index(None, "account_id", "id"),
        Index(None, "expires_at"),
        Index("ix_text_check_batch", "batch", "id", postgresql_where=text("batch IS NOT NULL")),
        Index("ix_text_check_open", "id", postgresql_where=text("state IN ('queued', 'running')")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    key: Mapped[str] = mapped_column(String(32), unique=True)
    """In the address of the result: cannot be guessed."""
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    is_shared: Mapped[bool] = mapped_column(server_default="false")
    """Whether everybody who may check texts and has the address may read it."""
    batch: Mapped[str | None] = mapped_column(String(32))
    state: Mapped[CheckState] = mapped_column(word(CheckState))
    attempts: Mapped[int] = mapped_column(server_default="0")
    problem: Mapped[str] = mapped_column(server_default="")
    file_name: Mapped[str] = mapped_column(server_default="")
    title: Mapped[str] = mapped_column(server_default="")
    author: Mapped[str] = mapped_column(server_default="")
    url: Mapped[str] = mapped_column(server_default="")
    kind: Mapped[str] = mapped_column(String(16), server_default="text")
    collection: Mapped[str] = mapped_column(server_default="")
    by_meaning: Mapped[bool] = mapped_column(server_default="true")
    body: Mapped[str] = mapped_column(server_default="")
    chars: Mapped[int] = mapped_column(server_default="0")
    sha256: Mapped[bytes | None]
    """Of the UTF-8 bytes of `body`."""
    verdict: Mapped[str] = mapped_column(String(24), server_default="")
    share: Mapped[float] = mapped_column(server_default="0")
    sources: Mapped[int] = mapped_column(server_default="0")
    result: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    checked_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]


class CheckFile(Base):
    """A file that waits for its check; deleted once it was read."""

    __tablename__ = "check_file"

    check_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text_check.id", ondelete="CASCADE"), primary_key=True)
    data: Mapped[bytes]


class CheckCertificate(Base):
    """A certificate of a check, with the document as it was handed out. It outlives the text."""

    __tablename__ = "check_certificate"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    number: Mapped[str] = mapped_column(String(24), unique=True)
    account_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"), index=True)
    made_by: Mapped[str]
    made_at: Mapped[datetime]
    title: Mapped[str] = mapped_column(server_default="")
    text_sha256: Mapped[bytes]
    chars: Mapped[int]
    verdict: Mapped[str] = mapped_column(String(24))
    share: Mapped[float]
    language: Mapped[str] = mapped_column(String(16))
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB)
    pdf: Mapped[bytes]
    pdf_sha256: Mapped[bytes]
    withdrawn_at: Mapped[datetime | None]
    withdrawn_by: Mapped[str] = mapped_column(server_default="")


class LetterTemplate(Base):
    """A letter's text as edited; a letter without a row has the program's default."""

    __tablename__ = "letter_template"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    language: Mapped[str] = mapped_column(String(16), primary_key=True)
    body: Mapped[str]
    changed_by: Mapped[str] = mapped_column(server_default="")
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
