"""Pages, their versions, texts, and fingerprints."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, String, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import Unsigned64, word
from storage.types import DateOrigin, FoundBy, Precision, Rights

LAST_BAND_VALUE = 0xFFFF


def _grams(table: str, column: str) -> Index:
    """An index for substring search: `text_grams` (pairs of adjacent characters) comes with revision 0011."""
    return Index(
        f"ix_{table}_{column}_grams",
        text(f"text_grams({column})"),
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )


class Page(Base):
    """A page. Without a site it belongs to its URL's host and to no owner."""

    __tablename__ = "page"
    __table_args__ = (
        Index(None, "next_visit_at", postgresql_where=text("gone_at IS NULL")),
        Index("ix_page_site_id_id", "site_id", "id"),
        Index("ix_page_account", "account", postgresql_where=text("account IS NOT NULL")),
        _grams("page", "url"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    url: Mapped[str] = mapped_column(unique=True)
    host: Mapped[str] = mapped_column(index=True)
    site_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    found_by: Mapped[FoundBy] = mapped_column(word(FoundBy))
    found_by_whom: Mapped[str | None]
    first_seen_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]
    etag: Mapped[str | None]
    last_modified: Mapped[str | None]
    next_visit_at: Mapped[datetime | None]
    gone_at: Mapped[datetime | None]
    account: Mapped[str | None]
    """On a platform of many authors, whose page it is: “platform:id”."""
    account_name: Mapped[str] = mapped_column(server_default="")


class Text(Base):
    """A text as published, unique by SHA-256 of its UTF-8 bytes: identical copies share a row and a fingerprint."""

    __tablename__ = "text"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sha256: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    body: Mapped[str]
    chars: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class TextFamily(Base):
    """The story of a text. A narrow table, since families merge and wide tables are never updated."""

    __tablename__ = "text_family"

    text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"), primary_key=True)
    family_id: Mapped[int] = mapped_column(BigKey, index=True)


class PageVersion(Base):
    """A version of a page: its text, with the metadata of the page."""

    __tablename__ = "page_version"
    __table_args__ = (
        UniqueConstraint("page_id", "text_id"),
        Index(None, "fetched_at"),
        Index("uq_page_version_current", "page_id", unique=True, postgresql_where=text("is_current")),
        _grams("page_version", "title"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"))
    text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="RESTRICT"), index=True)
    fetched_at: Mapped[datetime]
    is_current: Mapped[bool]
    title: Mapped[str] = mapped_column(server_default="")
    author: Mapped[str] = mapped_column(server_default="")
    language: Mapped[str] = mapped_column(String(16), server_default="")
    published_at: Mapped[datetime | None]
    published_precision: Mapped[Precision] = mapped_column(word(Precision))
    published_origin: Mapped[DateOrigin] = mapped_column(word(DateOrigin))
    rights: Mapped[Rights] = mapped_column(word(Rights))
    credit_lines: Mapped[list[str]] = mapped_column(server_default="{}")
    credit_links: Mapped[list[str]] = mapped_column(server_default="{}")
    canonical_link: Mapped[str | None]
    lead_image: Mapped[str | None]
    kind: Mapped[str] = mapped_column(String(24), server_default="article")
    """A value of `ArticleKind`; a new one needs no migration."""
    posts: Mapped[list[dict[str, Any]]] = mapped_column(server_default="[]")
    """Of a thread: the author of each post, and the character at which it begins."""
    raw_reference: Mapped[str | None]


def _band(number: int) -> Index:
    # Covering: a look-up by one band is an index-only scan that includes the simhash.
    return Index(f"ix_fingerprint_band_{number}", f"band_{number}", postgresql_include=["simhash", "text_id"])


def _gin(column: str) -> Index:
    # fastupdate off: every query would scan the pending list until it is merged.
    return Index(f"ix_fingerprint_{column}", column, postgresql_using="gin", postgresql_with={"fastupdate": "off"})


class StoredFingerprint(Base):
    """The fingerprint of a text. Never updated: an update would insert a hundred index keys again."""

    __tablename__ = "fingerprint"
    __table_args__ = (
        *(_band(number) for number in range(4)),
        _gin("slices"),
        _gin("seeds"),
        CheckConstraint(
            " AND ".join(f"band_{number} BETWEEN 0 AND {LAST_BAND_VALUE}" for number in range(4)), name="band_range"
        ),
        CheckConstraint("(simhash IS NULL) = (band_0 IS NULL)", name="bands_follow_simhash"),
    )

    text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"), primary_key=True)
    algorithm_version: Mapped[int] = mapped_column(primary_key=True)
    simhash: Mapped[int | None] = mapped_column(Unsigned64())
    band_0: Mapped[int | None]
    band_1: Mapped[int | None]
    band_2: Mapped[int | None]
    band_3: Mapped[int | None]
    feature_count: Mapped[int]
    unit_count: Mapped[int]
    slices: Mapped[list[int]] = mapped_column(ARRAY(Integer()))
    seeds: Mapped[list[int]] = mapped_column(ARRAY(Integer()))


class Recompute(Base):
    """The queue of texts that need a fingerprint of the current algorithm version."""

    __tablename__ = "recompute"

    text_id: Mapped[int] = mapped_column(BigKey, ForeignKey("text.id", ondelete="CASCADE"), primary_key=True)


class Backlog(Base):
    """The backlog of versions to compare. A row is removed in the transaction that stores the results."""

    __tablename__ = "backlog"
    __table_args__ = (Index(None, "not_before", "page_version_id"),)

    page_version_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("page_version.id", ondelete="CASCADE"), primary_key=True
    )
    not_before: Mapped[datetime] = mapped_column(server_default=func.now())
    attempts: Mapped[int] = mapped_column(server_default="0")
    error: Mapped[str | None]
