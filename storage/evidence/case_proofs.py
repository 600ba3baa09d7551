"""The state of the evidence of one case: captures, pictures, stamps, proofs of calendars, countersignatures."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import CompoundSelect, func, select, union
from sqlalchemy.orm import Session

from storage.evidence import file_lists, heads, witnesses
from storage.models.cases import Case, CasePage
from storage.models.evidence import Evidence
from storage.models.operation import CaseCapture
from storage.models.pages import Page
from storage.postgres.rows import columns_of, records_of
from storage.records.evidence import RECORD_NOT_YET, EvidenceKind
from storage.records.witnesses import CaseProof, ProofKind, ProofState, WitnessKind, WitnessRecord, WitnessState

MOST_FILES: Final = 5_000
"""Newest files of a case whose witnesses are looked up."""
MOST_PROBLEMS: Final = 5
PICTURES: Final = (EvidenceKind.SCREENSHOT, EvidenceKind.RECORDED)
_NOT_ENDED: Final = "the last attempt to record it in a browser has not ended"
_WORST: Final = (ProofState.FAILED, ProofState.WAITING, ProofState.PENDING, ProofState.DONE)


@dataclass(frozen=True, slots=True)
class _PageCapture:
    """`kind`: of the entry of the last capture; None: not captured. `pictured_at`: of the newest picture."""

    page_id: int
    at: datetime | None
    refusal: str | None
    kind: EvidenceKind | None
    next_at: datetime | None
    picture_problem: str | None
    pictured_at: datetime | None


@dataclass(frozen=True, slots=True)
class _Part:
    """The state of one page or file."""

    state: ProofState
    at: datetime | None = None
    next_at: datetime | None = None
    problem: str = ""


def case_proofs(session: Session, case_id: int, *, set_up: Collection[str]) -> list[CaseProof]:
    """The state of each kind of evidence of a case, in the order of `ProofKind`.

    `set_up`: the kinds of witnesses that are set up. What was confirmed by one that is not set up any more counts.
    """
    pages = _captures(session, case_id)
    records, last_entry = case_files(session, case_id)
    lists = file_lists.lists_of(session, records)
    asked = witnesses.witnesses_of_lists(session, set(lists.values()))
    found = [
        _summed(ProofKind.CAPTURE, map(_capture, pages)),
        _summed(ProofKind.PICTURE, map(_picture, pages)),
    ]
    for kind in (WitnessKind.STAMP, WitnessKind.OPEN_TIMESTAMPS):
        of_kind = [one for one in asked if one.kind is kind]
        is_set_up = kind.value in set_up or bool(of_kind)
        parts = _of_files(records, lists, of_kind) if is_set_up else None
        found.append(_summed(ProofKind(kind.value), parts))
    parts = _of_head(session, last_entry, is_set_up=ProofKind.COUNTERSIGNATURE.value in set_up)
    found.append(_summed(ProofKind.COUNTERSIGNATURE, parts))
    return found


def case_files(session: Session, case_id: int) -> tuple[list[bytes], int]:
    """The files of evidence of all pages of a case that were not removed, and the number of the last entry.

    With each file, the one that holds its body. 0 for a case without any.
    """
    rows = session.execute(
        select(Evidence.number, Evidence.record, Evidence.refers)
        .where(
            Evidence.url.in_(select(Page.url).where(Page.id.in_(_page_ids(case_id)))),
            Evidence.record.is_not(None),
            Evidence.removed_by.is_(None),
        )
        .order_by(Evidence.number.desc())
        .limit(MOST_FILES)
    ).all()
    digests = dict.fromkeys(digest for row in rows for digest in (row.record, row.refers) if digest is not None)
    return [bytes(digest) for digest in digests], rows[0].number if rows else 0


def _captures(session: Session, case_id: int) -> Sequence[_PageCapture]:
    pictured = (
        select(func.max(Evidence.at))
        .where(Evidence.url == Page.url, Evidence.kind.in_(PICTURES), Evidence.removed_by.is_(None))
        .correlate(Page)
        .scalar_subquery()
    )
    of_case = (CaseCapture.page_id == Page.id) & (CaseCapture.case_id == case_id)
    rows = session.execute(
        select(*columns_of(_PageCapture, CaseCapture, page_id=Page.id, kind=Evidence.kind, pictured_at=pictured))
        .select_from(Page)
        .outerjoin(CaseCapture, of_case)
        .outerjoin(Evidence, Evidence.number == CaseCapture.entry)
        .where(Page.id.in_(_page_ids(case_id)))
        .order_by(Page.id)
    )
    return records_of(_PageCapture, rows)


def _page_ids(case_id: int) -> CompoundSelect[int]:
    theirs = select(CasePage.their_page_id).where(CasePage.case_id == case_id)
    return union(select(Case.our_page_id).where(Case.id == case_id), theirs)


def _capture(page: _PageCapture) -> _Part:
    if page.at is None:
        return _Part(ProofState.WAITING)
    if page.kind is not EvidenceKind.FAILED:
        # An answer without an article is a response, too, and is kept.
        return _Part(ProofState.DONE, page.at)
    state = ProofState.FAILED if page.next_at is None else ProofState.WAITING
    return _Part(state, None, page.next_at, page.refusal or "")


def _picture(page: _PageCapture) -> _Part:
    if page.pictured_at is not None and page.picture_problem is None:
        return _Part(ProofState.DONE, page.pictured_at)
    if page.picture_problem is None:
        return _Part(ProofState.WAITING)
    # A page that does not answer has its time for the response, and no picture until then.
    next_at = None if page.kind is EvidenceKind.FAILED else page.next_at
    if page.picture_problem == RECORD_NOT_YET and next_at is not None:
        return _Part(ProofState.WAITING, None, next_at)
    problem = _NOT_ENDED if page.picture_problem == RECORD_NOT_YET else page.picture_problem
    return _Part(ProofState.FAILED if next_at is None else ProofState.WAITING, None, next_at, problem)


def _of_files(records: Iterable[bytes], lists: dict[bytes, int], asked: Iterable[WitnessRecord]) -> list[_Part]:
    """One part a file: the best that a witness says of its list."""
    by_list: dict[int, _Part] = {}
    for one in asked:
        part = _witness(one)
        known = by_list.get(one.list_id)
        if known is None or _WORST.index(part.state) > _WORST.index(known.state):
            by_list[one.list_id] = part
    unasked = _Part(ProofState.WAITING)
    return [by_list.get(lists.get(record, 0), unasked) for record in records]


def _witness(one: WitnessRecord) -> _Part:
    at = one.at if one.state is WitnessState.DONE else None
    return _Part(ProofState(one.state.value), at, one.next_at, one.problem)


def _of_head(session: Session, last_entry: int, *, is_set_up: bool) -> list[_Part] | None:
    if not last_entry:
        return [] if is_set_up else None
    request = heads.first_covering(session, last_entry)
    if request is None:
        return [_Part(ProofState.WAITING)] if is_set_up else None
    at = request.at if request.state is WitnessState.DONE else None
    return [_Part(ProofState(request.state.value), at, request.next_at, request.problem)]


def _summed(kind: ProofKind, parts: Iterable[_Part] | None) -> CaseProof:
    """`parts` None: not set up."""
    if parts is None:
        return CaseProof(kind, ProofState.OFF, 0, 0)
    known = list(parts)
    states = {one.state for one in known}
    state = next((one for one in _WORST if one in states), ProofState.WAITING)
    next_at = min((one.next_at for one in known if one.next_at is not None), default=None)
    return CaseProof(
        kind,
        state,
        sum(one.state is ProofState.DONE for one in known),
        len(known),
        max((one.at for one in known if one.at is not None), default=None),
        next_at,
        tuple(dict.fromkeys(one.problem for one in known if one.problem))[:MOST_PROBLEMS],
    )
