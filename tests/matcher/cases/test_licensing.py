"""A person says “this partner may”: the licence, the cases that it settles, and the way back."""

import pytest
from sqlalchemy.orm import Session

from matcher.cases.licensing import Scope, grant, revoke
from storage.cases import actions, detail, findings, licences
from storage.errors import MoveNotAllowed, NobodyKnown, NotKnown
from storage.records.cases import Actor
from storage.types import CaseEventKind, CaseQueue, CaseState, Credit, LicenceTerm, Standing
from tests.support.case_actions import a_case, a_reviewer, move, owned_cases, set_columns


@pytest.fixture
def lin(session: Session) -> Actor:
    return a_reviewer(session)


def states(session: Session, found: list[int]) -> list[CaseState]:
    return [actions.get_case(session, case_id).state for case_id in found]


def test_one_article_settles_its_case_and_no_other(session: Session, lin: Actor) -> None:
    found = owned_cases(session, range(1, 4))

    judged = grant(session, found[1], Scope.ARTICLE, requires=Credit.NONE, expected=CaseState.NEW, actor=lin)

    assert (judged.settled, judged.breaches, judged.waiting) == (1, 0, 0)
    assert states(session, found) == [CaseState.NEW, CaseState.LICENSED, CaseState.NEW]
    terms = judged.licence.terms
    assert (terms.article_url, terms.owner, terms.copier) == ("https://ours.example/2", None, "抄写公司")
    (page,) = detail.pages_of_case(session, found[1])
    assert (page.standing, page.licence_id) == (Standing.LICENSED, judged.licence.id)
    last = actions.history(session, found[1])[-1]
    assert (last.kind, last.actor, last.details["settled"]) == (CaseEventKind.LICENSED, "lin", 1)


def test_everything_settles_what_is_undecided_and_leaves_what_somebody_acted_upon(session: Session, lin: Actor) -> None:
    found = owned_cases(session, range(1, 6))
    move(session, found[0], CaseState.CONFIRMED, lin)
    move(session, found[1], CaseState.REVIEWING, lin)
    stranger = a_case(session, 50)

    judged = grant(session, found[4], Scope.EVERYTHING, requires=Credit.NONE, expected=CaseState.NEW, actor=lin)

    assert states(session, [*found, stranger]) == [
        CaseState.CONFIRMED,
        *[CaseState.LICENSED] * 4,
        CaseState.NEW,
    ]
    assert judged.licence.terms.owner == "县报社"


def test_a_confirmed_case_is_settled_where_it_is_the_one_that_was_asked(session: Session, lin: Actor) -> None:
    (case_id,) = owned_cases(session, range(1, 2))
    move(session, case_id, CaseState.CONFIRMED, lin)

    grant(session, case_id, Scope.ARTICLE, requires=Credit.NONE, expected=CaseState.CONFIRMED, actor=lin)

    assert states(session, [case_id]) == [CaseState.LICENSED]


def test_a_copy_that_breaks_the_condition_stays_open_as_a_breach(session: Session, lin: Actor) -> None:
    (case_id,) = owned_cases(session, range(1, 2))

    judged = grant(session, case_id, Scope.ARTICLE, requires=Credit.LINKED, expected=CaseState.NEW, actor=lin)

    assert (judged.settled, judged.breaches) == (0, 1)
    case, (page,) = actions.get_case(session, case_id), detail.pages_of_case(session, case_id)
    assert (case.state, case.standing) == (CaseState.NEW, Standing.BREACH)
    assert page.broken_terms == (LicenceTerm.NO_LINK,)


def test_saying_it_twice_makes_one_licence(session: Session, lin: Actor) -> None:
    first, second = owned_cases(session, range(1, 3))
    one = grant(session, first, Scope.EVERYTHING, requires=Credit.LINKED, expected=CaseState.NEW, actor=lin)
    other = grant(session, second, Scope.EVERYTHING, requires=Credit.LINKED, expected=CaseState.NEW, actor=lin)

    assert one.licence == other.licence
    assert len(licences.list_licences(session)) == 1


def test_a_licence_taken_back_opens_again_what_it_had_settled(session: Session, lin: Actor) -> None:
    found = owned_cases(session, range(1, 4))
    move(session, found[0], CaseState.REVIEWING, lin)
    move(session, found[1], CaseState.LICENSED, lin)
    judged = grant(session, found[2], Scope.EVERYTHING, requires=Credit.NONE, expected=CaseState.NEW, actor=lin)

    taken_back = revoke(session, judged.licence.id, actor=lin)

    assert taken_back.settled == 2
    assert states(session, found) == [CaseState.REVIEWING, CaseState.LICENSED, CaseState.NEW], (
        "what a person had allowed for itself stays allowed"
    )
    assert actions.get_case(session, found[2]).standing is Standing.UNLICENSED
    with pytest.raises(NotKnown):
        revoke(session, judged.licence.id, actor=lin)


def test_what_cannot_be_licensed_is_refused_and_makes_no_licence(session: Session, lin: Actor) -> None:
    found = owned_cases(session, range(1, 4))
    unowned = a_case(session, 50)
    set_columns(session, found[1], queue=CaseQueue.WE_MAY_BE_COPIER)
    move(session, found[2], CaseState.DISMISSED, lin)

    with pytest.raises(NobodyKnown):
        grant(session, unowned, Scope.ARTICLE, requires=Credit.NONE, expected=CaseState.NEW, actor=lin)
    for case_id, expected in (
        (found[0], CaseState.CONFIRMED),
        (found[1], CaseState.NEW),
        (found[2], CaseState.DISMISSED),
    ):
        with pytest.raises(MoveNotAllowed):
            grant(session, case_id, Scope.ARTICLE, requires=Credit.NONE, expected=expected, actor=lin)
    assert licences.list_licences(session) == []


def test_a_page_that_is_over_does_not_hold_a_case_open(session: Session, lin: Actor) -> None:
    (case_id,) = owned_cases(session, range(1, 2))
    case = actions.get_case(session, case_id)
    (page,) = detail.pages_of_case(session, case_id)
    findings.take_back(session, case.our_page_id, page.their_page_id, why="gone")
    set_columns(session, case_id, state=CaseState.REVIEWING)

    judged = grant(session, case_id, Scope.ARTICLE, requires=Credit.NONE, expected=CaseState.REVIEWING, actor=lin)

    assert (judged.settled, states(session, [case_id])) == (0, [CaseState.REVIEWING])
