"""Search services: the queries they were asked, what came back, and what is known of services and hosts."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import FindState, HostDecision


class SearchQuery(Base):
    """A query, booked before it is sent: of a program that was killed, it counts as spent. Kept when its article or
    site is removed, since the money is gone.
    """

    __tablename__ = "search_query"
    __table_args__ = (
        Index(None, "service", "phrase", "booked_at"),
        Index(None, "site_id", "booked_at"),
        Index(None, "booked_at"),
        Index(None, "page_id"),
        Index("ix_search_query_open", "booked_at", postgresql_where=text("ended_at IS NULL")),
        CheckConstraint("price >= 0", name="price"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    service: Mapped[str] = mapped_column(String(40))
    site_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("site.id", ondelete="SET NULL"))
    page_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("page.id", ondelete="SET NULL"))
    phrase: Mapped[str] = mapped_column(String(200))
    price: Mapped[float]
    """In the currency of the service."""
    booked_at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    ended_at: Mapped[datetime | None]
    fault: Mapped[str | None] = mapped_column(String(24))
    """Why it brought no results; NULL with `ended_at`: it was answered."""
    results: Mapped[int] = mapped_column(server_default="0")
    unusable: Mapped[int] = mapped_column(server_default="0")
    beyond: Mapped[int] = mapped_column(server_default="0")


class SearchFind(Base):
    """A page that services returned for an article of ours, and what became of it."""

    __tablename__ = "search_find"
    __table_args__ = (
        UniqueConstraint("page_id", "url"),
        Index(None, "host", "state"),
        Index("ix_search_find_waiting", "page_id", postgresql_where=text("state = 'waiting'")),
        Index(None, "their_page_id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    """The article of ours."""
    url: Mapped[str]
    host: Mapped[str]
    title: Mapped[str]
    snippet: Mapped[str]
    services: Mapped[list[str]]
    score: Mapped[float]
    state: Mapped[FindState] = mapped_column(word(FindState))
    reason: Mapped[str | None] = mapped_column(String(40))
    """Why it was left out, or not read."""
    found_at: Mapped[datetime] = mapped_column(server_default=func.now())
    fetched_at: Mapped[datetime | None]
    their_page_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("page.id", ondelete="SET NULL"))


class SearchVisit(Base):
    """How many visits of an article were made: each time, services are asked for some phrases of it."""

    __tablename__ = "search_visit"

    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True)
    done: Mapped[int]
    visited_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SearchRest(Base):
    """A service that failed, and until when it is left alone. No row: it answered last."""

    __tablename__ = "search_rest"

    service: Mapped[str] = mapped_column(String(40), primary_key=True)
    failures: Mapped[int]
    until: Mapped[datetime]
    fault: Mapped[str] = mapped_column(String(24))
    problem: Mapped[str]


class SearchHost(Base):
    """What a person decided about a host on which copies were found."""

    __tablename__ = "search_host"

    host: Mapped[str] = mapped_column(primary_key=True)
    decision: Mapped[HostDecision] = mapped_column(word(HostDecision))
    decided_at: Mapped[datetime] = mapped_column(server_default=func.now())
    decided_by: Mapped[str] = mapped_column(server_default="")
