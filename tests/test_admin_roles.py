"""Who may do what, asked of every route there is."""

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import Engine
from werkzeug.routing import Rule

from admin.auth import ASSET_ENDPOINTS, PUBLIC_ENDPOINTS
from admin.roles import READING_METHODS, has_role, needs, role_needed, stated_role
from storage.engine import make_engine
from storage.records import AccountRecord
from storage.types import AccountRole
from tests.admin_desk import NAME, add_person, csrf_token, log_in, make_app


@pytest.fixture
def desk_engine(clean_database_url: str) -> Iterator[Engine]:
    engine = make_engine(clean_database_url)
    yield engine
    engine.dispose()


def guarded_rules(app: Flask) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if rule.endpoint not in PUBLIC_ENDPOINTS | ASSET_ENDPOINTS]


def changing_methods(rule: Rule) -> set[str]:
    return set(rule.methods or ()) - READING_METHODS


def account(role: AccountRole) -> AccountRecord:
    return AccountRecord(1, "甲", "x", role, "", True, "t")


def test_every_route_that_changes_something_states_the_role_it_needs(desk_engine: Engine) -> None:
    app = make_app(desk_engine)
    changing = [rule for rule in guarded_rules(app) if changing_methods(rule)]

    assert changing
    unstated = [rule.rule for rule in changing if stated_role(app.view_functions[rule.endpoint]) is None]
    assert unstated == [], "put @needs(AccountRole.…) under the route decorator (admin/roles.py)"


def test_a_role_may_what_the_roles_before_it_may() -> None:
    allowed = {role: [needed for needed in AccountRole if has_role(account(role), needed)] for role in AccountRole}

    assert allowed == {role: list(AccountRole)[: index + 1] for index, role in enumerate(AccountRole)}
    assert not has_role(None, AccountRole.VIEWER)


def test_reading_needs_a_viewer_unless_the_page_says_more() -> None:
    @needs(AccountRole.ADMINISTRATOR)
    def people_page() -> str:
        return ""

    assert role_needed(len, "GET") is AccountRole.VIEWER
    assert role_needed(people_page, "GET") is role_needed(people_page, "POST") is AccountRole.ADMINISTRATOR


def test_a_changing_view_that_states_no_role_is_refused_even_to_an_administrator(desk_engine: Engine) -> None:
    app = make_app(desk_engine)
    app.add_url_rule("/forgotten", "home.forgotten", lambda: "done", methods=["GET", "POST"])
    add_person(desk_engine, role=AccountRole.ADMINISTRATOR)
    client = app.test_client()
    log_in(client, name=NAME)

    assert client.get("/forgotten").text == "done"
    answer = client.post("/forgotten", data={"csrf_token": csrf_token(client, "/hits")})
    assert answer.status_code == 403
    assert "没有权限" in answer.text
