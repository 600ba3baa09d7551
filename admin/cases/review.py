"""Everything that one needs to decide a case, for its own page and for the pages of its hits."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from flask import abort, request

from admin.cases.common import case_query, is_overdue, just_done, just_undone, person, reviewers
from admin.cases.head_start import HeadStart, head_start, origins_of
from admin.cases.pictures import picture_count
from admin.cases.queue_views import queues_from
from admin.cases.reading import Reading
from admin.cases.timeline import Step, timeline_of
from admin.web.db_session import database
from admin.web.pagination import Paging
from admin.web.services import current_services
from storage.cases import actions, detail, licences, listing
from storage.errors import NotKnown
from storage.pages import pages
from storage.records.case_states import OPEN_STATES, QUEUED_IN, WAITING_STATES, moves_from
from storage.records.cases import CaseEventRecord, CasePageRecord, CaseRecord, LicenceRecord, NoticeRecord
from storage.records.pages import PageRecord
from storage.types import CaseQueue, CaseState, Credit, Dismissal, NoticeChannel

SHOWN_PAGES: Final = 20
ALL_EVENTS: Final = 1_000
SHOWN_BEFORE: Final = 2
SHOWN_AFTER: Final = 5
"""Cases of the list before and after the one that is read."""
_IN_ORDER: Final = (
    *(CaseState.CONFIRMED, CaseState.DISMISSED, CaseState.LICENSED, CaseState.NOTIFIED, CaseState.REMOVED),
    *(CaseState.REAPPEARED, CaseState.REVIEWING, CaseState.NEW),
)


@dataclass(frozen=True, slots=True)
class CaseView:
    """`page`: the page of theirs that is shown; None if the case has none."""

    case: CaseRecord
    our_page: PageRecord
    page: CasePageRecord | None
    pages: list[CasePageRecord]
    paging: Paging
    events: list[CaseEventRecord]
    notices: list[NoticeRecord]
    moves: tuple[CaseState, ...]
    last: CaseEventRecord | None
    licences: list[LicenceRecord]
    """Licences by which its pages are judged."""
    is_overdue: bool
    is_open: bool
    may_be_snoozed: bool
    is_snoozed: bool
    queues: list[tuple[CaseQueue, str, str]]
    """The lists to which a person may move it, with the name and the key of each move; none once it is decided."""
    may_license: bool
    first: HeadStart | None
    """None where no hit is stored."""
    steps: tuple[Step, ...]
    pictures: int
    """Of the page, on this machine."""
    can_capture: bool
    """Whether a worker can be asked for a capture."""


def shown_page(found: list[CasePageRecord]) -> CasePageRecord | None:
    """The page to read first: the largest copy with a hit that is still there, else any with a hit, else any."""
    live = (page for page in found if page.hit_id is not None and page.gone_at is None)
    with_hit = (page for page in found if page.hit_id is not None)
    return next(live, None) or next(with_hit, None) or next(iter(found), None)


def pages_to_show(case: CaseRecord) -> tuple[list[CasePageRecord], Paging]:
    """The pages of theirs that the query string asks for."""
    paging = Paging(request.args.get("pages", 1, int), detail.count_pages_of_case(database(), case.id), SHOWN_PAGES)
    return detail.pages_of_case(database(), case.id, limit=paging.size, offset=paging.offset), paging


def view_of(
    case: CaseRecord,
    found: tuple[list[CasePageRecord], Paging],
    page: CasePageRecord | None,
    reading: Reading | None,
) -> CaseView:
    our_page = pages.page_by_id(database(), case.our_page_id)
    if our_page is None:
        abort(404)
    shown_pages, paging = found
    their_page = _their_page(page, reading)
    limit = ALL_EVENTS if wants_all_events() else actions.SHOWN_EVENTS
    events, notices = actions.history(database(), case.id, limit=limit), actions.notices(database(), case.id)
    is_licensable = case.queue is CaseQueue.COPIED and CaseState.LICENSED in moves_from(case.state, case.queue)
    return CaseView(
        case=case,
        our_page=our_page,
        page=page,
        pages=shown_pages,
        paging=paging,
        events=events,
        notices=notices,
        moves=tuple(state for state in _IN_ORDER if state in moves_from(case.state, case.queue)),
        last=actions.last_decision(database(), case.id),
        licences=_licences_of(shown_pages),
        is_overdue=is_overdue(case),
        is_open=case.state in OPEN_STATES,
        may_be_snoozed=case.state in WAITING_STATES,
        is_snoozed=case.snoozed_until is not None and case.snoozed_until > datetime.now(UTC),
        queues=queues_from(case.queue) if case.state in QUEUED_IN else [],
        may_license=is_licensable and case.other_owner_id is not None,
        first=_first(case, reading),
        steps=timeline_of(case, our_page, page, notices, events, their_page),
        pictures=0 if page is None else picture_count(page.their_url),
        can_capture=current_services().enqueue is not None,
    )


def context_of(view: CaseView, reading: Reading | None) -> dict[str, Any]:
    """What the partial templates of a review need: the decision bar, the texts and the facts."""
    query, case_id = case_query(), view.case.id
    after = listing.next_cases(database(), query.where, query.order, case_id, limit=SHOWN_AFTER)
    before = listing.next_cases(database(), query.where, query.order, case_id, backwards=True, limit=SHOWN_BEFORE)
    beside = {case.id: case for case in listing.cases_by_id(database(), [*before, *after])}
    return {
        "view": view,
        "query": query,
        "reading": reading,
        "done": just_done(),
        "undone": just_undone(),
        "next_id": next(iter(after), None),
        "previous_id": next(iter(before), None),
        "in_list": [beside.get(one, view.case) for one in (*reversed(before), case_id, *after)],
        "reviewers": reviewers(),
        "me": person(),
        "dismissals": list(Dismissal),
        "channels": list(NoticeChannel),
        "credits": (Credit.NONE, Credit.NAMED, Credit.LINKED),
    }


def wants_all_events() -> bool:
    return request.args.get("history") == "all"


def _their_page(page: CasePageRecord | None, reading: Reading | None) -> PageRecord | None:
    if page is None:
        return None
    read = () if reading is None else (reading.copy_page, reading.source_page)
    known = next((one for one in read if one.id == page.their_page_id), None)
    return known or pages.page_by_id(database(), page.their_page_id)


def _first(case: CaseRecord, reading: Reading | None) -> HeadStart | None:
    if reading is None:
        return None
    return head_start(reading.hit, case.our_page_id, origins_of((reading.copy_page, reading.source_page)))


def _licences_of(found: list[CasePageRecord]) -> list[LicenceRecord]:
    wanted = sorted({page.licence_id for page in found if page.licence_id is not None})
    try:
        return [licences.get_licence(database(), number) for number in wanted]
    except NotKnown:  # undone between two queries of this request
        return []
