"""The search box: cases, sites, owners, pages and commands, for those who may go there."""

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.quick_search.commands import COMMANDS
from admin.web.services import Services
from storage.engine import transaction
from storage.types import AccountRole
from tests.support.case_actions import a_case, owned_cases
from tests.support.desk_client import add_person, app_with, client_of_person, let_in, make_app


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def links(client: FlaskClient, words: str) -> list[str]:
    return re.findall(r'<a href="([^"]+)" data-found>', client.get("/find", query_string={"q": words, "part": 1}).text)


def test_it_finds_cases_sites_owners_pages_and_commands(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        (case_id,) = owned_cases(session, range(1, 2))
        other = a_case(session, 7, title="顺河茶馆")

    assert f"/cases/{case_id}" in links(client, f"#{case_id}")
    assert f"/cases/{other}" in links(client, str(other))
    found = links(client, "茶馆")
    assert f"/cases/{other}" in found
    assert any(path.startswith("/pages/") for path in found)
    assert any(path.startswith("/sites/") for path in links(client, "抄写网"))
    assert any(path.startswith("/owners/") for path in links(client, "抄写公司"))
    assert "/cases?tab=agency" in links(client, "通讯社")
    assert "/cases?tab=agency" in links(client, "WIRE")


def test_commands_are_those_that_the_person_may_use(client: FlaskClient, engine: Engine) -> None:
    manager = client_of_person_of(engine, AccountRole.MANAGER)

    assert "/sites/add" not in links(client, "添加")
    assert "/sites/add" in links(manager, "添加")


def client_of_person_of(engine: Engine, role: AccountRole) -> FlaskClient:
    add_person(engine, role=role, name=role.value)
    found = make_app(engine).test_client()
    let_in(found, name=role.value)
    return found


@pytest.mark.parametrize(
    "words", ["", " ", "#", "#0", "#99999999999999999999", "x", "%", "'; DROP TABLE page", "<script>", "\0", "字" * 500]
)
def test_whatever_is_asked_is_answered(client: FlaskClient, words: str) -> None:
    for part in ("", "1"):
        answer = client.get("/find", query_string={"q": words, "part": part})
        assert answer.status_code == 200
        assert "<script>" not in answer.text.replace("<script src=", "")


def test_every_command_leads_to_a_page(engine: Engine) -> None:
    app = app_with(Services(engine=engine, secret_key="for tests"))

    assert [one.endpoint for one in COMMANDS if one.endpoint not in app.view_functions] == []
