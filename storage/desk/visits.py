"""When a person was at the desk last: what has come since is new to him."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import case
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.desk import DeskVisit

SAME_VISIT: Final = timedelta(minutes=30)
"""Whoever comes back sooner was not away: a cup of tea must not mark the morning's cases as seen."""


def note_visit(session: Session, account_id: int, now: datetime) -> datetime | None:
    """Notes that somebody is here. Returns when the visit before this one ended; None at the first one."""
    is_new = DeskVisit.last_at < now - SAME_VISIT
    statement = insert(DeskVisit).values(account_id=account_id, last_at=now)
    changed = {"previous_at": case((is_new, DeskVisit.last_at), else_=DeskVisit.previous_at), "last_at": now}
    upsert = statement.on_conflict_do_update(index_elements=[DeskVisit.account_id], set_=changed)
    return session.scalars(upsert.returning(DeskVisit.previous_at)).one()
