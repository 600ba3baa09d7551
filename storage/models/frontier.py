"""The URL frontier, traps, rate limits, politeness, site profiles, and pages that disappeared or came back."""

from datetime import datetime, time

from sqlalchemy import BigInteger, Float, ForeignKey, Index, SmallInteger, Time, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import Unsigned64, word
from storage.records.crawl import PageEventKind, UrlKind, UrlState
from storage.types import DateOrigin, FoundBy, Precision


class FrontierUrl(Base):
    """A URL of a site. Leased while a run visits it; a lease ends with the visit, its time, or the next run."""

    __tablename__ = "frontier_url"
    __table_args__ = (
        UniqueConstraint("site_id", "identity"),
        Index("ix_frontier_url_due", "site_id", "tier", "due_at", postgresql_where=text("leased_until IS NULL")),
        Index("ix_frontier_url_leased", "site_id", postgresql_where=text("leased_until IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    identity: Mapped[int] = mapped_column(Unsigned64())
    """A hash that all spellings of the URL share: its index is narrower than one of URLs."""
    url: Mapped[str]
    kind: Mapped[UrlKind] = mapped_column(word(UrlKind))
    state: Mapped[UrlState] = mapped_column(word(UrlState), server_default=UrlState.NEW.value)
    tier: Mapped[int] = mapped_column(SmallInteger)
    link_depth: Mapped[int] = mapped_column(server_default="0")
    due_at: Mapped[datetime] = mapped_column(server_default=func.now())
    leased_until: Mapped[datetime | None]
    leased_by: Mapped[int | None] = mapped_column(BigInteger)
    """The run; no foreign key, since runs may be removed."""
    attempts: Mapped[int] = mapped_column(server_default="0")
    refusal: Mapped[str | None]
    etag: Mapped[str | None]
    last_modified: Mapped[str | None]
    found_by: Mapped[FoundBy] = mapped_column(word(FoundBy))
    declared_at: Mapped[datetime | None]
    declared_precision: Mapped[Precision] = mapped_column(word(Precision))
    declared_origin: Mapped[DateOrigin] = mapped_column(word(DateOrigin))
    modified_at: Mapped[datetime | None]
    visits: Mapped[int] = mapped_column(server_default="0")
    changes: Mapped[int] = mapped_column(server_default="0")
    observed_s: Mapped[float] = mapped_column(Float(53), server_default="0")
    found_at: Mapped[datetime] = mapped_column(server_default=func.now())
    visited_at: Mapped[datetime | None]


class FrontierTrap(Base):
    """A shape of URLs without results for so long that it is not followed for a while."""

    __tablename__ = "frontier_trap"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    shape: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class HostTurn(Base):
    """The time of the next request to a host, over all processes."""

    __tablename__ = "host_turn"

    host: Mapped[str] = mapped_column(primary_key=True)
    next_at: Mapped[datetime]
    held_until: Mapped[datetime | None]
    """No request before this time: the host answered "too many requests"."""
    refusals: Mapped[int] = mapped_column(server_default="0")
    """Number of such answers in a row."""


class SitePoliteness(Base):
    """Politeness settings of a site besides its delay; no row: the defaults."""

    __tablename__ = "site_manners"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    byte_budget: Mapped[int | None] = mapped_column(BigInteger)
    window_start: Mapped[time | None] = mapped_column(Time())
    window_end: Mapped[time | None] = mapped_column(Time())
    obey_noindex: Mapped[bool]
    obey_noarchive: Mapped[bool]


class SiteKnowledgeRow(Base):
    """The profile of a site, learned by its crawls; no row: nothing learned."""

    __tablename__ = "site_knowledge"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    marks: Mapped[list[int]] = mapped_column(ARRAY(BigInteger()))
    """Blocks that many of its pages have, as hashes."""
    list_shapes: Mapped[list[str]]
    """Shapes of the URLs of its lists."""
    learned_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PageEventRow(Base):
    """A stored page that disappeared or came back."""

    __tablename__ = "page_event"
    __table_args__ = (Index(None, "page_id", "at"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    kind: Mapped[PageEventKind] = mapped_column(word(PageEventKind))
    at: Mapped[datetime]
    reason: Mapped[str]
