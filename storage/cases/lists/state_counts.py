"""How many cases a search finds in each list and state, in one query."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from storage.cases import listing
from storage.cases.lists.filters import EVERY_CASE, CaseFilter, is_snoozed
from storage.models.cases import Case
from storage.types import CaseQueue, CaseState

READ_WITH_WORDS: Final = 1_000
"""Cases found by words that are counted: each is read to see whether it has them."""


@dataclass(frozen=True, slots=True)
class StateCounts:
    """`is_cut`: counting ended at a bound, and there may be more of everything."""

    by_state: Mapping[tuple[CaseQueue, CaseState, bool], int]
    """By list, state, and whether they are put off."""
    is_cut: bool

    def of(self, where: CaseFilter) -> int:
        """The number in the list and in one of the states of `where`, put off or not as it asks; its other fields are
        those that were counted.
        """
        return sum(
            count
            for (queue, state, is_asleep), count in self.by_state.items()
            if where.queue in (None, queue)
            and (not where.states or state in where.states)
            and where.snoozed in (None, is_asleep)
        )


def count_states(session: Session, where: CaseFilter, *, bound: int = READ_WITH_WORDS) -> StateCounts:
    """Count the cases that match `where` in whichever list and state they are. With words at most `bound`, the newest
    first; else all.
    """
    anywhere = replace(where, queue=None, states=frozenset(), snoozed=None)
    found = select(Case.queue, Case.state, is_snoozed().label("is_asleep")).where(
        *listing.conditions(session, anywhere, of_all=not where.text)
    )
    if where.text:
        found = found.order_by(Case.id.desc()).limit(bound + 1)
    each = found.subquery()
    keys = each.c.queue, each.c.state, each.c.is_asleep
    with listing.tested_in_order(session, where if where.text else EVERY_CASE):
        rows = session.execute(select(*keys, func.count()).group_by(*keys)).all()
    counts = Counter({(queue, state, is_asleep): count for queue, state, is_asleep, count in rows})
    return StateCounts(counts, is_cut=bool(where.text) and counts.total() > bound)
