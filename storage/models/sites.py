"""Who publishes, and where."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.types import Rights, SiteRole, word


class Owner(Base):
    """Who stands behind sites; sites of one owner never accuse each other."""

    __tablename__ = "owner"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True, init=False)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    registration: Mapped[str] = mapped_column(default="", server_default="")
    complaint_address: Mapped[str] = mapped_column(default="", server_default="")
    notes: Mapped[str] = mapped_column(default="", server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), init=False)


class Site(Base):
    """A publisher's site and how to crawl it."""

    __tablename__ = "site"
    __table_args__ = (Index(None, "hosts", postgresql_using="gin"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True, init=False)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    owner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("owner.id", ondelete="RESTRICT"), index=True)
    role: Mapped[SiteRole] = mapped_column(word(SiteRole))
    hosts: Mapped[list[str]]
    start_urls: Mapped[list[str]]
    sitemaps: Mapped[list[str]] = mapped_column(server_default="{}", default_factory=list)
    feeds: Mapped[list[str]] = mapped_column(server_default="{}", default_factory=list)
    allow: Mapped[list[str]] = mapped_column(server_default="{}", default_factory=list)
    deny: Mapped[list[str]] = mapped_column(server_default="{}", default_factory=list)
    extraction_rule: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    schedule: Mapped[str | None] = mapped_column(default=None)
    delay_s: Mapped[float] = mapped_column(default=1.0, server_default="1")
    page_budget: Mapped[int | None] = mapped_column(default=None)
    time_zone: Mapped[str] = mapped_column(default="Asia/Shanghai", server_default="Asia/Shanghai")
    rights: Mapped[Rights] = mapped_column(word(Rights), default=Rights.UNKNOWN, server_default="unknown")
    enabled: Mapped[bool] = mapped_column(default=True, server_default="true")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), init=False)


class CrawlRun(Base):
    """One crawl of one site, with its counters."""

    __tablename__ = "crawl_run"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True, init=False)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), index=True)
    trigger: Mapped[str] = mapped_column(String(40))
    started_at: Mapped[datetime] = mapped_column(server_default=func.now(), init=False)
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
    exit_reason: Mapped[str | None] = mapped_column(default=None)
    counters: Mapped[dict[str, int]] = mapped_column(server_default="{}", default_factory=dict)
    refusal_samples: Mapped[dict[str, list[str]]] = mapped_column(server_default="{}", default_factory=dict)
