"""What crawls said, kept with their runs and bounded in age and size."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.operation import CrawlLog
from storage.models.sites import CrawlRun
from storage.postgres.rows import record_of
from storage.postgres.text import storable

MOST_BYTES: Final = 256_000_000
"""Of all logs together; the oldest go first."""


@dataclass(frozen=True, slots=True)
class CrawlLogRecord:
    """`text`: the beginning and the end, with a line between them where `bytes_left_out` are missing."""

    run_id: int
    text: str
    bytes_left_out: int
    most_memory: int
    written_at: datetime


def keep(session: Session, run_id: int, text: str, *, bytes_left_out: int, most_memory: int) -> None:
    """The log of a run, as far as it is known; called again while the run goes on."""
    values = {"text": storable(text), "bytes_left_out": bytes_left_out, "most_memory": most_memory}
    # Of a run that was removed with its site nothing is kept.
    run = select(CrawlRun.id, *(literal(value) for value in values.values())).where(CrawlRun.id == run_id)
    statement = insert(CrawlLog).from_select(["run_id", *values], run)
    session.execute(
        statement.on_conflict_do_update(index_elements=[CrawlLog.run_id], set_={**values, "written_at": func.now()})
    )


def get(session: Session, run_id: int) -> CrawlLogRecord | None:
    row = session.get(CrawlLog, run_id)
    return None if row is None else record_of(CrawlLogRecord, row)


def drop_old(session: Session, before: datetime, *, most_bytes: int = MOST_BYTES) -> int:
    """Drops logs last written before then, and the oldest of those that are too much together. Returns how many."""
    newer = func.sum(func.octet_length(CrawlLog.text)).over(order_by=CrawlLog.run_id.desc())
    sums = select(CrawlLog.run_id, newer.label("bytes")).subquery()
    too_much = select(sums.c.run_id).where(sums.c.bytes > most_bytes)
    gone = delete(CrawlLog).where((CrawlLog.written_at < before) | CrawlLog.run_id.in_(too_much))
    return len(session.scalars(gone.returning(CrawlLog.run_id)).all())
