"""Pages of cases that may share with ours only because both have it from a third page."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from storage.models.cases import Case, CaseEvent, CasePage
from storage.models.matches import Match, PageMatch
from storage.types import CaseEventKind, CaseState, Relation, Standing


def is_from_third(*, known: bool) -> ColumnElement[bool]:
    """Whether the hit of a case page says that both have it from a third page. `known`: from one that is stored."""
    third = [PageMatch.third_page_id.is_not(None)] if known else []
    return exists(
        select(PageMatch.id)
        .join(Match, Match.id == PageMatch.match_id)
        .where(*_of_case_page(), PageMatch.relation == Relation.BOTH_FROM_THIRD, *third)
        .correlate(Case, CasePage)
    )


def is_confirmed_since() -> ColumnElement[bool]:
    """Whether a person has confirmed the case since the page joined: the relation is decided then."""
    return exists(
        select(CaseEvent.id)
        .where(
            CaseEvent.case_id == CasePage.case_id,
            CaseEvent.to_state == CaseState.CONFIRMED,
            CaseEvent.kind == CaseEventKind.MOVED,
            CaseEvent.actor != "",
            CaseEvent.at >= CasePage.found_at,
        )
        .correlate(CasePage)
    )


def standings_of_case(session: Session, case_id: int) -> list[tuple[Standing, bool]]:
    """The standing of each live page of a case, and whether it is from a third page that is stored."""
    rows = session.execute(
        select(CasePage.standing, is_from_third(known=True))
        .join(Case, Case.id == CasePage.case_id)
        .where(CasePage.case_id == case_id, CasePage.gone_at.is_(None))
    )
    return [(standing, excused) for standing, excused in rows]


def third_page_of_case(session: Session, case_id: int) -> int | None:
    """The third page that most live pages of a case lead to; None if there is none."""
    counted = (
        select(PageMatch.third_page_id)
        .select_from(CasePage)
        .join(Case, Case.id == CasePage.case_id)
        .join(PageMatch, PageMatch.third_page_id.is_not(None))
        .join(Match, Match.id == PageMatch.match_id)
        .where(CasePage.case_id == case_id, CasePage.gone_at.is_(None), *_of_case_page())
        .group_by(PageMatch.third_page_id)
        .order_by(func.count().desc(), PageMatch.third_page_id)
    )
    return session.scalar(counted.limit(1))


def cases_of_pairs(session: Session, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Ids of the cases that hold one of these pairs of pages, whichever is ours, ascending."""
    wanted = {tuple(sorted(pair)) for pair in pairs}
    page_ids = sorted({page_id for pair in wanted for page_id in pair})
    if not wanted:
        return []
    rows = session.execute(
        select(Case.id, Case.our_page_id, CasePage.their_page_id)
        .join(CasePage, CasePage.case_id == Case.id)
        .where(CasePage.gone_at.is_(None), Case.our_page_id.in_(page_ids), CasePage.their_page_id.in_(page_ids))
    )
    return sorted({case_id for case_id, ours, theirs in rows if tuple(sorted((ours, theirs))) in wanted})


def _of_case_page() -> tuple[ColumnElement[bool], ...]:
    return (
        PageMatch.low_page_id == func.least(Case.our_page_id, CasePage.their_page_id),
        PageMatch.high_page_id == func.greatest(Case.our_page_id, CasePage.their_page_id),
        Match.low_text_id == func.least(CasePage.our_text_id, CasePage.their_text_id),
        Match.high_text_id == func.greatest(CasePage.our_text_id, CasePage.their_text_id),
    )
