"""History of back-ups of this store, and of their test restores."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from storage.models.upkeep import Backup
from storage.postgres.rows import record_of, records_of


@dataclass(frozen=True, slots=True)
class BackupRecord:
    """`place`: machine and path at that time; the store cannot know whether the file still exists."""

    id: int
    made_at: datetime
    place: str
    bytes: int
    tested_at: datetime | None


def record(session: Session, *, made_at: datetime, place: str, size: int) -> int:
    """Record a complete back-up; return its id."""
    statement = insert(Backup).values(made_at=made_at, place=place, bytes=size).returning(Backup.id)
    return session.execute(statement).scalar_one()


def record_tested(session: Session, *, made_at: datetime, at: datetime) -> bool:
    """Record that the back-up of that moment was restored and verified; False if this store has no such back-up."""
    done = session.execute(update(Backup).where(Backup.made_at == made_at).values(tested_at=at).returning(Backup.id))
    return done.first() is not None


def list_backups(session: Session, *, limit: int = 200) -> list[BackupRecord]:
    """Return the back-ups, newest first."""
    found = session.scalars(select(Backup).order_by(Backup.made_at.desc()).limit(limit))
    return records_of(BackupRecord, found)


def newest(session: Session) -> BackupRecord | None:
    """Return the newest back-up; None if there never was one."""
    return _one(session.scalar(select(Backup).order_by(Backup.made_at.desc()).limit(1)))


def newest_tested(session: Session) -> BackupRecord | None:
    """Return the newest back-up that was restored and verified."""
    tested = select(Backup).where(Backup.tested_at.is_not(None))
    return _one(session.scalar(tested.order_by(Backup.made_at.desc()).limit(1)))


def _one(row: Backup | None) -> BackupRecord | None:
    return None if row is None else record_of(BackupRecord, row)
