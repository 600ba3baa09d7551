"""Cases put off until a date: out of the list, in a list of their own, and back by themselves."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from storage.cases import actions
from storage.engine import transaction
from storage.types import AccountRole, CaseState
from tests.support.case_actions import a_case, a_reviewer, move, set_columns
from tests.support.desk_client import client_of_person, csrf_token


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


@pytest.fixture
def case_ids(engine: Engine) -> list[int]:
    with transaction(engine) as session:
        return [a_case(session, number) for number in range(1, 4)]


def post(client: FlaskClient, path: str, **form: object) -> str:
    answer = client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})
    return answer.location or str(answer.status_code)


def listed(client: FlaskClient, case_ids: list[int], tab: str) -> list[int]:
    page = client.get(f"/cases?{tab}").text
    return [number for number, case_id in enumerate(case_ids, 1) if f'value="{case_id}:' in page]


def test_a_case_leaves_the_list_and_comes_back_by_itself(
    client: FlaskClient, engine: Engine, case_ids: list[int]
) -> None:
    first, second, _third = case_ids

    assert post(client, f"/cases/{first}/snooze?sort=oldest", days="3") == f"/cases/{second}?sort=oldest"

    assert listed(client, case_ids, "") == [2, 3]
    assert listed(client, case_ids, "tab=snoozed") == [1]
    assert "暂缓至" in client.get(f"/cases/{first}").text
    with transaction(engine) as session:
        set_columns(session, first, snoozed_until=datetime.now(UTC) - timedelta(minutes=1))
    assert listed(client, case_ids, "") == [1, 2, 3]
    assert listed(client, case_ids, "woken=1") == [1]
    assert listed(client, case_ids, "tab=snoozed") == []


def test_a_case_is_taken_up_again_and_a_decision_ends_it_too(
    client: FlaskClient, engine: Engine, case_ids: list[int]
) -> None:
    first, second, _third = case_ids
    for case_id in (first, second):
        post(client, f"/cases/{case_id}/snooze", days="7")

    assert post(client, f"/cases/{first}/snooze", wake="1") == f"/cases/{first}"
    with transaction(engine) as session:
        move(session, second, CaseState.REVIEWING, a_reviewer(session))
        states = [actions.get_case(session, case_id).snoozed_until for case_id in (first, second)]
    assert states == [None, None]


def test_many_are_put_off_at_once(client: FlaskClient, engine: Engine, case_ids: list[int]) -> None:
    with transaction(engine) as session:
        move(session, case_ids[0], CaseState.CONFIRMED, a_reviewer(session))

    post(client, "/cases/decide", case=[f"{case_id}:new" for case_id in case_ids], to="snooze", days="1")

    assert listed(client, case_ids, "tab=snoozed") == [2, 3], "what is decided is not put off"


@pytest.mark.parametrize("until", ["", "x", "2026-02-30", "2020-01-01", "9999-12-31", "\ud800", "0", "-1" * 8])
def test_a_date_that_is_none_or_not_to_come_puts_nothing_off(
    client: FlaskClient, case_ids: list[int], until: str
) -> None:
    form = {"until": until.encode("utf-8", "replace").decode()}
    assert post(client, f"/cases/{case_ids[0]}/snooze", **form) == f"/cases/{case_ids[0]}"
    assert re.search(r'class="alert alert-warning"[^>]*>.*日期', client.get("/cases").text), "once, and nothing is lost"
    assert listed(client, case_ids, "") == [1, 2, 3]


def test_a_viewer_may_not(engine: Engine, case_ids: list[int]) -> None:
    viewer = client_of_person(engine, role=AccountRole.VIEWER)
    assert post(viewer, f"/cases/{case_ids[0]}/snooze", days="1") == "403"
    assert post(viewer, f"/cases/{case_ids[0]}/comments", comment="x") == "403"
