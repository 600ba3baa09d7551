"""Row counts of the store, exact or estimated."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import exists, func, literal, select, text, union_all
from sqlalchemy.orm import Session

from storage.models.matches import Match, PageMatch
from storage.models.pages import Backlog, Page, PageVersion, Recompute, Text
from storage.models.sites import Site
from storage.records.matches import StoreSummary

EXACT_BELOW: Final = 10_000
"""Smaller tables are counted, in a few milliseconds; for larger ones the planner's estimate is used."""
ENDS: Final = 2_000
"""Texts at either end of the table among which one that has its fingerprint is looked for: old texts get theirs from
the first on, 200 at a time, and new ones bring it along.
"""

# The planner's estimate: rows per block at the last ANALYZE times the present blocks; -1: never analysed.
_RECKONED: Final = text(
    """SELECT CASE WHEN reltuples > 0 AND relpages > 0
            THEN reltuples / relpages * pg_relation_size(oid) / current_setting('block_size')::integer ELSE -1 END
        FROM pg_class WHERE oid = to_regclass(:name)"""
)


@dataclass(frozen=True, slots=True)
class Amount:
    number: int
    is_estimate: bool = False


@dataclass(frozen=True, slots=True)
class CheckBasis:
    """The store that a check compares with. `waiting`: texts without a fingerprint of this version. `is_readable`: at
    least one text has one.
    """

    texts: Amount
    waiting: Amount
    is_readable: bool
    sites: int
    newest: datetime | None


def summary(session: Session) -> StoreSummary:
    """Exact counts: a minute for a store of many millions."""

    def count(model: type) -> int:
        return session.scalar(select(func.count()).select_from(model)) or 0

    return StoreSummary(
        texts=count(Text),
        pages=count(Page),
        sites=count(Site),
        newest=_newest(session),
        backlog=count(Backlog),
        matches=count(Match),
        hits=count(PageMatch),
    )


def check_basis(session: Session) -> CheckBasis:
    """Runs for each check; reads a bounded number of rows."""
    texts, waiting = amount(session, Text), amount(session, Recompute)
    return CheckBasis(
        texts=texts,
        waiting=waiting,
        is_readable=_is_readable(session) if waiting.number else texts.number > 0,
        sites=session.scalar(select(func.count()).select_from(Site)) or 0,
        newest=_newest(session),
    )


def amount(session: Session, model: type[Any]) -> Amount:
    """Number of rows of a table: counted up to EXACT_BELOW, else estimated."""
    reckoned = session.scalar(_RECKONED, {"name": model.__tablename__}) or 0
    if reckoned >= EXACT_BELOW:
        return Amount(round(reckoned), is_estimate=True)
    few = select(literal(1)).select_from(model).limit(EXACT_BELOW).subquery()
    counted = session.scalar(select(func.count()).select_from(few)) or 0
    return Amount(counted, is_estimate=counted == EXACT_BELOW)


def _is_readable(session: Session) -> bool:
    first = select(Text.id).order_by(Text.id).limit(ENDS).subquery()
    last = select(Text.id).order_by(Text.id.desc()).limit(ENDS).subquery()
    ends = union_all(select(first.c.id), select(last.c.id)).subquery()
    waits = exists().where(Recompute.text_id == ends.c.id)
    return bool(session.scalar(select(exists().where(~waits).select_from(ends))))


def _newest(session: Session) -> datetime | None:
    return session.scalar(select(func.max(PageVersion.fetched_at)))
