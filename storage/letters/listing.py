"""Letters as lists show them, by what is to be done next, and their texts."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select
from sqlalchemy.orm import Session, aliased

from storage.errors import NotKnown
from storage.models.cases import Case
from storage.models.correspondence.letters import Letter, LetterCase, LetterDocument
from storage.models.pages import PageVersion
from storage.postgres.rows import columns_of, record_of, record_or_none, records_of
from storage.records.correspondence.letters import (
    LetterCaseRecord,
    LetterDocumentRecord,
    LetterRecord,
    LetterState,
    LetterTab,
)
from storage.types import CaseState

DUE_WITHIN: Final = timedelta(days=3)
"""A deadline that ends within this time is due: a working day is left to look whether something came."""
WAITING_FOR_COPIER: Final = (CaseState.NOTIFIED, CaseState.REAPPEARED)
_IN_OUTBOX: Final = (LetterState.WAITING, LetterState.SENDING, LetterState.FAILED, LetterState.UNKNOWN)


def get_letter(session: Session, letter_id: int) -> LetterRecord:
    """Raises NotKnown."""
    found = record_or_none(LetterRecord, session.execute(_letters().where(Letter.id == letter_id)))
    if found is None:
        raise NotKnown("letter", str(letter_id))
    return found


def list_letters(session: Session, tab: LetterTab, now: datetime, *, limit: int, offset: int = 0) -> list[LetterRecord]:
    """Letters of a list: those with the next deadline first, of the others the newest."""
    by_deadline = tab in (LetterTab.AWAITING, LetterTab.DUE, LetterTab.NO_ANSWER)
    order = (Letter.deadline.asc().nulls_last(), Letter.id) if by_deadline else (Letter.id.desc(),)
    found = _letters().where(_in_tab(tab, now)).order_by(*order).limit(limit).offset(offset)
    return records_of(LetterRecord, session.execute(found))


def count_letters(session: Session, now: datetime) -> Mapping[LetterTab, int]:
    counts = [func.count().filter(_in_tab(tab, now)).label(tab.value) for tab in LetterTab]
    row = session.execute(select(*counts).select_from(Letter)).one()
    return {tab: row._mapping[tab.value] for tab in LetterTab}


def count_some(session: Session, now: datetime, tabs: Collection[LetterTab], *, bound: int) -> Mapping[LetterTab, int]:
    """The letters of some lists, each counted up to `bound` + 1; the states, which have an index, narrow them first."""
    counts = []
    for tab in tabs:
        states = _IN_OUTBOX if tab is LetterTab.OUTBOX else (LetterState.SENT,)
        found = select(literal(1)).select_from(Letter).where(Letter.state.in_(states), _in_tab(tab, now))
        few = found.limit(bound + 1).subquery()
        counts.append(select(func.count()).select_from(few).scalar_subquery())
    row = session.execute(select(*counts)).one()
    return dict(zip(tabs, row, strict=True))


def letters_of_case(session: Session, case_id: int, *, limit: int = 50) -> list[LetterRecord]:
    """The letters that name a case, newest first."""
    names = select(LetterCase.letter_id).where(LetterCase.case_id == case_id)
    found = _letters().where(Letter.id.in_(names)).order_by(Letter.id.desc()).limit(limit)
    return records_of(LetterRecord, session.execute(found))


def states_of(session: Session, letter_ids: Collection[int]) -> dict[int, LetterState]:
    found = session.execute(select(Letter.id, Letter.state).where(Letter.id.in_(list(letter_ids))))
    return {row.id: row.state for row in found}


def document(session: Session, letter_id: int) -> LetterDocumentRecord:
    """Raises NotKnown."""
    row = session.get(LetterDocument, letter_id)
    if row is None:
        raise NotKnown("letter", str(letter_id))
    return record_of(LetterDocumentRecord, row)


def cases_of_letter(session: Session, letter_id: int) -> list[LetterCaseRecord]:
    """The cases that a letter names, with their present states, by id."""
    version = and_(PageVersion.page_id == Case.our_page_id, PageVersion.is_current)
    rows = session.execute(
        select(*columns_of(LetterCaseRecord, LetterCase, Case, title=func.coalesce(PageVersion.title, "")))
        .join(Case, Case.id == LetterCase.case_id)
        .outerjoin(PageVersion, version)
        .where(LetterCase.letter_id == letter_id)
        .order_by(LetterCase.case_id)
    )
    return records_of(LetterCaseRecord, rows)


@cache
def _letters() -> Select[tuple[object, ...]]:
    columns = columns_of(
        LetterRecord,
        Letter,
        LetterDocument,
        followed_by=_followed_by(),
        cases=select(func.count()).where(LetterCase.letter_id == Letter.id).scalar_subquery(),
        open_cases=_open_cases(),
    )
    return select(*columns).join(LetterDocument, LetterDocument.letter_id == Letter.id)


def _followed_by() -> ColumnElement[int | None]:
    later = aliased(Letter)
    is_later = (later.follows_id == Letter.id, later.state != LetterState.TAKEN_BACK)
    return select(func.max(later.id)).where(*is_later).scalar_subquery()


def _open_cases() -> ColumnElement[int]:
    of_letter = (LetterCase.letter_id == Letter.id, Case.id == LetterCase.case_id)
    open_ones = select(func.count()).where(*of_letter, Case.state.in_(WAITING_FOR_COPIER))
    return open_ones.scalar_subquery()


def _in_tab(tab: LetterTab, now: datetime) -> ColumnElement[bool]:
    """Letters of a list. Only the last letter of a correspondence waits, and only while one of its cases does."""
    if tab is LetterTab.ALL:
        return Letter.id.is_not(None)
    if tab is LetterTab.OUTBOX:
        return Letter.state.in_(_IN_OUTBOX)
    if tab is LetterTab.ANSWERED:
        return Letter.replied_at.is_not(None)
    unanswered = and_(Letter.state == LetterState.SENT, Letter.replied_at.is_(None))
    waits = and_(unanswered, _followed_by().is_(None), _open_cases() > 0)
    if tab is LetterTab.NO_ANSWER:
        return and_(waits, Letter.deadline <= now)
    if tab is LetterTab.DUE:
        return and_(waits, Letter.deadline > now, Letter.deadline <= now + DUE_WITHIN)
    return and_(waits, or_(Letter.deadline.is_(None), Letter.deadline > now + DUE_WITHIN))
