"""What setting a text aside does to cases, and how they come back when it is withdrawn."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, true, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from storage.cases.findings import record_event, set_state, settle
from storage.cases.totals import refresh_figures
from storage.matches.hits import passage_from_json
from storage.models.cases import Case, CasePage
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion
from storage.models.set_aside import SetAsideCase, SetAsideText
from storage.postgres.rows import columns_of, record_of, records_of
from storage.records.case_states import WAITING_STATES
from storage.records.set_aside import SetAsideCaseRecord, StoredPair
from storage.types import BY_MEANING, CaseEventKind, CaseState

SET_ASIDE: Final = "set-aside"
"""Why a page left a case: all that it shares is set aside."""
SET_ASIDE_WITHDRAWN: Final = "set-aside-withdrawn"
"""Why it is back."""


def pairs_of_texts(session: Session, text_ids: Collection[int], *, bound: int) -> list[StoredPair]:
    """Stored hits of these texts, at most `bound`: those in cases first, then by score."""
    texts = list(text_ids)
    is_in_case = and_(
        CasePage.gone_at.is_(None),
        CasePage.kind.not_in(BY_MEANING),
        or_(
            and_(Case.our_page_id == PageMatch.low_page_id, CasePage.their_page_id == PageMatch.high_page_id),
            and_(Case.our_page_id == PageMatch.high_page_id, CasePage.their_page_id == PageMatch.low_page_id),
        ),
    )
    in_case = (
        select(Case.id, Case.state, Case.our_page_id)
        .join(CasePage, CasePage.case_id == Case.id)
        .where(is_in_case, Case.state != CaseState.WITHDRAWN)
        .order_by(Case.id)
        .limit(1)
        .lateral()
    )
    columns = columns_of(
        StoredPair, PageMatch, Match, hit_id=PageMatch.id, shared_slices=Match.evidence["shared_slices"].as_integer(),
        case_id=in_case.c.id, case_state=in_case.c.state, our_page_id=in_case.c.our_page_id,
    )  # fmt: skip
    statement = (
        select(*columns)
        .join(Match, Match.id == PageMatch.match_id)
        .outerjoin(in_case, true())
        .where(or_(Match.low_text_id.in_(texts), Match.high_text_id.in_(texts)))
        .order_by(in_case.c.id.is_(None), Match.score.desc(), PageMatch.id)
        .limit(bound)
    )
    return [
        record_of(StoredPair, row, passages=tuple(map(passage_from_json, row.passages)))
        for row in session.execute(statement)
    ]


def take_back(session: Session, set_aside_id: int, pairs: Sequence[tuple[StoredPair, float]], *, by: str) -> set[int]:
    """Takes pages out of their undecided cases, and closes those that have none left. Pairs of decided cases are only
    noted as resting on the text. Returns the cases that were changed.

    `pairs`: with the share of what each pair shares that is in the text, 0…1. `by`: who set it aside.
    """
    left: dict[int, CaseState] = {}
    for pair, share in sorted(pairs, key=lambda one: (one[0].case_id or 0, one[0].hit_id)):
        if pair.case_id is None or pair.our_page_id is None:
            continue
        their_page = pair.high_page_id if pair.our_page_id == pair.low_page_id else pair.low_page_id
        state = session.scalar(select(Case.state).where(Case.id == pair.case_id).with_for_update(key_share=True))
        if state is None:
            continue
        is_open = state in WAITING_STATES
        _note(session, set_aside_id, pair.case_id, their_page, share, left.get(pair.case_id, state), is_open)
        if is_open and _leave(session, pair.case_id, their_page):
            details = {"page_id": their_page, "why": SET_ASIDE, "set_aside": set_aside_id, "by": by}
            record_event(session, pair.case_id, CaseEventKind.PAGE_LEFT, details=details)
            left.setdefault(pair.case_id, state)
    for case_id, state in sorted(left.items()):
        refresh_figures(session, case_id)
        if not _has_pages(session, case_id):
            details = {"why": SET_ASIDE, "set_aside": set_aside_id, "by": by}
            set_state(session, case_id, before=state, after=CaseState.WITHDRAWN, details=details)
    return set(left)


def _note(
    session: Session, set_aside_id: int, case_id: int, page_id: int, share: float, state: CaseState, is_open: bool
) -> None:
    values = {"share": share, "state_before": state, "is_taken_back": is_open}
    statement = insert(SetAsideCase).values(set_aside_id=set_aside_id, case_id=case_id, their_page_id=page_id, **values)
    session.execute(statement.on_conflict_do_nothing())


def _leave(session: Session, case_id: int, page_id: int) -> bool:
    live = (CasePage.case_id == case_id, CasePage.their_page_id == page_id, CasePage.gone_at.is_(None))
    gone = update(CasePage).where(*live).values(gone_at=func.now()).returning(CasePage.id)
    return session.scalar(gone) is not None


def _has_pages(session: Session, case_id: int) -> bool:
    live = select(CasePage.id).where(CasePage.case_id == case_id, CasePage.gone_at.is_(None))
    return session.scalar(live.limit(1)) is not None


def restore(session: Session, set_aside_id: int, *, by: str) -> set[int]:
    """Puts back what setting the text aside took out of cases, and the state that each had, unless another text in
    force takes it out as well, or a person has moved the case since. Returns the cases that were changed.
    """
    back: dict[int, CaseState] = {}
    taken = select(SetAsideCase.case_id, SetAsideCase.their_page_id, SetAsideCase.state_before)
    mine = (SetAsideCase.set_aside_id == set_aside_id, SetAsideCase.is_taken_back, ~_taken_by_another(set_aside_id))
    for case_id, page_id, state in session.execute(taken.where(*mine).order_by(SetAsideCase.case_id)).all():
        session.execute(select(Case.id).where(Case.id == case_id).with_for_update(key_share=True))
        gone = (CasePage.case_id == case_id, CasePage.their_page_id == page_id, CasePage.gone_at.is_not(None))
        found = session.scalar(update(CasePage).where(*gone).values(gone_at=None).returning(CasePage.id))
        if found is not None:
            details = {"page_id": page_id, "why": SET_ASIDE_WITHDRAWN, "set_aside": set_aside_id, "by": by}
            record_event(session, case_id, CaseEventKind.PAGE_JOINED, details=details)
            back.setdefault(case_id, state)
    for case_id, before in sorted(back.items()):
        refresh_figures(session, case_id)
        if session.scalar(select(Case.state).where(Case.id == case_id)) is CaseState.WITHDRAWN:
            details = {"why": SET_ASIDE_WITHDRAWN, "set_aside": set_aside_id, "by": by}
            set_state(session, case_id, before=CaseState.WITHDRAWN, after=before, details=details)
        else:
            settle(session, case_id)
    return set(back)


def _taken_by_another(set_aside_id: int) -> ColumnElement[bool]:
    other = aliased(SetAsideCase)
    return exists(
        select(other.case_id)
        .join(SetAsideText, SetAsideText.id == other.set_aside_id)
        .where(
            other.case_id == SetAsideCase.case_id,
            other.their_page_id == SetAsideCase.their_page_id,
            other.set_aside_id != set_aside_id,
            other.is_taken_back,
            SetAsideText.withdrawn_at.is_(None),
        )
        .correlate(SetAsideCase)
    )


def rests_on_text() -> ColumnElement[bool]:
    """Whether a page of a case rests on a text in force and was left in it, because the case was decided."""
    return exists(
        select(SetAsideCase.case_id)
        .join(SetAsideText, SetAsideText.id == SetAsideCase.set_aside_id)
        .where(
            SetAsideCase.case_id == CasePage.case_id,
            SetAsideCase.their_page_id == CasePage.their_page_id,
            ~SetAsideCase.is_taken_back,
            SetAsideText.withdrawn_at.is_(None),
        )
        .correlate(CasePage)
    )


def cases_of_text(session: Session, set_aside_id: int) -> list[SetAsideCaseRecord]:
    """The pages of cases that a text took out, then those that rest on it, by case."""
    rows = session.execute(
        _records()
        .where(SetAsideCase.set_aside_id == set_aside_id)
        .order_by(SetAsideCase.is_taken_back.desc(), SetAsideCase.case_id, SetAsideCase.their_page_id)
    )
    return records_of(SetAsideCaseRecord, rows)


@cache
def _records() -> Select[*tuple[Any, ...]]:
    ours, theirs = aliased(Page), aliased(Page)
    our_version, their_version = aliased(PageVersion), aliased(PageVersion)
    columns = columns_of(
        SetAsideCaseRecord, SetAsideCase, state=Case.state, our_url=ours.url, their_url=theirs.url,
        our_title=func.coalesce(our_version.title, ""), their_title=func.coalesce(their_version.title, ""),
    )  # fmt: skip
    return (
        select(*columns)
        .join(Case, Case.id == SetAsideCase.case_id)
        .join(ours, ours.id == Case.our_page_id)
        .join(theirs, theirs.id == SetAsideCase.their_page_id)
        .outerjoin(our_version, and_(our_version.page_id == ours.id, our_version.is_current))
        .outerjoin(their_version, and_(their_version.page_id == theirs.id, their_version.is_current))
    )
