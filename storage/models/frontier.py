"""What a crawl remembers: addresses with their due time, traps, the pace at each host, and pages that went or came."""

from datetime import datetime, time

from sqlalchemy import BigInteger, Float, ForeignKey, Index, SmallInteger, Time, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.records.crawl import PageEventKind, UrlKind, UrlState
from storage.types import DateOrigin, FoundBy, Precision, Unsigned64, word


class FrontierUrl(Base):
    """An address of a site. Leased while a run visits it; a lease ends with the visit, its time, or the next run."""

    __tablename__ = "frontier_url"
    __table_args__ = (
        UniqueConstraint("site_id", "identity"),
        Index("ix_frontier_url_due", "site_id", "tier", "due_at", postgresql_where=text("leased_until IS NULL")),
        Index("ix_frontier_url_leased", "site_id", postgresql_where=text("leased_until IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    identity: Mapped[int] = mapped_column(Unsigned64())
    """A hash of what all spellings of the address have in common: narrower than an index of addresses."""
    url: Mapped[str]
    kind: Mapped[UrlKind] = mapped_column(word(UrlKind))
    state: Mapped[UrlState] = mapped_column(word(UrlState), server_default=UrlState.NEW.value)
    tier: Mapped[int] = mapped_column(SmallInteger)
    link_depth: Mapped[int] = mapped_column(server_default="0")
    due_at: Mapped[datetime] = mapped_column(server_default=func.now())
    leased_until: Mapped[datetime | None]
    leased_by: Mapped[int | None] = mapped_column(BigInteger)
    """The run; without a foreign key, since runs may be cleared away."""
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
    """A shape of addresses that brought nothing for so long that no more of them are followed for a while."""

    __tablename__ = "frontier_trap"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    shape: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class HostTurn(Base):
    """When the next request may go to a host, over all processes."""

    __tablename__ = "host_turn"

    host: Mapped[str] = mapped_column(primary_key=True)
    next_at: Mapped[datetime]
    held_until: Mapped[datetime | None]
    """Nobody asks before: the host said that it is asked too much."""
    refusals: Mapped[int] = mapped_column(server_default="0")
    """How often in a row it said so."""


class SitePoliteness(Base):
    """How a site is crawled beyond its pace; no row is the defaults."""

    __tablename__ = "site_manners"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    byte_budget: Mapped[int | None] = mapped_column(BigInteger)
    window_start: Mapped[time | None] = mapped_column(Time())
    window_end: Mapped[time | None] = mapped_column(Time())
    obey_noindex: Mapped[bool]
    obey_noarchive: Mapped[bool]


class SiteKnowledgeRow(Base):
    """What crawls learned of a site's pages; no row is nothing."""

    __tablename__ = "site_knowledge"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    marks: Mapped[list[int]] = mapped_column(ARRAY(BigInteger()))
    """Blocks that stand on many of its pages, as numbers."""
    list_shapes: Mapped[list[str]]
    """What the addresses of its list pages have in common."""
    learned_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PageEventRow(Base):
    """A stored page that was found gone, or there again."""

    __tablename__ = "page_event"
    __table_args__ = (Index(None, "page_id", "at"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    kind: Mapped[PageEventKind] = mapped_column(word(PageEventKind))
    at: Mapped[datetime]
    reason: Mapped[str]
