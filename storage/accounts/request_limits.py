"""Request counters for rate limits, shared by all processes and machines of the desk."""

from datetime import datetime
from typing import Final

from sqlalchemy import case, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.upkeep import RequestCount

SWEPT_AT_ONCE: Final = 200


def count(session: Session, key: str, *, seconds: int, amount: int = 1) -> int:
    """Adds `amount` to a counter. Returns the sum in its window, which begins with the first request."""
    now = func.clock_timestamp()
    ends = now + func.make_interval(0, 0, 0, 0, 0, 0, seconds)
    is_over = RequestCount.ends_at <= now
    statement = insert(RequestCount).values(key=key, hits=amount, ends_at=ends)
    statement = statement.on_conflict_do_update(
        index_elements=[RequestCount.key],
        set_={
            "hits": case((is_over, amount), else_=RequestCount.hits + amount),
            "ends_at": case((is_over, ends), else_=RequestCount.ends_at),
        },
    )
    hits = session.execute(statement.returning(RequestCount.hits)).scalar_one()
    if hits == amount:
        _sweep(session)
    return hits


def counted(session: Session, key: str) -> tuple[int, datetime | None]:
    """The sum in the current window and its end; 0 and None if there is none."""
    going_on = RequestCount.ends_at > func.clock_timestamp()
    row = session.execute(
        select(RequestCount.hits, RequestCount.ends_at).where(RequestCount.key == key, going_on)
    ).one_or_none()
    return (0, None) if row is None else (row.hits, row.ends_at)


def forget(session: Session, key: str | None = None) -> int:
    """Resets this counter, or all. Returns how many."""
    what = delete(RequestCount) if key is None else delete(RequestCount).where(RequestCount.key == key)
    return len(session.execute(what.returning(RequestCount.key)).all())


def _sweep(session: Session) -> None:
    """Removes some expired counters, skipping locked ones, so that the table stays small."""
    over = (
        select(RequestCount.key)
        .where(RequestCount.ends_at < func.clock_timestamp())
        .limit(SWEPT_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    session.execute(delete(RequestCount).where(RequestCount.key.in_(over)))
