"""What is done without anybody at a terminal: schedules, jobs set aside, pages captured for cases, time stamps.

The queue itself belongs to procrastinate and stands in a schema of its own; see `storage.jobs.queue`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func

from storage.base import Base, BigKey
from storage.types import CopyState, word


class Schedule(Base):
    """When a site is crawled by itself. A site without one is crawled on request alone."""

    __tablename__ = "schedule"
    __table_args__ = (
        CheckConstraint("jitter_s >= 0", name="jitter"),
        Index(None, "next_at"),
    )

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    rule: Mapped[str]
    """A cron expression of five fields, or `every 6 h`."""
    time_zone: Mapped[str | None]
    """Of the cron expression; NULL: the site's."""
    jitter_s: Mapped[int] = mapped_column(server_default="0")
    """Each run begins up to so much later, by chance: not all sites at the full hour."""
    paused: Mapped[bool] = mapped_column(server_default="false")
    next_at: Mapped[datetime | None]
    last_at: Mapped[datetime | None]
    """When it last put a run into the queue."""


class JobFailure(Base):
    """What a job failed of, each time. The queue keeps that it failed, not why."""

    __tablename__ = "job_failure"
    __table_args__ = (Index(None, "job_id"), Index(None, "at"))

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    job_id: Mapped[int] = mapped_column(BigKey)
    task: Mapped[str]
    arguments: Mapped[dict[str, Any]]
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    attempt: Mapped[int]
    error: Mapped[str]
    set_aside: Mapped[bool]
    """Whether it is not tried again by itself."""


class CrawlLog(Base):
    """What the process of a crawl said: its beginning and its end, where it said much."""

    __tablename__ = "crawl_log"

    run_id: Mapped[int] = mapped_column(BigKey, ForeignKey("crawl_run.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str]
    bytes_left_out: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """Of its middle."""
    most_memory: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """Bytes that it held at most; 0 where this system does not tell."""
    written_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)


class CaseCapture(Base):
    """The last time that a page of a case was captured for it, and what is known of the copy since. `entry` numbers the
    evidence.
    """

    __tablename__ = "case_capture"
    __table_args__ = (Index(None, "page_id"),)

    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime]
    entry: Mapped[int] = mapped_column(BigKey)
    refusal: Mapped[str | None]
    state: Mapped[CopyState] = mapped_column(word(CopyState))
    since: Mapped[datetime]
    missing_since: Mapped[datetime | None]


class TimeStamp(Base):
    """That an authority saw a head of the evidence's chain (RFC 3161): what was asked and what it answered."""

    __tablename__ = "time_stamp"
    __table_args__ = (
        CheckConstraint("octet_length(hash) = 32", name="hash"),
        Index(None, "number"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    number: Mapped[int] = mapped_column(BigKey)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    stamped_at: Mapped[datetime]
    """As the authority says."""
    authority: Mapped[str]
    request: Mapped[bytes]
    response: Mapped[bytes]
    certificates: Mapped[str]
    """The certificates that were trusted when it was asked, as PEM."""
