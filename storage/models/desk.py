"""What the desk remembers for people: lists they saved, when they were last here, files they brought."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.types import FilePlace, Rights, word


class SavedView(Base):
    """A filter of the list of cases under a name."""

    __tablename__ = "saved_view"
    __table_args__ = (UniqueConstraint("account_id", "name"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigKey, ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    query: Mapped[str]
    """As it stands in the address of the list."""
    is_shared: Mapped[bool] = mapped_column(server_default="false")
    """Whether the others see it too."""
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DeskVisit(Base):
    """When a person was at the desk: what has come since the visit before is new to him."""

    __tablename__ = "desk_visit"

    account_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    previous_at: Mapped[datetime | None]
    """The last sign of the visit before this one."""
    last_at: Mapped[datetime]
    """The last sign of this one."""


class BroughtFile(Base):
    """A file or folder that somebody had imported from the desk, and how far that is."""

    __tablename__ = "brought_file"
    __table_args__ = (Index(None, "place", "path", unique=True, postgresql_where=text("ended_at IS NULL")),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    place: Mapped[FilePlace] = mapped_column(word(FilePlace))
    path: Mapped[str]
    """Within its place."""
    site_name: Mapped[str]
    """Empty: each page belongs to the site of its host."""
    rights: Mapped[Rights] = mapped_column(word(Rights))
    brought_by: Mapped[str]
    brought_at: Mapped[datetime] = mapped_column(server_default=func.now())
    begun_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    bytes_in_all: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bytes_read: Mapped[int] = mapped_column(BigInteger, server_default="0")
    counters: Mapped[dict[str, int]] = mapped_column(server_default="{}")
    """`new`, `changed` and `known` pages; under `refused/<name>` and `passed/<name>` what was not taken in."""
    problems: Mapped[list[str]] = mapped_column(server_default="{}")
    """Some records that were refused, with file, line and reason."""
    failure: Mapped[str | None]
    """A `FileFailure`: why nothing of it, or no more, could be read."""
