"""Articles supplied by a publisher's own system, under its own ids; and daily totals of comparisons."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import text

from storage.base import Base, BigKey


class Original(Base):
    """An article of ours in the publisher's system: its id there, and its page here."""

    __tablename__ = "original"
    __table_args__ = (
        UniqueConstraint("site_id", "external_id"),
        UniqueConstraint("page_id"),
        Index(None, "site_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    external_id: Mapped[str] = mapped_column(String(200))
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    first_pushed_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    pushed_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    gone_at: Mapped[datetime | None]
    """When the system withdrew the article."""


class OriginalBackfill(Base):
    """Progress of a system's transfer of earlier articles, written with the articles, so it is never ahead."""

    __tablename__ = "original_backfill"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    position: Mapped[str] = mapped_column(String(200))
    """In the system's own notation: a number, a date, an address."""
    taken: Mapped[int] = mapped_column(BigKey, server_default="0")
    """Articles supplied under this name."""
    refused: Mapped[int] = mapped_column(BigKey, server_default="0")
    updated_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))


class ComparisonDay(Base):
    """Number of versions compared on a date (UTC), with results and the number that bounds left out."""

    __tablename__ = "comparison_day"

    day: Mapped[date] = mapped_column(Date(), primary_key=True)
    compared: Mapped[int] = mapped_column(BigKey, server_default="0")
    matched: Mapped[int] = mapped_column(BigKey, server_default="0")
    failed: Mapped[int] = mapped_column(BigKey, server_default="0")
    cut: Mapped[int] = mapped_column(BigKey, server_default="0")
    """Candidates that were not judged because of a bound."""
