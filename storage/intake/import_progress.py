"""Import progress, written in the transaction that stores the records."""

from dataclasses import asdict

from sqlalchemy import delete, func
from sqlalchemy.orm import Session

from storage.models.evidence import ImportProgress
from storage.postgres.rows import record_of
from storage.postgres.writes import upsert
from storage.records.imports import Mark


def mark_of(session: Session, path: str, options: str) -> Mark | None:
    """How far `path` was imported with these options; None if never begun or forgotten."""
    row = session.get(ImportProgress, (path, options))
    return None if row is None else record_of(Mark, row)


def set_mark(session: Session, path: str, options: str, mark: Mark) -> None:
    values = asdict(mark) | {"changed_at": func.now()}
    upsert(session, ImportProgress, {"path": path, "options": options}, values)


def forget(session: Session, path: str, options: str) -> None:
    session.execute(delete(ImportProgress).where(ImportProgress.path == path, ImportProgress.options == options))
