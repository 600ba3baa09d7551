"""Unattended operation: schedules, job failures, crawl logs, captures of case pages, timestamps.

The queue itself belongs to procrastinate and has a schema of its own; see `storage.jobs.queue`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.types import CopyState


class Schedule(Base):
    """The crawl schedule of a site. Without one a site is crawled on request only."""

    __tablename__ = "schedule"
    __table_args__ = (
        CheckConstraint("jitter_s >= 0", name="jitter"),
        Index(None, "next_at"),
    )

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    rule: Mapped[str]
    """A cron expression of five fields, or `every 6 h`."""
    time_zone: Mapped[str | None]
    """The zone of the cron expression; NULL: the site's."""
    jitter_s: Mapped[int] = mapped_column(server_default="0")
    """Each run starts up to so many seconds later at random, so that not all sites start on the hour."""
    paused: Mapped[bool] = mapped_column(server_default="false")
    next_at: Mapped[datetime | None]
    last_at: Mapped[datetime | None]
    """When it last queued a run."""


class JobFailure(Base):
    """Each failure of a job with its error, which the queue does not keep."""

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
    """Whether it is not retried automatically."""


class CrawlLog(Base):
    """The log of a crawl process: of a long one, the beginning and the end."""

    __tablename__ = "crawl_log"

    run_id: Mapped[int] = mapped_column(BigKey, ForeignKey("crawl_run.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str]
    bytes_left_out: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """Of its middle."""
    most_memory: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """Peak memory in bytes; 0 if unknown on this system."""
    written_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)


class CaseCapture(Base):
    """The last capture of a page for a case, and the state of the copy. `entry`: the number of the evidence entry."""

    __tablename__ = "case_capture"
    __table_args__ = (
        Index(None, "page_id"),
        Index(None, "next_at", postgresql_where=text("next_at IS NOT NULL")),
    )

    case_id: Mapped[int] = mapped_column(BigKey, ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    page_id: Mapped[int] = mapped_column(BigKey, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime]
    entry: Mapped[int] = mapped_column(BigKey)
    refusal: Mapped[str | None]
    state: Mapped[CopyState] = mapped_column(word(CopyState))
    since: Mapped[datetime]
    missing_since: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default="0")
    """Captures since the last one that was complete: with a response, and a record in a browser."""
    next_at: Mapped[datetime | None]
    """When a capture that failed, or lacks its record in a browser, is tried again; NULL: not by itself."""
    picture_problem: Mapped[str | None]
    """Why the last record in a browser is missing or not complete; NULL: none failed."""


class TimeStamp(Base):
    """A timestamp of a chain head by an authority (RFC 3161): request and response."""

    __tablename__ = "time_stamp"
    __table_args__ = (
        CheckConstraint("octet_length(hash) = 32", name="hash"),
        Index(None, "number"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    number: Mapped[int] = mapped_column(BigKey)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    stamped_at: Mapped[datetime]
    """As stated by the authority."""
    authority: Mapped[str]
    request: Mapped[bytes]
    response: Mapped[bytes]
    certificates: Mapped[str]
    """The certificates trusted at that time, as PEM."""
