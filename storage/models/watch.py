"""Monitoring: daily totals and alarms of sites, totals of counters, disk samples, publication times of pages."""

from datetime import date, datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.monitoring import Measure


class SiteDay(Base):
    """Totals of the runs of a site that ended on a date in its time zone. A date without a row had no run."""

    __tablename__ = "site_day"

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    runs: Mapped[int]
    answered: Mapped[int]
    failed: Mapped[int]
    read: Mapped[int]
    empty: Mapped[int]
    articles: Mapped[int]
    chars: Mapped[int] = mapped_column(BigInteger)


class CrawlTotal(Base):
    """A counter totalled over all finished runs, including those of removed sites."""

    __tablename__ = "crawl_total"

    name: Mapped[str] = mapped_column(primary_key=True)
    """Named as in a run; `runs/<exit reason>` counts the runs."""
    count: Mapped[int] = mapped_column(BigInteger)


class SiteAlarm(Base):
    """A measure of a site outside its band. At most one per measure is open."""

    __tablename__ = "site_alarm"
    __table_args__ = (
        Index("uq_site_alarm_open", "site_id", "measure", unique=True, postgresql_where=text("closed_at IS NULL")),
        Index(None, "site_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    measure: Mapped[Measure] = mapped_column(word(Measure))
    day: Mapped[date]
    """The last date on which it was outside its band."""
    value: Mapped[float]
    usual: Mapped[float]
    low: Mapped[float | None]
    high: Mapped[float | None]
    run_id: Mapped[int | None] = mapped_column(BigInteger)
    """The run that caused it, if it was one; no foreign key, since runs may be removed."""
    opened_at: Mapped[datetime] = mapped_column(server_default=func.now())
    closed_at: Mapped[datetime | None]
    accepted_by: Mapped[str | None] = mapped_column(String(80))
    """The person who marked it as normal: values before `closed_at` are no longer compared with."""


class DiskSample(Base):
    """Disk space of a machine and size of the database."""

    __tablename__ = "disk_sample"
    __table_args__ = (Index(None, "at"),)

    machine: Mapped[str] = mapped_column(String(200), primary_key=True)
    at: Mapped[datetime] = mapped_column(primary_key=True)
    total_bytes: Mapped[int] = mapped_column(BigInteger)
    free_bytes: Mapped[int] = mapped_column(BigInteger)
    database_bytes: Mapped[int] = mapped_column(BigInteger)


class PageAppearance(Base):
    """When a page was published, to the minute, as a feed or sitemap states it. Of other pages only the first sighting
    is known.
    """

    __tablename__ = "page_appearance"

    page_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    at: Mapped[datetime]
