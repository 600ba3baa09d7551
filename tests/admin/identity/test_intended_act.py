"""A decision sent after the login had expired is kept through the login, shown, and done only then."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, delete
from werkzeug.test import TestResponse

from storage.engine import transaction
from storage.models.people import DeskSession
from storage.types import CaseState
from tests.support.case_actions import a_case, state_of
from tests.support.desk_client import client_of_person, csrf_token, log_in

FORM = re.compile(r'<form method="post" action="(/cases[^"]+)">(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'name="([^"]+)" value="([^"]*)"')


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


@pytest.fixture
def case_id(engine: Engine) -> int:
    with transaction(engine) as session:
        return a_case(session, 1)


def expire(engine: Engine) -> None:
    with transaction(engine) as session:
        session.execute(delete(DeskSession))


def decide(
    client: FlaskClient, case_id: int, token: str, *, forget: bool = False, headers: dict[str, str] | None = None
) -> TestResponse:
    if forget:
        client.delete_cookie("session")
    sent = {"csrf_token": token, "to": "confirmed", "expected": "new", "note": "<b>看过</b>"}
    around = {
        "Referer": f"http://localhost/cases/{case_id}?tab=all",
        "Sec-Fetch-Site": "same-origin",
        **(headers or {}),
    }
    return client.post(f"/cases/{case_id}/move?tab=all", data=sent, headers=around)


def after_login(client: FlaskClient, answer: TestResponse) -> TestResponse:
    assert answer.status_code == 302
    wanted = parse_qs(urlsplit(answer.location).query).get("next", [""])[0]
    assert "登录已过期" in client.get(answer.location).text
    return client.get(log_in(client, next_path=wanted).location)


@pytest.mark.parametrize("forget", [False, True], ids=["ended in the store", "cookie gone"])
def test_the_decision_is_shown_after_the_login_and_done_on_confirmation(
    client: FlaskClient, engine: Engine, case_id: int, forget: bool
) -> None:
    token = csrf_token(client, "/account")
    expire(engine)

    page = after_login(client, decide(client, case_id, token, forget=forget))

    assert state_of(engine, case_id) is CaseState.NEW
    assert f"案件 #{case_id}" in page.text
    assert "&lt;b&gt;看过&lt;/b&gt;" in page.text
    form = FORM.search(page.text)
    assert form is not None
    fields: dict[str, Any] = dict(FIELD.findall(form[2]))
    assert form[1] == f"/cases/{case_id}/move?tab=all"
    assert client.post(form[1], data=fields | {"note": "看过"}).status_code == 302
    assert state_of(engine, case_id) is CaseState.CONFIRMED


def test_without_a_session_a_form_leads_back_to_its_page(client: FlaskClient, engine: Engine) -> None:
    token = csrf_token(client, "/account")
    expire(engine)

    answer = client.post(
        "/account/preferences", data={"csrf_token": token}, headers={"Referer": "http://localhost/account?x=1"}
    )

    assert answer.location == "/login?next=/account?x%3D1"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"}, {"Referer": "https://evil.example/cases/1"}, {"Referer": ""},
        {"Referer": "http://[::1"}, {"Referer": "http://localhost.evil.example/cases/1"},
    ],
)  # fmt: skip
def test_a_form_of_another_site_is_not_kept(
    client: FlaskClient, engine: Engine, case_id: int, headers: dict[str, str]
) -> None:
    token = csrf_token(client, "/account")
    expire(engine)

    answer = decide(client, case_id, token, headers=headers)

    assert "intended" not in answer.location
    assert state_of(engine, case_id) is CaseState.NEW


@pytest.mark.parametrize("act", ["", "x", "\0", "a.b.c", "密" * 2_000])
def test_an_act_that_was_not_signed_here_is_not_found(client: FlaskClient, act: str) -> None:
    assert client.get("/intended", query_string={"act": act}).status_code == 404


def test_a_huge_form_is_not_kept_but_its_page_is(client: FlaskClient, engine: Engine, case_id: int) -> None:
    token = csrf_token(client, "/account")
    expire(engine)
    sent = {"csrf_token": token, "notes": "".join(chr(0x4E00 + number * number % 20_011) for number in range(6_000))}

    answer = client.post(f"/cases/{case_id}/notes", data=sent, headers={"Referer": f"http://localhost/cases/{case_id}"})

    assert answer.location == f"/login?next=/cases/{case_id}"
