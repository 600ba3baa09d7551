"""The list of cases: totals that follow the search, moves that are possible, and one decision on the whole list."""

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from storage.cases.lists.filters import CaseFilter
from storage.cases.lists.state_counts import count_states
from storage.engine import transaction
from storage.types import CaseQueue, CaseState
from tests.support.case_actions import a_case, a_reviewer, move, state_of
from tests.support.cases import store_case
from tests.support.desk_client import client_of_person, csrf_token


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


@pytest.fixture
def case_ids(engine: Engine) -> list[int]:
    """52 cases: a page of the list and two more."""
    with transaction(engine) as session:
        return [a_case(session, number) for number in range(1, 53)]


def tabs(page: str) -> dict[str, int]:
    found = re.findall(r"<a href=\"/cases[^>]*>([^<]+) <b>(\d+)</b>", page[page.index('class="tabs"') :])
    return {name: int(count) for name, count in found}


def test_the_total_is_that_of_the_tab_and_both_follow_the_search(
    client: FlaskClient, engine: Engine, case_ids: list[int]
) -> None:
    with transaction(engine) as session:
        move(session, case_ids[0], CaseState.CONFIRMED, a_reviewer(session))

    page, searched = client.get("/cases").text, client.get("/cases?text=我方第1").text

    assert "第 1–50 条，共 51 条" in page
    assert "请缩小筛选范围" not in page
    assert (tabs(page)["待处理"], tabs(page)["已确认"], tabs(page)["全部"]) == (51, 1, 52)
    assert "共 10 条" in searched, "10 to 19"
    assert (tabs(searched)["待处理"], tabs(searched)["已确认"], tabs(searched)["全部"]) == (10, 1, 11)
    assert 'href="/cases?tab=confirmed&amp;text=' in searched, "a tab keeps the search"


def test_counts_are_those_of_states_and_lists(engine: Engine, case_ids: list[int]) -> None:
    with transaction(engine) as session:
        move(session, case_ids[0], CaseState.CONFIRMED, a_reviewer(session))
        counts = count_states(session, CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER))
        cut = count_states(session, CaseFilter(text="我方第"), bound=10)

    assert counts.of(CaseFilter()) == 52
    assert counts.of(CaseFilter(queue=CaseQueue.COPIED, states=frozenset({CaseState.NEW}))) == 51
    assert counts.of(CaseFilter(queue=CaseQueue.WE_MAY_BE_COPIER)) == 0
    assert not counts.is_cut
    assert cut.is_cut


def test_only_moves_that_a_case_of_the_list_allows_are_offered(
    client: FlaskClient, engine: Engine, case_ids: list[int]
) -> None:
    with transaction(engine) as session:
        move(session, case_ids[0], CaseState.CONFIRMED, a_reviewer(session))

    waiting, confirmed = (client.get(path).text for path in ("/cases", "/cases?tab=confirmed"))

    assert 'name="to" value="confirmed"' in waiting
    assert 'name="to" value="removed"' not in waiting
    assert 'name="to" value="confirmed"' not in confirmed
    assert 'name="to" value="removed"' in confirmed
    assert 'name="all"' in waiting
    assert 'name="all"' not in confirmed, "one page has all of it"


def test_all_of_a_list_is_decided_and_undone_at_once(client: FlaskClient, engine: Engine, case_ids: list[int]) -> None:
    form = {"csrf_token": csrf_token(client, "/account")}
    page = client.get("/cases").text
    assert "全选 52 条" in page
    (newest,) = re.findall(r'name="newest" value="(\d+)"', page)
    with transaction(engine) as session:
        later = a_case(session, 99)

    answer = client.post("/cases/decide", data={**form, "all": "1", "newest": newest, "to": "confirmed"})

    assert {state_of(engine, one) for one in case_ids} == {CaseState.CONFIRMED}
    assert state_of(engine, later) is CaseState.NEW, "nobody has seen it"
    page = client.get(answer.location).text
    assert "已处理 52 件案件" in page
    events = re.findall(r'name="event" value="(\d+:\d+)"', page)
    answer = client.post("/cases/undo", data={**form, "event": events})
    assert {state_of(engine, one) for one in case_ids} == {CaseState.NEW}
    page = client.get(answer.location).text
    assert "52 件案件恢复为“新案件”" in page
    undone = re.findall(r'name="undone" value="(\d+:\d+)"', page)
    client.post("/cases/redo", data={**form, "undone": undone})
    assert {state_of(engine, one) for one in case_ids} == {CaseState.CONFIRMED}


def test_many_decided_cases_are_named_by_their_decision(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        for number in range(1, 204):
            a_case(session, number)
    form = {"csrf_token": csrf_token(client, "/account")}

    answer = client.post("/cases/decide", data={**form, "all": "1", "newest": "999999", "to": "reviewing"})

    assert re.fullmatch(r"/cases\?done=(@|%40)[0-9a-f]{16}", answer.location or "")
    events = re.findall(r'name="event" value="(\d+:\d+)"', client.get(answer.location).text)
    assert len(events) == 203
    back = client.post("/cases/undo", data={**form, "event": events})
    assert "203 件案件恢复为“新案件”" in client.get(back.location).text
    assert client.get("/cases?done=@<script>").status_code == 200


def test_a_list_without_its_newest_case_is_refused(client: FlaskClient, case_ids: list[int]) -> None:
    form = {"csrf_token": csrf_token(client, "/account"), "all": "1", "to": "confirmed"}

    assert case_ids
    for newest in ({}, {"newest": "x"}, {"newest": "-1"}):
        assert client.post("/cases/decide", data={**form, **newest}).status_code == 400


def test_a_row_shows_where_in_our_article_the_copied_passages_are(client: FlaskClient, engine: Engine) -> None:
    store_case(engine)

    row = client.get("/cases").text

    assert 'class="heat"' in row
    assert 'class="heat-part"' in row


def test_a_saved_list_stands_in_sight_with_its_number(client: FlaskClient, engine: Engine, case_ids: list[int]) -> None:
    with transaction(engine) as session:
        move(session, case_ids[0], CaseState.CONFIRMED, a_reviewer(session))
    for query, name in (("kind=near", "近似"), ("tab=confirmed", "确认"), ("text=我方第1", "有字")):
        client.post(f"/cases/views?{query}", data={"csrf_token": csrf_token(client, "/account"), "name": name})

    page = client.get("/cases").text

    views = page[page.index('class="views"') : page.index('class="save-view"')]
    found = re.findall(r"<bdi>([^<]+)</bdi>(?: <b>(\d+)</b>)?</a>", views)
    assert sorted(found) == [("有字", ""), ("确认", "1"), ("近似", "51")], "words are not counted: pages would be read"
