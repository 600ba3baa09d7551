"""Planner settings for a block of statements."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

_NOT_FORCED, _FORCED, _FORCED_ALONE = range(3)


_PLANNER = {
    _NOT_FORCED: (
        "SET LOCAL enable_seqscan = on; SET LOCAL max_parallel_workers_per_gather TO DEFAULT;"
        " SET LOCAL plan_cache_mode TO DEFAULT"
    ),
    _FORCED: (
        "SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather TO DEFAULT;"
        " SET LOCAL plan_cache_mode TO DEFAULT"
    ),
    _FORCED_ALONE: (
        "SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0;"
        " SET LOCAL plan_cache_mode = force_generic_plan"
    ),
}
"""The settings of each level; each includes those below it."""


_LEVEL = "zhiwen_indexes_forced"


def without_merge_joins(session: Session) -> None:
    """Disables merge joins until the end of the transaction.

    For pages of a few dozen rows. A merge join looks cheap if one side ends early, which the planner reads from the
    largest value at the last ANALYZE: after an import it walks the index of every text of the store instead.
    """
    session.connection().exec_driver_sql("SET LOCAL enable_mergejoin = off")


@contextmanager
def in_index_order(session: Session) -> Iterator[None]:
    """Lets statements of the block read in the order of an index and look everything else up: rows are tested one after
    the other, and a limit ends it. Without statistics the planner expects one row, for which it tests all first.
    """
    session.connection().exec_driver_sql(_IN_ORDER.format("off"))
    yield
    session.connection().exec_driver_sql(_IN_ORDER.format("on"))


_IN_ORDER = "; ".join(f"SET LOCAL enable_{way} = {{0}}" for way in ("sort", "seqscan", "hashjoin", "material"))


@contextmanager
def indexes_forced(session: Session, *, alone: bool = False) -> Iterator[None]:
    """Disables sequential scans in the block: the planner expects that `&&` matches one row in a hundred and would read
    the whole table.

    `alone`: also disables parallel workers, which beyond some 100,000 texts cost more than a look-up by keys, and
    forces generic plans of prepared statements. Nested calls add settings, and restore those of the outer call.
    """
    before = session.info.get(_LEVEL, _NOT_FORCED)
    level = max(before, _FORCED_ALONE if alone else _FORCED)
    if level == before:
        yield
        return
    session.connection().exec_driver_sql(_PLANNER[level])
    session.info[_LEVEL] = level
    try:
        yield
    finally:
        session.info[_LEVEL] = before
    session.connection().exec_driver_sql(_PLANNER[before])
