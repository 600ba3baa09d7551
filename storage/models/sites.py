"""Owners, sites, runs and licences."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import Credit, Rights, SiteRole


class Owner(Base):
    """The operator of sites; sites of one owner make no hits with each other."""

    __tablename__ = "owner"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    registration: Mapped[str] = mapped_column(server_default="")
    complaint_address: Mapped[str] = mapped_column(server_default="")
    notes: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class OwnerAccount(Base):
    """An account on a platform of many authors that a person has found to be an owner's."""

    __tablename__ = "owner_account"

    account: Mapped[str] = mapped_column(primary_key=True)
    """As Page.account."""
    owner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="CASCADE"), index=True)
    added_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Site(Base):
    """A publisher's site and how to crawl it."""

    __tablename__ = "site"
    __table_args__ = (Index(None, "hosts", postgresql_using="gin"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    owner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="RESTRICT"), index=True)
    role: Mapped[SiteRole] = mapped_column(word(SiteRole))
    hosts: Mapped[list[str]]
    start_urls: Mapped[list[str]]
    sitemaps: Mapped[list[str]] = mapped_column(server_default="{}")
    feeds: Mapped[list[str]] = mapped_column(server_default="{}")
    allow: Mapped[list[str]] = mapped_column(server_default="{}")
    deny: Mapped[list[str]] = mapped_column(server_default="{}")
    extraction_rule: Mapped[dict[str, Any] | None]
    delay_s: Mapped[float] = mapped_column(server_default="1")
    page_budget: Mapped[int | None]
    time_zone: Mapped[str] = mapped_column(server_default="Asia/Shanghai")
    rights: Mapped[Rights] = mapped_column(word(Rights), server_default="unknown")
    enabled: Mapped[bool] = mapped_column(server_default="true")
    browser: Mapped[bool] = mapped_column(server_default="false")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class CrawlRun(Base):
    """One crawl of one site, with its counters."""

    __tablename__ = "crawl_run"
    __table_args__ = (
        Index("ix_crawl_run_to_tally", "id", postgresql_where=text("NOT tallied")),
        Index(None, "site_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    trigger: Mapped[str] = mapped_column(String(40))
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    exit_reason: Mapped[str | None]
    counters: Mapped[dict[str, int]] = mapped_column(server_default="{}")
    refusal_samples: Mapped[dict[str, list[str]]] = mapped_column(server_default="{}")
    tallied: Mapped[bool] = mapped_column(server_default="false")
    """Whether its counters are included in the daily totals and the totals of all runs."""


class Licence(Base):
    """Permission for others to republish articles of ours, with its terms."""

    __tablename__ = "licence"
    __table_args__ = (
        # A duplicate licence is a mistake: nothing would distinguish the two rows.
        UniqueConstraint(
            *("owner_id", "author", "article_url", "copier_id", "columns", "requires", "delay_days"),
            *("valid_from", "valid_until"),
            name="uq_licence_terms",
            postgresql_nulls_not_distinct=True,
        ),
        CheckConstraint("num_nonnulls(owner_id, author, article_url) = 1", name="one_licensor"),
        CheckConstraint("owner_id <> copier_id", name="not_to_itself"),
        CheckConstraint("delay_days >= 0", name="delay"),
        CheckConstraint("valid_from < valid_until", name="term"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    owner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="CASCADE"))
    author: Mapped[str | None]
    article_url: Mapped[str | None]
    copier_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="CASCADE"))
    """NULL: anyone may."""
    columns: Mapped[list[str]] = mapped_column(server_default="{}")
    requires: Mapped[Credit] = mapped_column(word(Credit))
    delay_days: Mapped[int] = mapped_column(server_default="0")
    valid_from: Mapped[datetime | None]
    valid_until: Mapped[datetime | None]
    """The first moment at which it is no longer in force."""
    notes: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
