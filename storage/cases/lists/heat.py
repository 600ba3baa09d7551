"""Where in our article the copied passages are, for lists."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, lateral, select, true
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.matches import Match
from storage.models.pages import Text


@dataclass(frozen=True, slots=True)
class CopiedStretches:
    """Start and end of each passage in our text of `chars` characters, without boilerplate, as stored."""

    chars: int
    stretches: tuple[tuple[int, int], ...]


def stretches_of_cases(session: Session, case_ids: Collection[int]) -> dict[int, CopiedStretches]:
    """By case, the passages of its largest copy; nothing for a case whose match is not stored or that meaning shows."""
    page = lateral(
        select(CasePage.our_text_id, CasePage.their_text_id)
        .where(CasePage.case_id == Case.id)
        .order_by(CasePage.gone_at.is_not(None), CasePage.chars.desc(), CasePage.id)
        .limit(1)
        .correlate(Case)
    )
    match = lateral(
        select(Match.passages, Match.low_text_id)
        .where(
            Match.low_text_id == func.least(page.c.our_text_id, page.c.their_text_id),
            Match.high_text_id == func.greatest(page.c.our_text_id, page.c.their_text_id),
        )
        .order_by(Match.algorithm_version.desc())
        .limit(1)
    )
    rows = session.execute(
        select(Case.id, match.c.passages, (match.c.low_text_id == page.c.our_text_id).label("is_left"), Text.chars)
        .select_from(Case)
        .join(page, true())
        .join(match, true())
        .join(Text, Text.id == page.c.our_text_id)
        .where(Case.id.in_(list(case_ids)))
    )
    return {row.id: CopiedStretches(row.chars, _stretches(row.passages, is_left=row.is_left)) for row in rows}


def _stretches(passages: list[dict[str, int]], *, is_left: bool) -> tuple[tuple[int, int], ...]:
    side = "left" if is_left else "right"
    return tuple((one[f"{side}_start"], one[f"{side}_end"]) for one in passages if not one.get("is_boilerplate"))
