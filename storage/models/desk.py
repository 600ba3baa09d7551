"""Data of people at the desk: saved lists, visits, steps put off, imported files."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import FilePlace, OnboardingStep, Rights


class SavedView(Base):
    """A named filter of the list of cases."""

    __tablename__ = "saved_view"
    __table_args__ = (UniqueConstraint("account_id", "name"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    query: Mapped[str]
    """The query string of the list."""
    is_shared: Mapped[bool] = mapped_column(server_default="false")
    """Whether all accounts see it."""
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DeskVisit(Base):
    """The visits of an account: what has come since the previous one is new."""

    __tablename__ = "desk_visit"

    account_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    previous_at: Mapped[datetime | None]
    """The last request of the previous visit."""
    last_at: Mapped[datetime]
    """The last request of this visit."""


class OnboardingSkip(Base):
    """A step of the first hour that somebody put off."""

    __tablename__ = "onboarding_skip"

    step: Mapped[OnboardingStep] = mapped_column(word(OnboardingStep), primary_key=True)
    skipped_by: Mapped[str] = mapped_column(server_default="")
    skipped_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ImportedFile(Base):
    """An import of a file or folder from the desk, with its progress."""

    __tablename__ = "brought_file"
    __table_args__ = (Index(None, "place", "path", unique=True, postgresql_where=text("ended_at IS NULL")),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    place: Mapped[FilePlace] = mapped_column(word(FilePlace))
    path: Mapped[str]
    """Relative to its place."""
    site_name: Mapped[str]
    """Empty: each page goes to the site of its host."""
    rights: Mapped[Rights] = mapped_column(word(Rights))
    brought_by: Mapped[str]
    brought_at: Mapped[datetime] = mapped_column(server_default=func.now())
    begun_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    bytes_in_all: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bytes_read: Mapped[int] = mapped_column(BigInteger, server_default="0")
    counters: Mapped[dict[str, int]] = mapped_column(server_default="{}")
    """`new`, `changed` and `known` pages; `refused/<name>` and `passed/<name>`: records not imported."""
    problems: Mapped[list[str]] = mapped_column(server_default="{}")
    """Samples of refused records, with file, line and reason."""
    failure: Mapped[str | None]
    """A `FileFailure`: why it could not be read, or not to its end."""
