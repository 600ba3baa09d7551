"""Lists of discovery: filters, order, the case that came of one, and the services behind a case."""

import pytest
from sqlalchemy import Engine, update
from sqlalchemy.orm import Session

from storage.engine import transaction
from storage.models.pages import Page
from storage.records.web_search import FindFilter, QueryFilter
from storage.types import FindState, FoundBy, HostDecision
from storage.web_search import finds, lists
from tests.support.web_search.searches import COPIER, IGNORED, STRANGER, Searched, fill_searches


@pytest.fixture
def searched(engine: Engine) -> Searched:
    return fill_searches(engine)


def found(session: Session, **where: object) -> list[str]:
    return [one.url for one in lists.list_finds(session, FindFilter(**where), limit=9)]  # type: ignore[arg-type]


def asked(session: Session, **where: object) -> list[str]:
    return [one.phrase for one in lists.list_queries(session, QueryFilter(**where), limit=9)]  # type: ignore[arg-type]


def test_finds_are_filtered_newest_first_with_their_case(engine: Engine, searched: Searched) -> None:
    ours = searched.case.ours.page_id
    with transaction(engine) as session:
        everything = lists.list_finds(session, FindFilter(), limit=9)
        assert [one.id for one in everything] == sorted((one.id for one in everything), reverse=True)
        assert {one.url: one.case_id for one in everything if one.case_id} == {f"https://{COPIER}/a": searched.case.id}
        assert {one.our_title for one in everything} == {"老桥修好了"}
        assert set(found(session, state=FindState.COPY)) == {f"https://{COPIER}/a", f"https://{STRANGER}/1"}
        assert len(found(session, host=STRANGER)) == 2
        assert len(found(session, site="县报")) == len(found(session, page_id=ours)) == 5
        assert found(session, site="none") == found(session, page_id=ours + 1) == []
        assert found(session, text="老桥修好") == found(session)
        assert found(session, text="%") == found(session, text="\x00\ud800x") == []
        assert lists.count_finds(session, FindFilter(), bound=3) == 3
        first, *_ = lists.list_finds(session, FindFilter(), limit=1, below=everything[0].id)
        assert first == everything[1]


def test_queries_are_filtered_newest_first(engine: Engine, searched: Searched) -> None:
    with transaction(engine) as session:
        assert asked(session) == ["“不识庐山真面目”", "<b>老桥</b>", "河边的茶馆也开了门"]
        assert asked(session, is_answered=True) == ["河边的茶馆也开了门"]
        assert len(asked(session, is_answered=False)) == 2
        assert asked(session, service="brave") == ["<b>老桥</b>"]
        assert len(asked(session, page_id=searched.case.ours.page_id)) == 2
        assert asked(session, site="none") == asked(session, service="\x00") == []
        assert lists.count_queries(session, QueryFilter(service="own"), bound=9) == 2
        assert lists.asked_services(session) == ["brave", "own"]
        (one,) = lists.list_queries(session, QueryFilter(is_answered=True), limit=9)
        assert (one.our_title, one.results, one.unusable, one.beyond, one.price) == ("老桥修好了", 3, 1, 2, 0.005)


def test_a_case_knows_the_services_that_found_its_pages(engine: Engine, searched: Searched) -> None:
    case = searched.case
    with transaction(engine) as session:
        # A crawl had the page before.
        assert lists.services_of_cases(session, [case.id]) == {}
        session.execute(update(Page).where(Page.id == case.theirs.page_id).values(found_by=FoundBy.SEARCH))
        assert lists.services_of_cases(session, [case.id, case.id + 1]) == {case.id: ("brave", "own")}
        assert lists.services_of_cases(session, []) == {}


def test_totals_count_queries_money_and_what_was_found(engine: Engine) -> None:
    with transaction(engine) as session:
        nothing = lists.discovery_totals(session)
        assert (nothing.articles, nothing.queries, nothing.money, nothing.finds, nothing.cases) == (0, 0, 0.0, {}, 0)
    fill_searches(engine)
    with transaction(engine) as session:
        totals = lists.discovery_totals(session)

    assert (totals.articles, totals.queries, totals.failed, totals.money, totals.cases) == (1, 3, 1, 0.005, 0)
    assert totals.finds == {FindState.COPY: 2, FindState.NO_COPY: 1, FindState.LEFT_OUT: 1, FindState.WAITING: 1}


def test_an_ignored_host_is_proposed_again_when_it_is_taken_back(engine: Engine, searched: Searched) -> None:
    assert searched
    with transaction(engine) as session:
        finds.decide_host(session, STRANGER, HostDecision.IGNORED, by="li")
        names = [one.host for one in lists.decided_hosts(session, HostDecision.IGNORED, limit=9)]
        assert sorted(names) == [IGNORED, STRANGER]
        assert STRANGER not in {one.host for one in finds.proposed_hosts(session, limit=9)}

        assert lists.forget_decision(session, STRANGER)
        assert not lists.forget_decision(session, STRANGER)
        assert not lists.forget_decision(session, "\x00\ud800")
        assert STRANGER in {one.host for one in finds.proposed_hosts(session, limit=9)}
