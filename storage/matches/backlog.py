"""The backlog of versions to compare: claimed by row locks, removed in the transaction that stores the results.

A killed worker loses its locks with its connection, so no leases are needed. Two texts saved at the same time are
always compared: each is on the backlog only once committed, and whoever takes the later one sees both.
"""

from collections.abc import Collection, Iterable
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, func, select, text, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from storage.models.pages import Backlog, PageVersion
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.matches import BacklogItem

FIRST_DELAY_S = 30
LONGEST_DELAY_S = 6 * 3600
ERROR_CHARS = 500


def claim(session: Session, *, limit: int, among: Collection[int] | None = None) -> list[BacklogItem]:
    """Locks up to `limit` versions that no other worker holds, oldest first; with `among`, only of these."""
    statement = (
        select(*columns_of(BacklogItem, PageVersion, Backlog, version_id=PageVersion.id))
        .join(PageVersion, PageVersion.id == Backlog.page_version_id)
        .where(Backlog.not_before <= func.now())
        .order_by(Backlog.not_before, Backlog.page_version_id)
        .limit(limit)
        .with_for_update(of=Backlog, skip_locked=True)
    )
    if among is not None:
        statement = statement.where(Backlog.page_version_id.in_(among))
    return records_of(BacklogItem, session.execute(statement))


def done(session: Session, version_ids: Iterable[int]) -> None:
    session.execute(delete(Backlog).where(Backlog.page_version_id.in_(list(version_ids))))


def push_ahead(session: Session, version_id: int, error: str) -> None:
    """Postpones a version that could not be compared, twice as long each time, and stores the error."""
    session.execute(
        update(Backlog)
        .where(Backlog.page_version_id == version_id)
        .values(
            attempts=Backlog.attempts + 1,
            error=storable(error[:ERROR_CHARS]),
            not_before=func.now() + delay_after(Backlog.attempts),
        )
    )


def delay_after(attempts: InstrumentedAttribute[int]) -> ColumnElement[timedelta]:
    """Return how long what failed waits after that many earlier attempts: twice as long each time, hours at most."""
    return func.least(FIRST_DELAY_S * func.power(2, attempts), LONGEST_DELAY_S) * text("interval '1 second'")


def waiting(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Backlog)) or 0
