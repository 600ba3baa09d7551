"""Timestamps of chain heads by an authority (RFC 3161)."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.operation import TimeStamp
from storage.postgres.rows import record_of
from storage.postgres.writes import values_of
from storage.records.evidence import Head


@dataclass(frozen=True, slots=True)
class StampRecord:
    """`at`: as stated by the authority. `certificates`: PEM, those trusted at the time."""

    head: Head
    at: datetime
    authority: str
    request: bytes
    response: bytes
    certificates: str


def add(session: Session, stamp: StampRecord) -> None:
    head = asdict(stamp.head)
    session.execute(insert(TimeStamp).values(values_of(TimeStamp, stamp, stamped_at=stamp.at, **head)))


def all_stamps(session: Session) -> list[StampRecord]:
    """All timestamps, oldest first: some hundreds a year."""
    found = session.scalars(select(TimeStamp).order_by(TimeStamp.number, TimeStamp.id))
    return [_record(row) for row in found]


def newest(session: Session) -> StampRecord | None:
    row = session.scalar(select(TimeStamp).order_by(TimeStamp.number.desc(), TimeStamp.id.desc()).limit(1))
    return None if row is None else _record(row)


def _record(row: TimeStamp) -> StampRecord:
    return record_of(StampRecord, row, head=record_of(Head, row), at=row.stamped_at)
