"""Files that people bring at the desk: asked for in one transaction with their job, followed while they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.jobs import queue
from storage.models.desk import BroughtFile
from storage.postgres.rows import record_of, records_of
from storage.types import FileFailure, FilePlace, Rights

SHOWN: Final = 50

UPLOADS: Final = "imports"
"""The folder in the home that holds what was uploaded until it is read."""

REFUSED: Final = "refused/"
"""Before the name of why a record was refused that should have been an article."""
PASSED: Final = "passed/"
"""Likewise, of what stands in any archive and is no article."""


@dataclass(frozen=True, slots=True)
class BroughtRecord:
    id: int
    place: FilePlace
    path: str
    site_name: str
    rights: Rights
    brought_by: str
    brought_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    bytes_in_all: int
    bytes_read: int
    counters: Mapping[str, int]
    problems: tuple[str, ...]
    failure: FileFailure | None

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2] or self.path

    @property
    def share(self) -> float:
        """How much of it is read, 0…1."""
        if self.ended_at is not None and self.failure is None:
            return 1.0
        return min(1.0, self.bytes_read / self.bytes_in_all) if self.bytes_in_all else 0.0

    @property
    def stored(self) -> int:
        return self.counters.get("new", 0) + self.counters.get("changed", 0)

    @property
    def refused(self) -> int:
        return sum(count for name, count in self.counters.items() if name.startswith(REFUSED))


def bring(session: Session, *, place: FilePlace, path: str, site_name: str, rights: Rights, brought_by: str) -> int:
    """Asks for an import; its number. One that is under way for the same path is asked for again, and nothing new is:
    whoever waits in vain, because its job was set aside, brings it once more.
    """
    values = {"place": place, "path": path, "site_name": site_name, "rights": rights, "brought_by": brought_by}
    statement = insert(BroughtFile).values(**values)
    is_open = BroughtFile.ended_at.is_(None)
    kept = statement.on_conflict_do_update(
        index_elements=[BroughtFile.place, BroughtFile.path], index_where=is_open, set_={"path": path}
    )
    number = session.scalars(kept.returning(BroughtFile.id)).one()
    defer(session, number)
    return number


def defer(session: Session, number: int) -> None:
    """Puts the job into the queue; one at a time is done, so that other work is."""
    queue.defer(session, queue.BRING_IN, once=f"{queue.BRING_IN} {number}", lock=queue.BRING_IN, number=number)


def get(session: Session, number: int) -> BroughtRecord | None:
    found = session.get(BroughtFile, number, populate_existing=True)
    return None if found is None else record_of(BroughtRecord, found)


def newest(session: Session, *, limit: int = SHOWN) -> list[BroughtRecord]:
    return records_of(BroughtRecord, session.scalars(select(BroughtFile).order_by(BroughtFile.id.desc()).limit(limit)))


def begin(session: Session, number: int, *, size: int) -> None:
    """`size`: how many bytes there are to read."""
    begun_at = func.coalesce(BroughtFile.begun_at, func.now())
    session.execute(update(BroughtFile).where(BroughtFile.id == number).values(begun_at=begun_at, bytes_in_all=size))


def note(
    session: Session, number: int, *, bytes_read: int, counters: Mapping[str, int], problems: Sequence[str]
) -> None:
    """How far it is."""
    values = {"bytes_read": bytes_read, "counters": dict(counters), "problems": list(problems)}
    session.execute(update(BroughtFile).where(BroughtFile.id == number).values(**values))


def end(session: Session, number: int, *, failure: FileFailure | None = None) -> None:
    """`failure`: why it could not be read to its end."""
    changed = update(BroughtFile).where(BroughtFile.id == number)
    session.execute(changed.values(ended_at=func.now(), failure=failure))
