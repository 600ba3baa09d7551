"""Data for the documents of a case: the stored texts, and the other cases of the copier."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, false, func, select, true
from sqlalchemy.orm import Session

from storage.cases import common_source, page_evidence
from storage.cases.decisions import QUEUE, QUEUE_BEFORE, is_undone
from storage.cases.lists.copy_columns import stands
from storage.models.cases import Case, CaseEvent, CasePage
from storage.models.matches import Match, PageMatch
from storage.models.pages import Page, PageVersion, Text
from storage.postgres.rows import columns_of, record_of, records_of
from storage.records.evidence import NOTHING_KEPT, PageEvidence
from storage.types import BY_MEANING, CaseEventKind, CaseQueue, CaseState, Credit, LicenceTerm, Standing

NOTHING_KNOWN = 0.5
"""The confidence of an unknown direction."""


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A stored text. `sha256` of its UTF-8 bytes is its name in the evidence."""

    sha256: bytes
    body: str


def texts_by_id(session: Session, text_ids: Collection[int]) -> dict[int, StoredBody]:
    found = session.execute(select(Text.id, *columns_of(StoredBody, Text)).where(Text.id.in_(list(text_ids))))
    return {row.id: record_of(StoredBody, row) for row in found}


def case_ids_of_copier(session: Session, other_key: str, *, states: Collection[CaseState], limit: int) -> list[int]:
    """Cases of this copier in one of `states` that wording proves, by copied characters, most first."""
    statement = (
        select(Case.id)
        .where(Case.other_key == other_key, Case.queue == CaseQueue.COPIED, Case.state.in_(list(states)), _by_wording())
        .order_by(Case.chars.desc(), Case.id)
        .limit(limit)
    )
    return list(session.scalars(statement))


@dataclass(frozen=True, slots=True)
class CopyLine:
    """A page of the copier, as a letter lists it."""

    case_id: int
    url: str
    title: str
    chars: int
    our_share: float
    credit: Credit
    broken_terms: tuple[LicenceTerm, ...]
    stands: bool
    """Whether it holds a copy, as far as known: neither removed, missing, edited nor redirected."""
    standing: Standing = Standing.UNLICENSED
    theirs_first: bool = False
    """Whether the direction says that it is older than ours, and no person has decided otherwise since."""
    from_third: bool = False
    """Whether both may have it from a third page, and no person has confirmed the case since."""
    evidence: PageEvidence = NOTHING_KEPT
    is_by_meaning: bool = False
    """Whether only its meaning is similar, and no wording proves a copy."""


def lines_of_cases(session: Session, case_ids: Collection[int], *, limit: int) -> dict[int, list[CopyLine]]:
    """The pages of these cases by case, in one query: those that hold a copy first, by copied characters."""
    is_standing = func.coalesce(stands(), false())
    own, evidence = page_evidence.of_case_pages(CasePage.__table__.join(Page, Page.id == CasePage.their_page_id))
    columns = columns_of(
        CopyLine, CasePage, Page, title=func.coalesce(PageVersion.title, ""), stands=is_standing,
        theirs_first=_is_theirs_first(), evidence=evidence, is_by_meaning=CasePage.kind.in_(BY_MEANING),
        from_third=and_(common_source.is_from_third(known=False), ~common_source.is_confirmed_since()),
    )  # fmt: skip
    rows = session.execute(
        select(*columns)
        .select_from(own)
        .join(Case, Case.id == CasePage.case_id)
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.text_id == CasePage.their_text_id))
        .where(CasePage.case_id.in_(list(case_ids)))
        .order_by(CasePage.case_id, is_standing.desc(), CasePage.chars.desc(), CasePage.id)
        .limit(limit)
    )
    found: dict[int, list[CopyLine]] = {}
    for line in records_of(CopyLine, rows):
        found.setdefault(line.case_id, []).append(line)
    return found


def _is_theirs_first() -> ColumnElement[bool]:
    """Whether their page is the source of the case's hit, and no person has moved the case to the list of copies of
    ours since the page joined.
    """
    is_source = exists(
        select(PageMatch.id)
        .join(Match, Match.id == PageMatch.match_id)
        .where(
            PageMatch.low_page_id == func.least(Case.our_page_id, CasePage.their_page_id),
            PageMatch.high_page_id == func.greatest(Case.our_page_id, CasePage.their_page_id),
            Match.low_text_id == func.least(CasePage.our_text_id, CasePage.their_text_id),
            Match.high_text_id == func.greatest(CasePage.our_text_id, CasePage.their_text_id),
            PageMatch.source_page_id == CasePage.their_page_id,
            PageMatch.confidence > NOTHING_KNOWN,
        )
        .correlate(Case, CasePage)
    )
    is_decided = exists(
        select(CaseEvent.id)
        .where(
            CaseEvent.case_id == CasePage.case_id,
            CaseEvent.kind == CaseEventKind.QUEUED,
            CaseEvent.actor != "",
            CaseEvent.details[QUEUE].astext == CaseQueue.COPIED.value,
            # From the list of agency stories: that no agency wrote it, which says nothing of who was first.
            ~CaseEvent.details.has_key(QUEUE_BEFORE),
            ~is_undone(),
            CaseEvent.at >= CasePage.found_at,
        )
        .correlate(CasePage)
    )
    return and_(is_source, ~is_decided)


def count_cases_of_copier(session: Session, other_key: str, *, states: Collection[CaseState]) -> int:
    statement = select(func.count()).where(
        Case.other_key == other_key, Case.queue == CaseQueue.COPIED, Case.state.in_(list(states)), _by_wording()
    )
    return session.scalar(statement) or 0


@dataclass(frozen=True, slots=True)
class StateTotals:
    """Figures over all cases of a copier in one state."""

    state: CaseState
    cases: int
    pages: int
    """Pages that hold a copy."""
    captured: int
    """Of these, those with a kept response of their own."""
    chars: int
    """Sum over the cases of the largest matched length of one page, by its wording."""


def totals_of_copier(session: Session, other_key: str, *, states: Collection[CaseState]) -> list[StateTotals]:
    """Figures over all cases that a statement may list, however many there are."""
    is_standing = func.coalesce(stands(), false())
    own, evidence = page_evidence.of_case_pages(CasePage.__table__.join(Page, Page.id == CasePage.their_page_id))
    (entry,) = (column for column in evidence if column.name == "entry")
    by_wording = CasePage.kind.not_in(BY_MEANING)
    of_case = (
        select(
            Case.state,
            func.coalesce(func.max(CasePage.chars).filter(by_wording), 0).label("chars"),
            func.count().filter(is_standing).label("pages"),
            func.count().filter(is_standing, entry.element.is_not(None)).label("captured"),
        )
        .select_from(own)
        .join(Case, Case.id == CasePage.case_id)
        .where(Case.other_key == other_key, Case.queue == CaseQueue.COPIED, Case.state.in_(list(states)), _by_wording())
        .group_by(Case.id)
        .subquery()
    )
    sums = {name: func.sum(of_case.c[name]) for name in ("chars", "pages", "captured")}
    columns = columns_of(StateTotals, of_case, cases=func.count(), **sums)
    return records_of(StateTotals, session.execute(select(*columns).group_by(of_case.c.state)))


def _by_wording() -> ColumnElement[bool]:
    """Whether wording proves a copy of the case: letters and statements name no others."""
    return func.coalesce(Case.kind.not_in(BY_MEANING), true())
