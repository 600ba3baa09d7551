"""The page of a case: what was copied, its state, possible actions, and its events."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, abort, render_template, request

from admin.cases.common import case_or_404, case_query, is_overdue, just_done, person, reviewers
from admin.passages.alike_sentences import AlikeTexts, alike_texts
from admin.passages.excerpts import Excerpt, excerpts
from admin.web.db_session import database
from admin.web.pagination import Paging
from storage.cases import actions, detail, licences, listing
from storage.errors import NotKnown
from storage.matches import hits
from storage.meaning import retelling_list
from storage.pages import pages
from storage.records.case_states import QUEUED_IN, moves_from
from storage.records.cases import CaseEventRecord, CasePageRecord, CaseRecord, LicenceRecord, NoticeRecord
from storage.records.pages import PageRecord
from storage.types import BY_MEANING, CaseQueue, CaseState, Credit, Dismissal, NoticeChannel

SHOWN_PAGES: Final = 20
ALL_EVENTS: Final = 1_000
_IN_ORDER: Final = (
    *(CaseState.CONFIRMED, CaseState.DISMISSED, CaseState.LICENSED, CaseState.NOTIFIED, CaseState.REMOVED),
    *(CaseState.REAPPEARED, CaseState.REVIEWING, CaseState.NEW),
)

blueprint = Blueprint("case", __name__, url_prefix="/cases/<key:case_id>")


@dataclass(frozen=True, slots=True)
class CaseView:
    case: CaseRecord
    our_page: PageRecord
    pages: list[CasePageRecord]
    paging: Paging
    events: list[CaseEventRecord]
    notices: list[NoticeRecord]
    moves: tuple[CaseState, ...]
    last: CaseEventRecord | None
    licences: list[LicenceRecord]
    """Licences by which its pages are judged."""
    is_overdue: bool
    may_be_queued: bool
    """Whether a person may move it to the other list."""
    may_license: bool


@blueprint.get("")
def page(case_id: int) -> str:
    return shown(case_id)


def shown(case_id: int, *, problem: str = "") -> str:
    """The page of a case; `problem` says why a requested action was refused."""
    view = _view(case_or_404(case_id))
    query = case_query()
    return render_template(
        "cases/case.html",
        view=view,
        query=query,
        problem=problem,
        done=just_done(),
        next_id=listing.next_case(database(), query.where, query.order, case_id),
        previous_id=listing.next_case(database(), query.where, query.order, case_id, backwards=True),
        reviewers=reviewers(),
        me=person(),
        dismissals=list(Dismissal),
        channels=list(NoticeChannel),
        credits=(Credit.NONE, Credit.NAMED, Credit.LINKED),
        glance=_glance(view),
        similar=_similar(view),
        all_events=_wants_all_events(),
    )


def _view(case: CaseRecord) -> CaseView:
    our_page = pages.page_by_id(database(), case.our_page_id)
    if our_page is None:
        abort(404)
    paging = Paging(request.args.get("pages", 1, int), detail.count_pages_of_case(database(), case.id), SHOWN_PAGES)
    shown_pages = detail.pages_of_case(database(), case.id, limit=paging.size, offset=paging.offset)
    limit = ALL_EVENTS if _wants_all_events() else actions.SHOWN_EVENTS
    is_licensable = case.queue is CaseQueue.COPIED and CaseState.LICENSED in moves_from(case.state, case.queue)
    return CaseView(
        case=case,
        our_page=our_page,
        pages=shown_pages,
        paging=paging,
        events=actions.history(database(), case.id, limit=limit),
        notices=actions.notices(database(), case.id),
        moves=tuple(state for state in _IN_ORDER if state in moves_from(case.state, case.queue)),
        last=actions.last_decision(database(), case.id),
        licences=_licences_of(shown_pages),
        is_overdue=is_overdue(case),
        may_be_queued=case.state in QUEUED_IN,
        may_license=is_licensable and case.other_owner_id is not None,
    )


@dataclass(frozen=True, slots=True)
class Glance:
    """The strongest page beside ours. The left of each excerpt is theirs where `left_is_theirs`, else ours."""

    excerpts: list[Excerpt]
    left_is_theirs: bool
    passages: int


def _glance(view: CaseView) -> Glance | None:
    hit_id = next((page.hit_id for page in view.pages if page.hit_id is not None and page.gone_at is None), None)
    hit = None if hit_id is None else hits.get_hit(database(), hit_id)
    if hit is None:
        return None
    copy, source = (pages.text_body(database(), side.text_id) for side in (hit.copy, hit.source))
    found = excerpts(copy or "", source or "", hit.passages)
    return Glance(found, hit.copy.page_id != view.case.our_page_id, len(hit.passages)) if found else None


@dataclass(frozen=True, slots=True)
class Similar:
    """The sentences of the first page that only meaning shows. The left ones are theirs where `left_is_theirs`."""

    texts: AlikeTexts
    left_is_theirs: bool


def _similar(view: CaseView) -> Similar | None:
    by_meaning = (page.retelling_id for page in view.pages if page.kind in BY_MEANING and page.gone_at is None)
    retelling_id = next((number for number in by_meaning if number is not None), None)
    retelling = None if retelling_id is None else retelling_list.get_retelling(database(), retelling_id)
    if retelling is None:
        return None
    copy, source = (pages.text_body(database(), side.text_id) for side in (retelling.copy, retelling.source))
    texts = alike_texts(copy or "", source or "", retelling.sentences)
    return Similar(texts, retelling.copy.page_id != view.case.our_page_id)


def _licences_of(found: list[CasePageRecord]) -> list[LicenceRecord]:
    wanted = sorted({page.licence_id for page in found if page.licence_id is not None})
    try:
        return [licences.get_licence(database(), number) for number in wanted]
    except NotKnown:  # undone between two queries of this request
        return []


def _wants_all_events() -> bool:
    return request.args.get("history") == "all"
