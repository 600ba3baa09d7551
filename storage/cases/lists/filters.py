"""Which cases to list, and in which order: each filter and each order with its condition in SQL.

Filters that look pages up first (`site`, `owner`, `text`) have theirs in `storage.cases.listing`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, any_, case, exists, false, func, select

from storage.cases.severity import severity_of_case
from storage.cases.verdicts import verdict_of_case
from storage.models.cases import Case, CaseEvent
from storage.types import (
    CaseEventKind,
    CaseKind,
    CaseQueue,
    CaseState,
    Credit,
    Dismissal,
    Severity,
    Standing,
    Verdict,
)

_CONDITION: Final = "condition"


def _if(condition: Callable[[Any], ColumnElement[bool]]) -> dict[str, Any]:
    """Makes a field of `CaseFilter` filter by `condition` unless it has its default."""
    return {_CONDITION: condition}


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Empty fields filter nothing."""

    queue: CaseQueue | None = field(default=None, metadata=_if(lambda queue: Case.queue == queue))
    states: frozenset[CaseState] = field(default=frozenset(), metadata=_if(Case.state.in_))
    site: str | None = None
    """Of either side."""
    owner: str | None = None
    """Who is behind the copies: an owner's name, or a host of which no owner is known."""
    kind: CaseKind | None = field(default=None, metadata=_if(lambda kind: Case.kind == kind))
    credit: Credit | None = field(default=None, metadata=_if(lambda credit: Case.credit == credit))
    severity: Severity | None = field(default=None, metadata=_if(lambda severity: severity_of_case() == severity.value))
    min_share: float = field(default=0.0, metadata=_if(lambda share: Case.our_share >= share))
    """Of our text."""
    opened_from: datetime | None = field(default=None, metadata=_if(lambda at: Case.opened_at >= at))
    opened_before: datetime | None = field(default=None, metadata=_if(lambda at: Case.opened_at < at))
    assignee_id: int | None = field(default=None, metadata=_if(lambda account_id: Case.assignee_id == account_id))
    unassigned: bool = field(default=False, metadata=_if(lambda _: Case.assignee_id.is_(None)))
    overdue_at: datetime | None = field(
        default=None, metadata=_if(lambda now: and_(Case.state == CaseState.NOTIFIED, Case.deadline < now))
    )
    """Notified, and the deadline is before this moment."""
    breach: bool = field(default=False, metadata=_if(lambda _: Case.standing == Standing.BREACH))
    refigured: bool = field(default=False, metadata=_if(lambda _: _is_refigured()))
    """Decided, and how much was taken has been another figure since."""
    verdict: Verdict | None = field(default=None, metadata=_if(lambda verdict: verdict_of_case() == verdict.value))
    because: Dismissal | None = field(default=None, metadata=_if(lambda because: Case.dismissed_because == because))
    min_score: float | None = field(default=None, metadata=_if(lambda score: Case.score >= score))
    below_score: float | None = field(default=None, metadata=_if(lambda score: Case.score < score))
    text: str | None = None
    """Part of our title or URL, of the copier's name, or of a title or URL of theirs."""
    snoozed: bool | None = field(default=None, metadata=_if(lambda asleep: is_snoozed() if asleep else ~is_snoozed()))
    """Put off until later, or not."""
    woken: bool = field(default=False, metadata=_if(lambda _: Case.snoozed_until <= func.now()))
    """Put off until a moment that has come, and unchanged since."""
    removed_since: datetime | None = field(
        default=None, metadata=_if(lambda at: _had_event(CaseEventKind.PAGE_GONE, at))
    )
    """A copy of theirs was found taken down since."""
    below_id: int | None = field(default=None, metadata=_if(lambda case_id: Case.id < case_id))
    """Cases with lower ids than this."""


EVERY_CASE = CaseFilter()


def conditions_of(where: CaseFilter) -> list[ColumnElement[bool]]:
    """What the fields ask of the table of cases alone."""
    if where.opened_from is not None and where.queue is not None:
        # By the date: nearly all cases are in one queue, but without statistics either index seems to find one row.
        unindexed = func.concat(Case.queue, "") == where.queue
        return [unindexed, *conditions_of(replace(where, queue=None))]
    asked = ((one.metadata.get(_CONDITION), getattr(where, one.name), one.default) for one in fields(where))
    return [condition(value) for condition, value, unset in asked if condition is not None and value != unset]


def is_snoozed() -> ColumnElement[bool]:
    """Whether a case is put off at the moment; never NULL."""
    return func.coalesce(Case.snoozed_until > func.now(), false())


def _had_event(kind: CaseEventKind, since: datetime) -> ColumnElement[bool]:
    """By an index on kind and time, which a short while makes small. An array: for IN without statistics Postgres looks
    each case up among the events.
    """
    events = select(CaseEvent.case_id).where(CaseEvent.kind == kind, CaseEvent.at >= since)
    return Case.id == any_(func.array(events.scalar_subquery()))


def _is_refigured() -> ColumnElement[bool]:
    """By the history; an index on its kind makes it a look-up."""
    return exists().where(CaseEvent.case_id == Case.id, CaseEvent.kind == CaseEventKind.FIGURES)


class CaseOrder(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"
    """Most characters first."""
    SHARE = "share"
    SCORE = "score"
    DEADLINE = "deadline"
    """The next deadline first; cases without one last."""
    GRAVEST = "gravest"
    """By severity, then most characters first."""


_NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
"""Stands for no deadline. Not Postgres's infinity: the driver reads that as another time."""

_GRAVITY: Final = case({Severity.GRAVE.value: 2, Severity.MIDDLING.value: 1}, value=severity_of_case(), else_=0)

ORDERS: Final[dict[CaseOrder, tuple[tuple[Any, ...], bool]]] = {
    CaseOrder.NEWEST: ((Case.id,), True),
    CaseOrder.OLDEST: ((Case.id,), False),
    CaseOrder.LARGEST: ((Case.chars, Case.id), True),
    CaseOrder.SHARE: ((Case.our_share, Case.id), True),
    CaseOrder.SCORE: ((func.coalesce(Case.score, 0.0), Case.id), True),
    CaseOrder.DEADLINE: ((func.coalesce(Case.deadline, _NEVER), Case.id), False),
    CaseOrder.GRAVEST: ((_GRAVITY, Case.chars, Case.id), True),
}
"""The columns that a list is ordered by, and whether the largest comes first. The id makes every position unique."""
