"""Verdicts of people on the program's cases: the labels by which precision is measured."""

from typing import Final

from sqlalchemy import ColumnElement, and_, case, or_

from storage.models.cases import Case
from storage.types import CaseState, Dismissal, Verdict

_ACTED_ON: Final = (CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REMOVED, CaseState.REAPPEARED)


def verdict_of_case() -> ColumnElement[str | None]:
    """Right if a person took it for a copy, including a licensed or a negligible one; lawful if it was dismissed as a
    quotation, which is a copy, too; wrong if it was dismissed for another reason; NULL if nobody has decided.
    """
    is_copy = or_(
        Case.state.in_(_ACTED_ON),
        and_(Case.state == CaseState.LICENSED, Case.touched),
        and_(Case.state == CaseState.DISMISSED, Case.dismissed_because == Dismissal.NOT_WORTH_IT),
    )
    is_lawful = and_(Case.state == CaseState.DISMISSED, Case.dismissed_because == Dismissal.QUOTATION)
    is_none = Case.state == CaseState.DISMISSED
    return case((is_copy, Verdict.RIGHT.value), (is_lawful, Verdict.LAWFUL.value), (is_none, Verdict.WRONG.value))
