"""Verdicts of people on the program's cases: the labels by which precision is measured."""

from typing import Final

from sqlalchemy import ColumnElement, and_, case, or_

from storage.models.cases import Case
from storage.types import CaseState, Dismissal, Verdict

_ACTED_ON: Final = (CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REMOVED, CaseState.REAPPEARED)


def verdict_of_case() -> ColumnElement[str | None]:
    """Right if a person took it for a copy, including a licensed or a negligible one; wrong if it was dismissed for
    another reason; NULL if nobody has decided.
    """
    is_copy = or_(
        Case.state.in_(_ACTED_ON),
        and_(Case.state == CaseState.LICENSED, Case.touched),
        and_(Case.state == CaseState.DISMISSED, Case.dismissed_because == Dismissal.NOT_WORTH_IT),
    )
    is_none = and_(Case.state == CaseState.DISMISSED, Case.dismissed_because.is_distinct_from(Dismissal.NOT_WORTH_IT))
    return case((is_copy, Verdict.RIGHT.value), (is_none, Verdict.WRONG.value))
