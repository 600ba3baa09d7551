"""The severity of a case, from the amount copied and the credit given."""

from functools import cache
from typing import Final

from sqlalchemy import ColumnElement, and_, case, false, func, or_

from storage.models.cases import Case
from storage.types import BY_MEANING, Credit, Severity, Standing

GRAVE_SHARE: Final = 0.5
"""Half of an article replaces the article."""
GRAVE_CHARS: Final = 1_000
"""Half of a long report is longer than most articles."""
SLIGHT_SHARE: Final = 0.3
SLIGHT_CHARS: Final = 300
"""Less than both is a paragraph or two."""


@cache
def severity_of_case() -> ColumnElement[str]:
    """Slight: little was copied, or the copy links to ours and breaks no licence. Grave: much was copied without
    credit or against a licence, and wording proves it. Middling: the rest.
    """
    is_breach = Case.standing == Standing.BREACH
    is_little = and_(Case.chars < SLIGHT_CHARS, Case.our_share < SLIGHT_SHARE)
    is_by_meaning = func.coalesce(Case.kind.in_(BY_MEANING), false())
    is_much = or_(Case.our_share >= GRAVE_SHARE, Case.chars >= GRAVE_CHARS)
    return case(
        (is_little, Severity.SLIGHT.value),
        (and_(is_much, ~is_by_meaning, or_(is_breach, Case.credit == Credit.NONE)), Severity.GRAVE.value),
        (and_(Case.credit == Credit.LINKED, ~is_breach), Severity.SLIGHT.value),
        else_=Severity.MIDDLING.value,
    )
