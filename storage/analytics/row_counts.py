"""Row counts of the store, exact or estimated."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import exists, func, literal, select, text, union_all
from sqlalchemy.orm import Session

from storage.models.matches import Match, PageMatch
from storage.models.pages import Backlog, Page, PageVersion, Recompute, Text
from storage.models.sites import Site
from storage.postgres.prepared_statements import Prepared
from storage.records.matches import StoreSummary

EXACT_BELOW: Final = 10_000
"""Smaller tables are counted, in a few milliseconds; for larger ones the planner's estimate is used."""
ENDS: Final = 2_000
"""Texts at either end of the table among which one that has its fingerprint is looked for: old texts get theirs from
the first on, 200 at a time, and new ones bring it along.
"""

# The planner's estimate: rows per block at the last ANALYZE times the present blocks; -1: never analysed.
_ESTIMATE: Final = """
    CASE WHEN reltuples > 0 AND relpages > 0
        THEN reltuples / relpages * pg_relation_size(oid) / current_setting('block_size')::integer ELSE -1 END
"""
_RECKONED: Final = text(f"SELECT {_ESTIMATE} FROM pg_class WHERE oid = to_regclass(:name)")  # noqa: S608  # a constant
# Each check runs it. A subquery is run where it is needed: no row of a large table is read. `counted` is 0, whatever
# the estimate, for a queue that is empty by now, since a text that does not wait must not make a verdict uncertain.
_CHECK_BASIS: Final = Prepared(
    "check_basis",
    {"exact": "integer"},
    f"""
    WITH known AS MATERIALIZED (
        SELECT relname AS name, {_ESTIMATE} AS estimate FROM pg_class
        WHERE oid IN ('text'::regclass, 'recompute'::regclass, 'site'::regclass)
    )
    SELECT name, estimate,
        CASE
            WHEN estimate >= :exact AND (name <> 'recompute' OR EXISTS (SELECT FROM recompute)) THEN NULL
            WHEN name = 'text' THEN (SELECT count(*) FROM (SELECT FROM text LIMIT :exact) AS few)
            WHEN name = 'site' THEN (SELECT count(*) FROM (SELECT FROM site LIMIT :exact) AS few)
            ELSE (SELECT count(*) FROM (SELECT FROM recompute LIMIT :exact) AS few)
        END AS counted,
        (SELECT max(fetched_at) FROM page_version) AS newest
    FROM known
    """,  # noqa: S608  # a constant
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
    sites: Amount
    newest: datetime | None

    @property
    def is_estimate(self) -> bool:
        return self.texts.is_estimate or self.waiting.is_estimate or self.sites.is_estimate


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
    """Runs for each check: one statement, which reads a bounded number of rows."""
    rows = _CHECK_BASIS.execute(session, {"exact": EXACT_BELOW}).all()
    found = {row.name: _amount(row.estimate, row.counted) for row in rows}
    texts, waiting = found["text"], found["recompute"]
    return CheckBasis(
        texts=texts,
        waiting=waiting,
        is_readable=_is_readable(session) if waiting.number else texts.number > 0,
        sites=found["site"],
        newest=rows[0].newest,
    )


def amount(session: Session, model: type[Any]) -> Amount:
    """Number of rows of a table: counted up to EXACT_BELOW, else estimated."""
    estimate = session.scalar(_RECKONED, {"name": model.__tablename__}) or 0
    if estimate >= EXACT_BELOW:
        return _amount(estimate, None)
    few = select(literal(1)).select_from(model).limit(EXACT_BELOW).subquery()
    return _amount(estimate, session.scalar(select(func.count()).select_from(few)) or 0)


def _amount(estimate: float, counted: int | None) -> Amount:
    if counted is None:
        return Amount(round(estimate), is_estimate=True)
    return Amount(counted, is_estimate=counted == EXACT_BELOW)


def _is_readable(session: Session) -> bool:
    first = select(Text.id).order_by(Text.id).limit(ENDS).subquery()
    last = select(Text.id).order_by(Text.id.desc()).limit(ENDS).subquery()
    ends = union_all(select(first.c.id), select(last.c.id)).subquery()
    waits = exists().where(Recompute.text_id == ends.c.id)
    return bool(session.scalar(select(exists().where(~waits).select_from(ends))))


def _newest(session: Session) -> datetime | None:
    return session.scalar(select(func.max(PageVersion.fetched_at)))
