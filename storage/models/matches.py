"""Matches, hits, and boilerplate."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import Credit, MatchKind, Relation


class Match(Base):
    """Two texts that share passages, lower id first. The same text twice: an identical copy on two pages."""

    __tablename__ = "match"
    __table_args__ = (
        UniqueConstraint("low_text_id", "high_text_id", "algorithm_version"),
        CheckConstraint("low_text_id <= high_text_id", name="order"),
        CheckConstraint("low_share BETWEEN 0 AND 1 AND high_share BETWEEN 0 AND 1", name="shares"),
        Index(None, "high_text_id"),
        Index("ix_match_surest", text("score DESC"), "id"),
        Index("ix_match_kind_surest", "kind", text("score DESC"), "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    low_text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"))
    high_text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"))
    algorithm_version: Mapped[int]
    kind: Mapped[MatchKind] = mapped_column(word(MatchKind))
    score: Mapped[float]
    low_share: Mapped[float]
    high_share: Mapped[float]
    longest: Mapped[int]
    passages: Mapped[list[dict[str, Any]]]
    evidence: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PageMatch(Base):
    """A match on two pages, with its direction, confidence and credit."""

    __tablename__ = "page_match"
    __table_args__ = (
        UniqueConstraint("match_id", "low_page_id", "high_page_id"),
        CheckConstraint("low_page_id < high_page_id", name="order"),
        CheckConstraint("source_page_id IN (low_page_id, high_page_id)", name="source"),
        Index(None, "low_page_id"),
        Index(None, "high_page_id"),
        Index(None, "third_page_id", postgresql_where=text("third_page_id IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    match_id: Mapped[int] = mapped_column(BigKey, ForeignKey("match.id", ondelete="CASCADE"))
    low_page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    high_page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    source_page_id: Mapped[int] = mapped_column(BigKey)
    confidence: Mapped[float]
    reasons: Mapped[list[str]]
    credit: Mapped[Credit] = mapped_column(word(Credit))
    credit_evidence: Mapped[str] = mapped_column(server_default="")
    relation: Mapped[Relation] = mapped_column(word(Relation), server_default=Relation.COPY.value)
    third_page_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("page.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Boilerplate(Base):
    """The verdict on a run of text that is on many pages. `site_id` NULL: for all sites.

    `proves_nothing` false is stored too, so that a popular story is not judged again at every look-up. A row with
    `set_aside_id` is a run of a text that a person has set aside, whatever the counts say.
    """

    __tablename__ = "boilerplate"
    __table_args__ = (
        UniqueConstraint("seed", "site_id", "set_aside_id", postgresql_nulls_not_distinct=True),
        Index(None, "set_aside_id", "seed", postgresql_where=text("set_aside_id IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    set_aside_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("set_aside_text.id", ondelete="CASCADE"))
    owner_key: Mapped[str | None]
    """The party whose pages it holds for; NULL: not limited to one."""
    seed: Mapped[int]
    proves_nothing: Mapped[bool]
    units: Mapped[bytes]
    sample: Mapped[str]
    texts: Mapped[int]
    families: Mapped[int]
    owners: Mapped[int]
    decided_at: Mapped[datetime] = mapped_column(server_default=func.now())
