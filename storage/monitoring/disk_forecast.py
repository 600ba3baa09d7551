"""Disk forecast: growth of disks, from stored samples, and the date on which one will be full."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from statistics import median
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.orm import Session

from storage.models.watch import DiskSample as DiskSampleRow
from storage.postgres.rows import columns_of, record_of, records_of
from storage.records.monitoring import DiskSample

SAMPLE_EVERY: Final = timedelta(hours=1)
LOOKED_BACK: Final = timedelta(days=30)
KEPT: Final = timedelta(days=400)
FEWEST_DAYS: Final = 3
"""Least days with samples for a forecast."""
FARTHEST: Final = timedelta(days=3_650)
"""Growth that fills the disk in more than ten years is ignored."""
LOW_SHARE: Final = 0.05
LOW_WITHIN: Final = timedelta(days=7)
"""A disk is reported if it will be full within a week, or has less than a twentieth left."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of one machine. `growth`: bytes used more each day; `database_growth`: those of the database alone.

    None if too little is known. `full_at` None: not within ten years, or unknown.
    """

    machine: str
    at: datetime
    total: int
    free: int
    database: int
    growth: float | None = None
    database_growth: float | None = None
    full_at: datetime | None = None

    def is_low(self, now: datetime) -> bool:
        is_near = self.full_at is not None and self.full_at - now < LOW_WITHIN
        return is_near or self.free < LOW_SHARE * self.total


def forecast(samples: Sequence[DiskSample]) -> Forecast:
    """Return the forecast of one machine from its samples, at least one, in order. Pure.

    Uses the last sample of each date, and the median of the slopes between any two: a date on which something large was
    moved or deleted does not distort it.
    """
    last = samples[-1]
    daily = list({sample.at.date(): sample for sample in samples}.values())
    if len(daily) < FEWEST_DAYS:
        return record_of(Forecast, last)
    growth = _slope([(one.at, one.total - one.free) for one in daily])
    database_growth = _slope([(one.at, one.database) for one in daily])
    full_at = None
    if growth > 0 and last.free / growth < FARTHEST.days:
        full_at = last.at + timedelta(days=last.free / growth)
    return record_of(Forecast, last, growth=growth, database_growth=database_growth, full_at=full_at)


def _slope(points: Iterable[tuple[datetime, int]]) -> float:
    """Seconds of a day."""
    pairs = combinations(points, 2)
    return median((value - before) / ((at - then) / timedelta(days=1)) for (then, before), (at, value) in pairs)


def is_due(session: Session, machine: str, now: datetime) -> bool:
    """Whether the machine was not sampled within the hour."""
    table = DiskSampleRow
    last = session.scalar(select(func.max(table.at)).where(table.machine == machine))
    return last is None or last <= now - SAMPLE_EVERY


def add_sample(session: Session, machine: str, now: datetime, *, total: int, free: int) -> None:
    """Store a sample of disk space and database size; delete samples that are too old."""
    table = DiskSampleRow
    database = session.scalar(select(func.pg_database_size(func.current_database())))
    values = {"machine": machine, "at": now, "total_bytes": total, "free_bytes": free, "database_bytes": database}
    session.execute(insert(table).values(**values).on_conflict_do_nothing())
    session.execute(delete(table).where(table.at < now - KEPT))


def forecasts(session: Session, now: datetime) -> list[Forecast]:
    """Return the forecast of each machine sampled recently, by name."""
    table = DiskSampleRow
    sizes = {"total": table.total_bytes, "free": table.free_bytes, "database": table.database_bytes}
    columns = columns_of(DiskSample, table, **sizes)
    rows = session.execute(
        select(*columns)
        # The last sample of each date.
        .ext(distinct_on(table.machine, func.date_trunc("day", table.at)))
        .where(table.at > now - LOOKED_BACK)
        .order_by(table.machine, func.date_trunc("day", table.at), table.at.desc())
    )
    by_machine: dict[str, list[DiskSample]] = {}
    for sample in records_of(DiskSample, rows):
        by_machine.setdefault(sample.machine, []).append(sample)
    return [forecast(samples) for samples in by_machine.values()]
