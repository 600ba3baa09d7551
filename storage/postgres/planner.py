"""Hints to the planner that last for a block of statements."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text
from sqlalchemy.orm import Session

_NOT_FORCED, _FORCED, _FORCED_ALONE = range(3)


_PLANNER = {
    _NOT_FORCED: text(
        "SET LOCAL enable_seqscan = on; SET LOCAL max_parallel_workers_per_gather TO DEFAULT;"
        " SET LOCAL plan_cache_mode TO DEFAULT"
    ),
    _FORCED: text(
        "SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather TO DEFAULT;"
        " SET LOCAL plan_cache_mode TO DEFAULT"
    ),
    _FORCED_ALONE: text(
        "SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0;"
        " SET LOCAL plan_cache_mode = force_generic_plan"
    ),
}
"""The planner's settings at each level; a higher one forces all that a lower one does."""


_LEVEL = "zhiwen_indexes_forced"


@contextmanager
def indexes_forced(session: Session, *, alone: bool = False) -> Iterator[None]:
    """The planner takes `&&` for a condition that one row in a hundred meets and would read the whole table instead.

    `alone`: nor does it start processes to help, which from some 100,000 texts on takes longer than a look-up by keys,
    and it plans what is prepared once, whatever is asked. Nested calls add what the outer one does not force, and
    restore its settings at their end.
    """
    before = session.info.get(_LEVEL, _NOT_FORCED)
    level = max(before, _FORCED_ALONE if alone else _FORCED)
    if level == before:
        yield
        return
    session.execute(_PLANNER[level])
    session.info[_LEVEL] = level
    try:
        yield
    finally:
        session.info[_LEVEL] = before
    session.execute(_PLANNER[before])
