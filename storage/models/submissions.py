"""Texts submitted by people to be checked and kept: private, with an expiry date."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import Unsigned64


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


class LetterTemplate(Base):
    """A letter's text as edited; a letter without a row has the program's default."""

    __tablename__ = "letter_template"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    language: Mapped[str] = mapped_column(String(16), primary_key=True)
    body: Mapped[str]
    changed_by: Mapped[str] = mapped_column(server_default="")
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
