"""Cases: one page of ours and one copying owner, settled by the program until a person touches them."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from sqlalchemy import Engine, func, select, text
from sqlalchemy.orm import Session

from storage.cases import actions, detail, findings, listing, page_pairs
from storage.cases.lists.filters import CaseFilter
from storage.engine import make_engine, transaction
from storage.errors import HeldByCase, MoveNotAllowed, NotKnown
from storage.models.cases import Case, CasePage
from storage.models.pages import Text
from storage.pages import pages, saving
from storage.records.case_states import BY_PERSON, BY_PROGRAM, OPEN_STATES, may_move, state_by_findings
from storage.records.cases import Actor
from storage.records.pages import SavedPage
from storage.sites import sites
from storage.types import CaseEventKind, CaseQueue, CaseState, LicenceTerm, Standing
from tests.support.case_actions import a_finding, a_page, a_reviewer
from tests.support.factories import a_site


@pytest.fixture
def pair(session: Session) -> tuple[SavedPage, SavedPage]:
    return a_page(session, "ours", 1), a_page(session, "copier", 2)


@pytest.fixture
def lin(session: Session) -> Actor:
    return a_reviewer(session)


def only_case(session: Session) -> int:
    return session.scalars(select(Case.id)).one()


def kinds(session: Session, case_id: int) -> list[CaseEventKind]:
    return [event.kind for event in actions.history(session, case_id)]


def test_a_finding_opens_a_case_and_finding_it_again_changes_nothing(
    session: Session, pair: tuple[SavedPage, SavedPage]
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    before = actions.get_case(session, case_id), actions.history(session, case_id)

    assert findings.keep_findings(session, [a_finding(*pair)]) == {case_id}

    assert (actions.get_case(session, case_id), actions.history(session, case_id)) == before
    case, (event,) = before
    assert (case.our_url, case.other_name, case.state, case.queue) == (
        "https://ours.example/a",
        "copier.example",
        CaseState.NEW,
        CaseQueue.COPIED,
    )
    assert (case.pages, case.chars, case.touched) == (1, 180, False)
    assert (event.kind, event.actor, event.to_state) == (CaseEventKind.OPENED, "", CaseState.NEW)


def test_several_pages_of_one_owner_join_one_case_and_other_owners_have_their_own(session: Session) -> None:
    ours, first, second, other = (a_page(session, f"host{number}", number) for number in range(4))

    found = findings.keep_findings(
        session, [a_finding(ours, first), a_finding(ours, second, chars=190), a_finding(ours, other, host="other")]
    )

    assert len(found) == 2
    (case,) = [case for case in listing.list_cases(session) if case.other_name == "copier.example"]
    assert (case.pages, case.chars) == (2, 190)
    assert [page.their_page_id for page in detail.pages_of_case(session, case.id)] == [second.page_id, first.page_id]
    assert kinds(session, case.id) == [CaseEventKind.OPENED, CaseEventKind.PAGE_JOINED]


def test_a_licensed_copy_opens_no_case_and_settles_the_one_that_is_there(
    session: Session, pair: tuple[SavedPage, SavedPage]
) -> None:
    licensed = a_finding(*pair, standing=Standing.LICENSED)
    assert findings.keep_findings(session, [licensed]) == set()

    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    findings.keep_findings(session, [licensed])
    assert actions.get_case(session, case_id).state is CaseState.LICENSED

    breach = a_finding(*pair, standing=Standing.BREACH, broken_terms=(LicenceTerm.NO_LINK, LicenceTerm.EXPIRED))
    findings.keep_findings(session, [breach])
    assert actions.get_case(session, case_id).state is CaseState.NEW
    (page,) = detail.pages_of_case(session, case_id)
    assert (page.standing, page.broken_terms) == (Standing.BREACH, (LicenceTerm.NO_LINK, LicenceTerm.EXPIRED))


def test_what_is_found_no_more_withdraws_an_untouched_case_and_brings_it_back_when_found_again(
    session: Session, pair: tuple[SavedPage, SavedPage]
) -> None:
    ours, theirs = pair
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])

    assert findings.take_back(session, ours.page_id, theirs.page_id, why="not found again") == 1
    assert findings.take_back(session, ours.page_id, theirs.page_id, why="not found again") == 0
    assert actions.get_case(session, case_id).state is CaseState.WITHDRAWN
    assert actions.get_case(session, case_id).pages == 0
    assert page_pairs.case_ids_of_pairs(session, [(ours.page_id, theirs.page_id)]) == {}

    findings.keep_findings(session, [a_finding(*pair)])
    assert actions.get_case(session, case_id).state is CaseState.NEW
    moves = [(event.from_state, event.to_state) for event in actions.history(session, case_id) if event.from_state]
    assert moves == [(CaseState.NEW, CaseState.WITHDRAWN), (CaseState.WITHDRAWN, CaseState.NEW)]


def test_the_case_of_two_pages_is_found_whichever_is_ours_and_whatever_became_of_it(
    session: Session, pair: tuple[SavedPage, SavedPage], lin: Actor
) -> None:
    ours, theirs = pair
    assert page_pairs.case_of_pages(session, (ours.page_id, theirs.page_id)) is None
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)
    actions.move_case(session, case_id, CaseState.REMOVED, expected=CaseState.CONFIRMED, actor=lin)

    for asked in ((ours.page_id, theirs.page_id), (theirs.page_id, ours.page_id)):
        assert page_pairs.case_of_pages(session, asked) == (case_id, CaseState.REMOVED)


def test_of_two_cases_that_hold_a_pair_the_open_one_is_told(session: Session, lin: Actor) -> None:
    ours, theirs = a_page(session, "ours", 1), a_page(session, "theirs", 2)
    (open_case,) = findings.keep_findings(session, [a_finding(ours, theirs)])
    (closed,) = findings.keep_findings(session, [a_finding(ours, theirs, "second.example")])
    actions.move_case(session, closed, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)
    actions.move_case(session, closed, CaseState.REMOVED, expected=CaseState.CONFIRMED, actor=lin)

    assert page_pairs.case_of_pages(session, (ours.page_id, theirs.page_id)) == (open_case, CaseState.NEW)


def test_a_case_with_another_page_left_stays_open(session: Session) -> None:
    ours, first, second = (a_page(session, f"host{number}", number) for number in range(3))
    (case_id,) = findings.keep_findings(session, [a_finding(ours, first), a_finding(ours, second)])

    findings.take_back(session, ours.page_id, first.page_id, why="not found again")

    assert actions.get_case(session, case_id).state is CaseState.NEW
    held = ours.page_id, ours.text_id
    assert page_pairs.live_pairs(session, [held]) == {held: {(ours.page_id, second.page_id): second.text_id}}


@pytest.mark.parametrize("state", [CaseState.REVIEWING, CaseState.CONFIRMED, CaseState.DISMISSED])
def test_what_a_person_has_decided_is_never_withdrawn(
    session: Session, pair: tuple[SavedPage, SavedPage], lin: Actor, state: CaseState
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    actions.move_case(session, case_id, state, expected=CaseState.NEW, actor=lin)

    findings.take_back(session, pair[0].page_id, pair[1].page_id, why="not found again")
    findings.keep_findings(session, [a_finding(*pair, standing=Standing.LICENSED, queue=CaseQueue.WE_MAY_BE_COPIER)])

    case = actions.get_case(session, case_id)
    assert (case.state, case.queue) == (state, CaseQueue.COPIED)


def test_a_note_or_an_assignee_is_a_touch_too(session: Session, pair: tuple[SavedPage, SavedPage], lin: Actor) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    actions.assign_case(session, case_id, lin, actor=lin)
    assert actions.get_case(session, case_id).assignee == "lin"

    findings.take_back(session, pair[0].page_id, pair[1].page_id, why="not found again")

    assert actions.get_case(session, case_id).state is CaseState.NEW


def test_another_page_in_a_case_that_was_removed_makes_it_reappear(session: Session, lin: Actor) -> None:
    ours, first, second = (a_page(session, f"host{number}", number) for number in range(3))
    (case_id,) = findings.keep_findings(session, [a_finding(ours, first)])
    actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)
    actions.move_case(session, case_id, CaseState.REMOVED, expected=CaseState.CONFIRMED, actor=lin)

    findings.keep_findings(session, [a_finding(ours, first)])
    assert actions.get_case(session, case_id).state is CaseState.REMOVED
    findings.keep_findings(session, [a_finding(ours, second)])
    assert actions.get_case(session, case_id).state is CaseState.REAPPEARED


def test_a_case_changes_its_queue_with_the_direction_while_nobody_works_on_it(
    session: Session, pair: tuple[SavedPage, SavedPage]
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])

    findings.keep_findings(session, [a_finding(*pair, queue=CaseQueue.WE_MAY_BE_COPIER)])

    assert [case.id for case in listing.list_cases(session, CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER))] == [case_id]
    assert kinds(session, case_id) == [CaseEventKind.OPENED, CaseEventKind.QUEUED]


def test_the_case_of_a_host_goes_on_as_that_of_its_owner_once_he_is_known(
    session: Session, pair: tuple[SavedPage, SavedPage]
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    site = a_site(session, "抄写网", owner="抄写公司")

    owned = a_finding(*pair, other_key=f"owner:{site.owner_id}", other_owner_id=site.owner_id)

    assert findings.keep_findings(session, [owned]) == {case_id}
    assert actions.get_case(session, case_id).other_name == "抄写公司"


def test_each_act_is_in_the_history_with_who_did_it(
    session: Session, pair: tuple[SavedPage, SavedPage], lin: Actor
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])

    actions.move_case(session, case_id, CaseState.REVIEWING, expected=CaseState.NEW, actor=lin, note="看看")
    actions.assign_case(session, case_id, None, actor=lin)
    actions.note_case(session, case_id, "同一作者？\0", actor=lin)
    actions.set_deadline(session, case_id, None, actor=lin)

    _, *events = actions.history(session, case_id)
    assert [event.actor for event in events] == ["lin"] * 4
    assert (events[0].from_state, events[0].to_state, events[0].note) == (CaseState.NEW, CaseState.REVIEWING, "看看")
    assert actions.get_case(session, case_id).notes == "同一作者？\ufffd"
    assert kinds(session, case_id)[1:] == [
        CaseEventKind.MOVED,
        CaseEventKind.ASSIGNED,
        CaseEventKind.NOTED,
        CaseEventKind.DEADLINE,
    ]


def test_a_move_that_is_not_allowed_or_comes_too_late_is_refused(
    session: Session, pair: tuple[SavedPage, SavedPage], lin: Actor
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])

    with pytest.raises(MoveNotAllowed, match="is new now and cannot become removed"):
        actions.move_case(session, case_id, CaseState.REMOVED, expected=CaseState.NEW, actor=lin)
    actions.move_case(session, case_id, CaseState.DISMISSED, expected=CaseState.NEW, actor=lin)
    with pytest.raises(MoveNotAllowed, match="somebody else"):
        actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)
    with pytest.raises(NotKnown):
        actions.move_case(session, case_id + 1, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)


def test_what_a_case_refers_to_is_not_removed(session: Session) -> None:
    kept, free = a_site(session, "抄写网"), a_site(session, "别处")
    ours = a_page(session, "ours", 1)
    theirs = a_page(session, "抄写网", 2, site_id=kept.id)
    a_page(session, "https://抄写网.example/other", 3, site_id=kept.id)
    a_page(session, "别处", 4, site_id=free.id)
    findings.keep_findings(session, [a_finding(ours, theirs)])

    with pytest.raises(HeldByCase):
        saving.remove_page(session, "https://ours.example/a")
    assert sites.remove_site(session, "抄写网") == 1
    assert sites.remove_site(session, "别处") == 1

    assert [site.name for site in sites.list_sites(session)] == ["抄写网"]
    assert not sites.get_site(session, "抄写网").settings.enabled
    assert {page.id for page in pages.list_pages(session)} == {ours.page_id, theirs.page_id}
    assert session.scalar(select(func.count()).select_from(Text)) == 2


def test_two_workers_that_open_one_case_at_once_open_it_once(clean_database_url: str) -> None:
    engine: Engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        ours, first, second = (a_page(session, f"host{number}", number) for number in range(3))

    def keep(theirs: SavedPage) -> set[int]:
        with transaction(engine) as session:
            return findings.keep_findings(session, [a_finding(ours, theirs)])

    with ThreadPoolExecutor(1) as other_worker:
        with transaction(engine) as session:
            kept = findings.keep_findings(session, [a_finding(ours, first)])
            waiting = other_worker.submit(keep, second)  # cannot see the case before this transaction ends
            wait_until_somebody_waits(engine)
        assert waiting.result(30) == kept

    with transaction(engine) as session:
        assert session.scalar(select(func.count()).select_from(Case)) == 1
        assert session.scalar(select(func.count()).select_from(CasePage)) == 2
    engine.dispose()


def wait_until_somebody_waits(engine: Engine) -> None:
    waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    for _ in range(10_000):
        with transaction(engine) as session:
            if session.scalar(text(waits)):
                return
    pytest.fail("the other worker does not wait for the case")


def test_every_state_can_be_left_and_reached_and_no_move_leads_nowhere() -> None:
    assert set(BY_PERSON) == set(CaseState)
    assert all(BY_PERSON.values())
    reached = {state for moves in (*BY_PERSON.values(), *BY_PROGRAM.values()) for state in moves}
    assert reached == set(CaseState)
    assert not any(may_move(state, state) for state in CaseState)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CaseState.NEW, CaseState.NOTIFIED),
        (CaseState.NEW, CaseState.WITHDRAWN),
        (CaseState.DISMISSED, CaseState.NOTIFIED),
        (CaseState.LICENSED, CaseState.CONFIRMED),
        (CaseState.NOTIFIED, CaseState.NEW),
        (CaseState.REVIEWING, CaseState.REMOVED),
        (CaseState.CONFIRMED, CaseState.REAPPEARED),
    ],
)
def test_a_person_may_not_move_a_case_so(before: CaseState, after: CaseState) -> None:
    assert not may_move(before, after)


def test_the_way_from_new_to_reappeared_is_open() -> None:
    way = [
        *(CaseState.NEW, CaseState.REVIEWING, CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REMOVED),
        CaseState.REAPPEARED,
    ]
    assert all(may_move(*step) for step in pairwise(way))
    assert set(CaseState) > OPEN_STATES


@pytest.mark.parametrize(
    ("standings", "state"),
    [
        ([], CaseState.WITHDRAWN),
        ([Standing.LICENSED, Standing.LICENSED], CaseState.LICENSED),
        ([Standing.LICENSED, Standing.BREACH], CaseState.NEW),
        ([Standing.UNLICENSED], CaseState.NEW),
    ],
)
def test_an_untouched_case_stands_where_its_pages_put_it(standings: list[Standing], state: CaseState) -> None:
    assert state_by_findings(standings) is state


def test_a_decided_case_keeps_its_state_and_says_that_its_figures_changed(
    session: Session, pair: tuple[SavedPage, SavedPage], lin: Actor
) -> None:
    (case_id,) = findings.keep_findings(session, [a_finding(*pair)])
    findings.keep_findings(session, [a_finding(*pair, chars=170, our_share=0.85)])
    assert CaseEventKind.FIGURES not in kinds(session, case_id), "nobody has decided by them"
    actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)

    findings.keep_findings(session, [a_finding(*pair, chars=90, our_share=0.45)])
    findings.keep_findings(session, [a_finding(*pair, chars=90, our_share=0.45)])

    case = actions.get_case(session, case_id)
    assert (case.state, case.chars) == (CaseState.CONFIRMED, 90)
    (event,) = [one for one in actions.history(session, case_id) if one.kind is CaseEventKind.FIGURES]
    assert event.details == {"chars": [170, 90], "our_share": [0.85, 0.45]}
    assert [one.id for one in listing.list_cases(session, CaseFilter(refigured=True))] == [case_id]
    assert listing.list_cases(session, CaseFilter(refigured=True, states=frozenset({CaseState.NEW}))) == []
