"""Logs of crawls, stored with their runs and bounded in age and size."""

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
"""Of all logs together; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class CrawlLogRecord:
    """`text`: the beginning and the end of the log, with a line between them if `bytes_left_out` are missing."""

    run_id: int
    text: str
    bytes_left_out: int
    most_memory: int
    written_at: datetime


def keep(session: Session, run_id: int, text: str, *, bytes_left_out: int, most_memory: int) -> None:
    """Stores the log of a run so far; called repeatedly during the run."""
    values = {"text": storable(text), "bytes_left_out": bytes_left_out, "most_memory": most_memory}
    # The run may have been removed with its site.
    run = select(CrawlRun.id, *(literal(value) for value in values.values())).where(CrawlRun.id == run_id)
    statement = insert(CrawlLog).from_select(["run_id", *values], run)
    session.execute(
        statement.on_conflict_do_update(index_elements=[CrawlLog.run_id], set_={**values, "written_at": func.now()})
    )


def get(session: Session, run_id: int) -> CrawlLogRecord | None:
    row = session.get(CrawlLog, run_id)
    return None if row is None else record_of(CrawlLogRecord, row)


def drop_old(session: Session, before: datetime, *, most_bytes: int = MOST_BYTES) -> int:
    """Drops logs last written before `before`, and the oldest beyond `most_bytes`. Returns how many."""
    newer = func.sum(func.octet_length(CrawlLog.text)).over(order_by=CrawlLog.run_id.desc())
    sums = select(CrawlLog.run_id, newer.label("bytes")).subquery()
    too_much = select(sums.c.run_id).where(sums.c.bytes > most_bytes)
    gone = delete(CrawlLog).where((CrawlLog.written_at < before) | CrawlLog.run_id.in_(too_much))
    return len(session.scalars(gone.returning(CrawlLog.run_id)).all())
