"""What is handed out of a case: the texts as stored, and which cases one copier has."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import and_, false, func, select
from sqlalchemy.orm import Session

from storage.copy_columns import look_at_copy, stands
from storage.models.cases import Case, CasePage
from storage.models.operation import CaseCapture
from storage.models.pages import Page, PageVersion, Text
from storage.types import CaseQueue, CaseState, Credit, LicenceTerm


@dataclass(frozen=True, slots=True)
class StoredBody:
    """`sha256`: of the UTF-8 bytes of `body`; the evidence names texts by it."""

    sha256: bytes
    body: str


def texts_by_id(session: Session, text_ids: Collection[int]) -> dict[int, StoredBody]:
    rows = session.execute(select(Text.id, Text.sha256, Text.body).where(Text.id.in_(list(text_ids))))
    return {text_id: StoredBody(bytes(digest), body) for text_id, digest, body in rows}


def case_ids_of_copier(session: Session, other_key: str, *, states: Collection[CaseState], limit: int) -> list[int]:
    """Cases in which this copier has something of ours and that stand in one of `states`; those with most first."""
    statement = (
        select(Case.id)
        .where(Case.other_key == other_key, Case.queue == CaseQueue.COPIED, Case.state.in_(list(states)))
        .order_by(Case.chars.desc(), Case.id)
        .limit(limit)
    )
    return list(session.scalars(statement))


@dataclass(frozen=True, slots=True)
class CopyLine:
    """A page of theirs in a case, as a letter names it."""

    case_id: int
    url: str
    title: str
    chars: int
    our_share: float
    credit: Credit
    broken_terms: tuple[LicenceTerm, ...]
    stands: bool
    """Whether it holds a copy as far as is known: neither removed, missing, edited nor led elsewhere."""


def lines_of_cases(session: Session, case_ids: Collection[int], *, limit: int) -> dict[int, list[CopyLine]]:
    """The pages of these cases by case, in one question; those that stand first, of these the one with most first."""
    is_standing = func.coalesce(stands(), false())
    rows = session.execute(
        select(CasePage, Page.url, func.coalesce(PageVersion.title, ""), is_standing)
        .join(Page, Page.id == CasePage.their_page_id)
        .outerjoin(CaseCapture, look_at_copy())
        .outerjoin(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.text_id == CasePage.their_text_id))
        .where(CasePage.case_id.in_(list(case_ids)))
        .order_by(CasePage.case_id, is_standing.desc(), CasePage.chars.desc(), CasePage.id)
        .limit(limit)
    )
    found: dict[int, list[CopyLine]] = {}
    for page, url, title, holds in rows:
        terms = tuple(map(LicenceTerm, page.broken_terms))
        line = CopyLine(page.case_id, url, title, page.chars, page.our_share, page.credit, terms, holds)
        found.setdefault(page.case_id, []).append(line)
    return found


def count_cases_of_copier(session: Session, other_key: str, *, states: Collection[CaseState]) -> int:
    statement = select(func.count()).where(
        Case.other_key == other_key, Case.queue == CaseQueue.COPIED, Case.state.in_(list(states))
    )
    return session.scalar(statement) or 0
