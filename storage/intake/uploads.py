"""Files imported from the desk: requested in one transaction with their job, with progress while they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.jobs import queue
from storage.models.desk import ImportedFile
from storage.postgres.rows import record_of, records_of
from storage.types import FileFailure, FilePlace, Rights

SHOWN: Final = 50

UPLOADS: Final = "imports"
"""The folder in the home for uploaded files until they are read."""

REFUSED: Final = "refused/"
"""Prefix of counters of refused records, before the reason."""
PASSED: Final = "passed/"
"""Prefix of counters of records in an archive that are no articles."""


@dataclass(frozen=True, slots=True)
class FileImport:
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
        """The share that is read, 0…1."""
        if self.ended_at is not None and self.failure is None:
            return 1.0
        return min(1.0, self.bytes_read / self.bytes_in_all) if self.bytes_in_all else 0.0

    @property
    def stored(self) -> int:
        return self.counters.get("new", 0) + self.counters.get("changed", 0)

    @property
    def refused(self) -> int:
        return sum(count for name, count in self.counters.items() if name.startswith(REFUSED))


def request_import(
    session: Session, *, place: FilePlace, path: str, site_name: str, rights: Rights, brought_by: str
) -> int:
    """Requests an import. Returns its id. For a path with an unfinished import, its job is queued again."""
    values = {"place": place, "path": path, "site_name": site_name, "rights": rights, "brought_by": brought_by}
    statement = insert(ImportedFile).values(**values)
    is_open = ImportedFile.ended_at.is_(None)
    kept = statement.on_conflict_do_update(
        index_elements=[ImportedFile.place, ImportedFile.path], index_where=is_open, set_={"path": path}
    )
    number = session.scalars(kept.returning(ImportedFile.id)).one()
    defer(session, number)
    return number


def defer(session: Session, number: int) -> None:
    """Queues the job; imports run one at a time, so that other jobs run too."""
    queue.defer(session, queue.IMPORT, once=f"{queue.IMPORT} {number}", lock=queue.IMPORT, number=number)


def get(session: Session, number: int) -> FileImport | None:
    found = session.get(ImportedFile, number, populate_existing=True)
    return None if found is None else record_of(FileImport, found)


def newest(session: Session, *, limit: int = SHOWN) -> list[FileImport]:
    return records_of(FileImport, session.scalars(select(ImportedFile).order_by(ImportedFile.id.desc()).limit(limit)))


def begin(session: Session, number: int, *, size: int) -> None:
    """`size`: how many bytes there are to read."""
    begun_at = func.coalesce(ImportedFile.begun_at, func.now())
    session.execute(update(ImportedFile).where(ImportedFile.id == number).values(begun_at=begun_at, bytes_in_all=size))


def note(
    session: Session, number: int, *, bytes_read: int, counters: Mapping[str, int], problems: Sequence[str]
) -> None:
    """Records the progress."""
    values = {"bytes_read": bytes_read, "counters": dict(counters), "problems": list(problems)}
    session.execute(update(ImportedFile).where(ImportedFile.id == number).values(**values))


def end(session: Session, number: int, *, failure: FileFailure | None = None) -> None:
    """Records the end of an import. `failure`: why it could not be read to its end."""
    changed = update(ImportedFile).where(ImportedFile.id == number)
    session.execute(changed.values(ended_at=func.now(), failure=failure))
