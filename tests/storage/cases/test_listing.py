"""The list of cases: each filter alone, every order, the next case, counts up to a bound."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from storage.cases import actions, findings, listing
from storage.cases.lists.filters import CaseFilter, CaseOrder
from storage.records.pages import Declared
from storage.types import (
    CaseKind,
    CaseQueue,
    CaseState,
    Credit,
    Dismissal,
    LicenceTerm,
    Precision,
    Severity,
    Standing,
    Verdict,
)
from tests.support.case_actions import a_case, a_finding, a_page, a_reviewer, move, owned_cases, set_columns

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def listed(session: Session, where: CaseFilter, order: CaseOrder = CaseOrder.OLDEST) -> list[int]:
    """However large what is asked for is taken to be."""
    found = [case.id for case in listing.list_cases(session, where, order=order)]
    for most_named in (0, 100):
        assert listing.ids_of_cases(session, where, order=order, bound=100, most_named=most_named) == found
    return found


@pytest.fixture
def three(session: Session) -> list[int]:
    """A grave one, a middling one that is named, a slight one; each of another copier."""
    found = [
        a_case(session, 1, chars=900, our_share=0.9, title="老桥修好了"),
        a_case(session, 2, chars=700, our_share=0.6, credit=Credit.NAMED, kind=CaseKind.EXCERPT),
        a_case(session, 3, chars=100, our_share=0.1, queue=CaseQueue.WE_MAY_BE_COPIER),
    ]
    for number, case_id in enumerate(found):
        set_columns(session, case_id, score=0.6 + number / 10, opened_at=NOW + timedelta(days=number))
    return found


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (CaseFilter(), [0, 1, 2]),
        (CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER), [2]),
        (CaseFilter(states=frozenset({CaseState.NEW})), [0, 1, 2]),
        (CaseFilter(states=frozenset({CaseState.DISMISSED})), []),
        (CaseFilter(owner="copier2.example"), [1]),
        (CaseFilter(owner="nobody"), []),
        (CaseFilter(kind=CaseKind.EXCERPT), [1]),
        (CaseFilter(credit=Credit.NAMED), [1]),
        (CaseFilter(severity=Severity.GRAVE), [0]),
        (CaseFilter(severity=Severity.MIDDLING), [1]),
        (CaseFilter(severity=Severity.SLIGHT), [2]),
        (CaseFilter(min_share=0.6), [0, 1]),
        (CaseFilter(opened_from=NOW + timedelta(days=1)), [1, 2]),
        (CaseFilter(opened_before=NOW + timedelta(days=1)), [0]),
        (CaseFilter(unassigned=True), [0, 1, 2]),
        (CaseFilter(min_score=0.7, below_score=0.8), [1]),
        (CaseFilter(text="老桥"), [0]),
        (CaseFilter(text="OURS.example/2"), [1]),
        (CaseFilter(text="抄来的第3篇"), [2]),
        (CaseFilter(text="copier1"), [0]),
        (CaseFilter(text="100%_"), []),
        (CaseFilter(text="\0\ud800"), []),
        (CaseFilter(text="老桥", credit=Credit.NAMED), []),
    ],
)
def test_each_filter_narrows_the_list(
    session: Session, three: list[int], where: CaseFilter, expected: list[int]
) -> None:
    assert listed(session, where) == [three[index] for index in expected]
    assert listing.count_each(session, {"asked": where}, bound=10) == {"asked": len(expected)}


def test_a_site_is_found_on_either_side_and_an_owner_by_his_name(session: Session) -> None:
    first, second = owned_cases(session, range(1, 3))
    other = a_case(session, 9)

    assert listed(session, CaseFilter(site="县报")) == listed(session, CaseFilter(site="抄写网")) == [first, second]
    assert listed(session, CaseFilter(owner="抄写公司")) == [first, second]
    assert listed(session, CaseFilter(site="没有的站")) == []
    assert other in listed(session, CaseFilter())


def test_assignee_breach_overdue_and_verdict(session: Session, three: list[int]) -> None:
    lin = a_reviewer(session)
    actions.assign_case(session, three[0], lin, actor=lin)
    assert listed(session, CaseFilter(assignee_id=lin.account_id)) == [three[0]]
    assert three[0] not in listed(session, CaseFilter(unassigned=True))

    breach = a_case(session, 5, standing=Standing.BREACH, broken_terms=(LicenceTerm.NO_LINK,))
    assert listed(session, CaseFilter(breach=True)) == [breach]

    set_columns(session, three[1], state=CaseState.NOTIFIED, deadline=NOW)
    assert listed(session, CaseFilter(overdue_at=NOW)) == []
    assert listed(session, CaseFilter(overdue_at=NOW + timedelta(seconds=1))) == [three[1]]

    move(session, three[0], CaseState.DISMISSED, lin, because=Dismissal.QUOTATION)
    move(session, three[2], CaseState.DISMISSED, lin, because=Dismissal.NOT_A_COPY)
    assert listed(session, CaseFilter(verdict=Verdict.LAWFUL)) == [three[0]]
    assert listed(session, CaseFilter(verdict=Verdict.WRONG)) == [three[2]]
    assert listed(session, CaseFilter(verdict=Verdict.RIGHT)) == [three[1]]
    assert listed(session, CaseFilter(because=Dismissal.QUOTATION)) == [three[0]]
    assert listed(session, CaseFilter(because=Dismissal.NOT_OURS)) == []


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (CaseOrder.NEWEST, [2, 1, 0]),
        (CaseOrder.OLDEST, [0, 1, 2]),
        (CaseOrder.LARGEST, [0, 1, 2]),
        (CaseOrder.SHARE, [0, 1, 2]),
        (CaseOrder.SCORE, [2, 1, 0]),
        (CaseOrder.DEADLINE, [1, 0, 2]),
        (CaseOrder.GRAVEST, [0, 1, 2]),
    ],
)
def test_whoever_goes_from_case_to_case_walks_the_list_in_its_order(
    session: Session, three: list[int], order: CaseOrder, expected: list[int]
) -> None:
    set_columns(session, three[1], deadline=NOW)
    wanted = [three[index] for index in expected]

    assert listed(session, CaseFilter(), order) == wanted
    assert walked(session, wanted[0], order, backwards=False) == wanted
    assert walked(session, wanted[-1], order, backwards=True) == wanted[::-1]


def walked(session: Session, start: int, order: CaseOrder, *, backwards: bool) -> list[int]:
    steps: list[int] = [start]
    while (found := listing.next_case(session, CaseFilter(), order, steps[-1], backwards=backwards)) is not None:
        steps.append(found)
    return steps


def test_the_next_case_is_found_also_when_the_one_before_has_left_the_list(session: Session, three: list[int]) -> None:
    lin = a_reviewer(session)
    new = CaseFilter(states=frozenset({CaseState.NEW}))
    move(session, three[1], CaseState.CONFIRMED, lin)

    assert listing.next_case(session, new, CaseOrder.NEWEST, three[1]) == three[0]
    assert listing.next_case(session, new, CaseOrder.NEWEST, three[0]) is None
    assert listing.next_case(session, new, CaseOrder.NEWEST, 10**9) is None


def test_counting_stops_at_its_bound(session: Session, three: list[int]) -> None:
    lists = {"all": CaseFilter(), "copier": CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER)}

    assert listing.count_each(session, {"all": CaseFilter()}, bound=1) == {"all": 2}
    assert listing.count_each(session, lists, bound=2) == {"all": 3, "copier": 1}
    assert listing.count_each(session, {}, bound=2) == {}


def test_pages_of_a_list_overlap_nowhere(session: Session) -> None:
    found = [a_case(session, number) for number in range(1, 6)]

    first = [case.id for case in listing.list_cases(session, limit=3)]
    second = [case.id for case in listing.list_cases(session, limit=3, offset=3)]

    assert first + second == found[::-1]


def test_a_case_carries_the_figures_of_its_strongest_page_and_the_worst_credit(session: Session) -> None:
    ours, small, large = (
        a_page(session, f"https://h{number}.example/", number, title=f"第{number}页") for number in range(3)
    )
    linked = {"credit": Credit.LINKED, "kind": CaseKind.IDENTICAL}
    findings.keep_findings(session, [a_finding(ours, small, chars=150, our_share=0.2)])
    (case_id,) = findings.keep_findings(session, [a_finding(ours, large, chars=800, our_share=0.95, **linked)])

    case = actions.get_case(session, case_id)
    assert (case.pages, case.chars, case.our_share, case.kind, case.credit) == (
        *(2, 800, 0.95),
        *(CaseKind.IDENTICAL, Credit.NONE),
    )
    assert (case.our_title, case.their_title, case.their_url) == ("第0页", "第2页", "https://h2.example/")

    findings.take_back(session, ours.page_id, small.page_id, why="gone")
    assert actions.get_case(session, case_id).credit is Credit.LINKED
    findings.take_back(session, ours.page_id, large.page_id, why="gone")
    case = actions.get_case(session, case_id)
    assert (case.pages, case.chars, case.kind) == (0, 800, CaseKind.IDENTICAL), "what was judged stays known"


@pytest.mark.parametrize(
    ("ours", "theirs", "delay"),
    [
        (Declared(NOW, Precision.MINUTE), Declared(NOW + timedelta(hours=5), Precision.SECOND), timedelta(hours=5)),
        (Declared(NOW, Precision.MINUTE), Declared(NOW - timedelta(hours=5), Precision.MINUTE), timedelta(hours=-5)),
        (Declared(NOW, Precision.MINUTE), Declared(NOW + timedelta(hours=45), Precision.DAY), timedelta(days=2)),
        (Declared(NOW, Precision.DAY), Declared(NOW, Precision.DAY), timedelta()),
        (Declared(NOW, Precision.MONTH), Declared(NOW, Precision.SECOND), None),
        (Declared(), Declared(NOW, Precision.SECOND), None),
        (Declared(NOW, Precision.SECOND), Declared(), None),
    ],
)
def test_a_case_has_the_delay_between_the_stated_dates(
    session: Session, ours: Declared, theirs: Declared, delay: timedelta | None
) -> None:
    first, second = (a_page(session, f"h{number}", number, declared=one) for number, one in enumerate((ours, theirs)))
    (case_id,) = findings.keep_findings(session, [a_finding(first, second)])

    case = actions.get_case(session, case_id)

    assert (case.our_published_at, case.their_published_at, case.delay) == (ours.at, theirs.at, delay)


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ({"our_share": 0.5, "chars": 400}, Severity.GRAVE),
        ({"our_share": 0.1, "chars": 1_000}, Severity.GRAVE),
        ({"our_share": 0.49, "chars": 999}, Severity.MIDDLING),
        ({"our_share": 0.9, "chars": 400, "credit": Credit.NAMED}, Severity.MIDDLING),
        ({"our_share": 0.9, "chars": 400, "credit": Credit.LINKED}, Severity.SLIGHT),
        ({"our_share": 0.9, "chars": 400, "credit": Credit.LINKED, "standing": Standing.BREACH}, Severity.GRAVE),
        ({"our_share": 0.29, "chars": 299}, Severity.SLIGHT),
        ({"our_share": 0.3, "chars": 299}, Severity.MIDDLING),
        ({"our_share": 0.29, "chars": 300}, Severity.MIDDLING),
    ],
)
def test_severity_is_said_by_what_was_taken_and_credited(
    session: Session, fields: dict[str, Any], severity: Severity
) -> None:
    assert actions.get_case(session, a_case(session, 1, **fields)).severity is severity


DECISIONS: list[tuple[CaseState, Dismissal | None, Verdict | None]] = [
    (CaseState.CONFIRMED, None, Verdict.RIGHT),
    (CaseState.LICENSED, None, Verdict.RIGHT),
    (CaseState.DISMISSED, Dismissal.NOT_WORTH_IT, Verdict.RIGHT),
    (CaseState.DISMISSED, Dismissal.NOT_A_COPY, Verdict.WRONG),
    (CaseState.DISMISSED, None, Verdict.WRONG),
    (CaseState.REVIEWING, None, None),
]


@pytest.mark.parametrize(("state", "because", "verdict"), DECISIONS)
def test_each_decision_is_a_label(
    session: Session, state: CaseState, because: Dismissal | None, verdict: Verdict | None
) -> None:
    case_id = a_case(session, 1)
    move(session, case_id, state, a_reviewer(session), because=because)

    labelled = {one for one in Verdict if case_id in listed(session, CaseFilter(verdict=one))}
    assert labelled == ({verdict} if verdict else set())


def test_a_case_that_the_program_took_for_licensed_is_no_label(session: Session) -> None:
    ours, theirs = a_page(session, "ours", 1), a_page(session, "copier", 2)
    findings.keep_findings(session, [a_finding(ours, theirs)])
    findings.keep_findings(session, [a_finding(ours, theirs, standing=Standing.LICENSED)])

    assert listed(session, CaseFilter(states=frozenset({CaseState.LICENSED}))) != []
    assert listed(session, CaseFilter(verdict=Verdict.RIGHT)) == []


def test_no_list_asks_more_questions_for_more_cases(session: Session, count_queries: Callable[[], int]) -> None:
    a_case(session, 1)
    before = count_queries()
    listing.list_cases(session)
    once = count_queries() - before

    for number in range(2, 12):
        a_case(session, number)
    before = count_queries()
    assert len(listing.list_cases(session)) == 11
    assert count_queries() - before == once == 2


@pytest.fixture
def count_queries(session: Session) -> Callable[[], int]:
    """How many statements were sent so far."""
    sent: list[str] = []
    event.listen(session.get_bind(), "before_cursor_execute", lambda *args: sent.append(args[2]))
    return lambda: len(sent)
