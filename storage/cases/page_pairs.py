"""Pairs of pages in cases."""

from collections.abc import Collection

from sqlalchemy import or_, select, tuple_, union
from sqlalchemy.orm import Session

from storage.cases.set_aside_cases import rests_on_text
from storage.models.cases import Case, CasePage
from storage.records.case_states import OPEN_STATES, WAITING_STATES
from storage.types import BY_MEANING, CaseState


def live_pairs(
    session: Session, held: Collection[tuple[int, int]]
) -> dict[tuple[int, int], dict[tuple[int, int], int]]:
    """For each page with its text (`held`: pairs of ids) the live pairs (our page, their page) with it, each with the
    text of the other page; nothing for pages without any. Pairs that only meaning shows are left out: a comparison of
    wording does not find them again. So are those of decided cases that rest on a text which was set aside since.
    """
    wanted, page_ids = set(held), {page_id for page_id, _ in held}
    pairs = select(Case.our_page_id, CasePage.their_page_id, CasePage.our_text_id, CasePage.their_text_id).join(
        Case, Case.id == CasePage.case_id
    )
    sides = (
        pairs.where(
            CasePage.gone_at.is_(None),
            CasePage.kind.not_in(BY_MEANING),
            side.in_(page_ids),
            or_(Case.state.in_(WAITING_STATES), ~rests_on_text()),
        )
        for side in (Case.our_page_id, CasePage.their_page_id)
    )
    found: dict[tuple[int, int], dict[tuple[int, int], int]] = {}
    for ours, theirs, our_text, their_text in session.execute(union(*sides)) if page_ids else ():
        for one, other_text in (((ours, our_text), their_text), ((theirs, their_text), our_text)):
            if one in wanted:
                found.setdefault(one, {})[ours, theirs] = other_text
    return found


def case_ids_of_pairs(session: Session, pairs: Collection[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The open case of each pair (our page, their page) that still holds a copy."""
    if not pairs:
        return {}
    rows = session.execute(
        select(Case.our_page_id, CasePage.their_page_id, Case.id)
        .join(Case, Case.id == CasePage.case_id)
        .where(
            CasePage.gone_at.is_(None),
            Case.state.in_(OPEN_STATES),
            tuple_(Case.our_page_id, CasePage.their_page_id).in_(list(pairs)),
        )
    )
    return {(ours, theirs): case_id for ours, theirs, case_id in rows}


def case_of_pages(session: Session, page_ids: tuple[int, int]) -> tuple[int, CaseState] | None:
    """The case of two pages, whichever is ours, and its state. An open case comes before a closed one."""
    first, second = page_ids
    statement = (
        select(Case.id, Case.state)
        .join(CasePage, CasePage.case_id == Case.id)
        .where(
            or_(
                (Case.our_page_id == first) & (CasePage.their_page_id == second),
                (Case.our_page_id == second) & (CasePage.their_page_id == first),
            )
        )
        .order_by(CasePage.gone_at.is_not(None), Case.state.not_in(OPEN_STATES), Case.id.desc())
        .limit(1)
    )
    found = session.execute(statement).one_or_none()
    return None if found is None else (found.id, found.state)


def pages_with_undecided_cases(session: Session, page_ids: Collection[int]) -> set[int]:
    """Those of `page_ids` that are our page in a case that no person has touched."""
    statement = select(Case.our_page_id).where(Case.our_page_id.in_(list(page_ids)), ~Case.touched)
    return set(session.scalars(statement.distinct()))
