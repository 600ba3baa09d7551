"""Texts encoded by meaning, and the retellings found among them."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    SmallInteger,
    Table,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import BIT
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import Dismissal, Relation, RetellingKind, RetellingState


class MeaningBackground(Base):
    """What sentences of this store look like to an encoder: their mean (float32), and a sample of them (float16).

    The vectors of texts are kept as seen from the mean, so they belong to a background and are never compared across
    two. Searches use the newest that `is_serving`; another one is being built beside it.
    """

    __tablename__ = "meaning_background"

    id: Mapped[int] = mapped_column(Integer, Identity(), primary_key=True)
    encoder: Mapped[str]
    size: Mapped[int]
    """Numbers a vector, so bits a passage."""
    mean: Mapped[bytes]
    sample: Mapped[bytes]
    texts: Mapped[int]
    """Texts in the store when it was made."""
    is_serving: Mapped[bool]
    reached_id: Mapped[int] = mapped_column(BigKey, server_default="0")
    """All texts up to this id are encoded."""
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())


class EncodedText(Base):
    """A text whose passages have vectors. `compared_at` NULL: retellings of it were not sought yet, or `attempts` at it
    failed, the last by `error`; it is tried again from `not_before` on.
    """

    __tablename__ = "encoded_text"
    __table_args__ = (
        Index("ix_encoded_text_uncompared", "background_id", "text_id", postgresql_where=text("compared_at IS NULL")),
    )

    text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"), primary_key=True)
    background_id: Mapped[int] = mapped_column(
        Integer, ForeignKey("meaning_background.id", ondelete="CASCADE"), primary_key=True
    )
    passages: Mapped[int]
    encoded_at: Mapped[datetime] = mapped_column(server_default=func.now())
    compared_at: Mapped[datetime | None]
    not_before: Mapped[datetime] = mapped_column(server_default=func.now())
    attempts: Mapped[int] = mapped_column(server_default="0")
    error: Mapped[str | None]


PASSAGE_VECTOR: Final = Table(
    "passage_vector",
    Base.metadata,
    Column("text_id", BigKey, nullable=False),
    Column("background_id", Integer, nullable=False),
    Column("bits", BIT(varying=True), nullable=False),
    Column("number", SmallInteger),
    Column("is_chinese", Boolean),
    ForeignKeyConstraint(
        ["text_id", "background_id"], ["encoded_text.text_id", "encoded_text.background_id"], ondelete="CASCADE"
    ),
    Index(None, "text_id"),
)
"""The signs of a passage's vector, one bit a dimension; `number`: its place among the passages of the text, from 0,
NULL if it was encoded before places were kept; `is_chinese`: whether its text is, NULL if encoded before that was kept.
Without a key: an index with an entry of its own for each of some twenty passages would take as much as a quarter of
the vectors."""


class Retelling(Base):
    """Two pages of different owners, one of which may retell or translate the other. It opens no case by itself."""

    __tablename__ = "retelling"
    __table_args__ = (
        UniqueConstraint("low_page_id", "high_page_id"),
        CheckConstraint("low_page_id < high_page_id", name="order"),
        CheckConstraint("source_page_id IN (low_page_id, high_page_id)", name="source"),
        Index(None, "high_page_id"),
        Index(None, "low_text_id"),
        Index(None, "high_text_id"),
        Index("ix_retelling_surest", "state", text("score DESC"), "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    low_page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    high_page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    low_text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"))
    high_text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"))
    encoder: Mapped[str]
    kind: Mapped[RetellingKind] = mapped_column(word(RetellingKind))
    score: Mapped[float]
    low_share: Mapped[float]
    high_share: Mapped[float]
    in_order: Mapped[int]
    figures_shared: Mapped[int]
    figures_most: Mapped[int]
    particulars: Mapped[list[str]]
    sentences: Mapped[list[dict[str, Any]]]
    source_page_id: Mapped[int] = mapped_column(BigKey)
    confidence: Mapped[float]
    reasons: Mapped[list[str]]
    relation: Mapped[Relation] = mapped_column(word(Relation), server_default=Relation.COPY.value)
    third_page_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("page.id", ondelete="SET NULL"))
    state: Mapped[RetellingState] = mapped_column(word(RetellingState), server_default=RetellingState.OPEN.value)
    dismissed_because: Mapped[Dismissal | None] = mapped_column(word(Dismissal))
    case_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("case.id", ondelete="SET NULL"))
    decided_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("account.id", ondelete="SET NULL"))
    decided_at: Mapped[datetime | None]
    found_at: Mapped[datetime] = mapped_column(server_default=func.now())
