"""How Zhiwen watches over itself: days of sites, what left its band, what was counted, disks, when pages appeared."""

from datetime import date, datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.records.monitoring import Measure
from storage.types import word


class SiteDay(Base):
    """Sums over the runs of a site that ended on a day of its calendar. A day without a row had no run."""

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
    """A counter summed up over all runs that have ended, also of sites that are no more."""

    __tablename__ = "crawl_total"

    name: Mapped[str] = mapped_column(primary_key=True)
    """As in the counters of a run; `runs/<exit reason>` counts the runs."""
    count: Mapped[int] = mapped_column(BigInteger)


class SiteAlarm(Base):
    """A measure of a site that left its band. One at a time is open for each."""

    __tablename__ = "site_alarm"
    __table_args__ = (
        Index("uq_site_alarm_open", "site_id", "measure", unique=True, postgresql_where=text("closed_at IS NULL")),
        Index(None, "site_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"))
    measure: Mapped[Measure] = mapped_column(word(Measure))
    day: Mapped[date]
    """The last one on which it was out of its band."""
    value: Mapped[float]
    usual: Mapped[float]
    low: Mapped[float | None]
    high: Mapped[float | None]
    run_id: Mapped[int | None] = mapped_column(BigInteger)
    """The run that brought it, where it was one; without a foreign key, since runs may be cleared away."""
    opened_at: Mapped[datetime] = mapped_column(server_default=func.now())
    closed_at: Mapped[datetime | None]
    accepted_by: Mapped[str | None] = mapped_column(String(80))
    """The name of whoever said that it is to be taken for usual: what was before `closed_at` is no measure then."""


class DiskSample(Base):
    """How full a machine's disk was, and how large the database."""

    __tablename__ = "disk_sample"
    __table_args__ = (Index(None, "at"),)

    machine: Mapped[str] = mapped_column(String(200), primary_key=True)
    at: Mapped[datetime] = mapped_column(primary_key=True)
    total_bytes: Mapped[int] = mapped_column(BigInteger)
    free_bytes: Mapped[int] = mapped_column(BigInteger)
    database_bytes: Mapped[int] = mapped_column(BigInteger)


class PageAppearance(Base):
    """When a feed or sitemap says, to the minute, that a page was published. Of other pages nobody knows before they
    were first seen.
    """

    __tablename__ = "page_appearance"

    page_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("page.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    at: Mapped[datetime]
