"""Permissions of every route."""

from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from admin.identity.current_user import ASSET_ENDPOINTS, PUBLIC_ENDPOINTS
from admin.identity.permissions import READING_METHODS, has_role, needs, role_needed, stated_role
from admin.web.api_prefix import is_api
from storage.records.accounts import AccountRecord
from storage.types import AccountRole
from tests.support.desk_client import NAME, add_person, csrf_token, let_in, make_app, own_app
from tests.support.desk_world import NOWHERE, Route, content, fill, routes

SLOW = frozenset({"evidence.pdf", "certificates.issue"})
"""Starts a browser. That it needs a log-in and a role is tested here; what it answers, elsewhere."""
HOSTILE = ("\0", "\ud800", "-1", "9" * 40, "\u202e'", "<script>alert(1)</script>")

NOT_ASKED = frozenset({"login.leave"})
"""Ends the session that the test goes on with."""


def guarded_rules(app: Flask) -> list[Rule]:
    open_to_all = PUBLIC_ENDPOINTS | ASSET_ENDPOINTS
    return [rule for rule in app.url_map.iter_rules() if rule.endpoint not in open_to_all and not is_api(rule.rule)]


def changing_methods(rule: Rule) -> set[str]:
    return set(rule.methods or ()) - READING_METHODS


def account(role: AccountRole) -> AccountRecord:
    return AccountRecord(1, "甲", "x", role, "", True)


def test_every_route_that_changes_something_states_the_role_it_needs(engine: Engine) -> None:
    app = make_app(engine)
    changing = [rule for rule in guarded_rules(app) if changing_methods(rule)]

    assert changing
    unstated = [rule.rule for rule in changing if stated_role(app.view_functions[rule.endpoint]) is None]
    assert unstated == [], "put @needs(AccountRole.…) under the route decorator (admin/identity/permissions.py)"


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


def test_a_changing_view_that_states_no_role_is_refused_even_to_an_administrator(engine: Engine) -> None:
    app = own_app(engine)
    app.add_url_rule("/forgotten", "home.forgotten", lambda: "done", methods=["GET", "POST"])
    add_person(engine, role=AccountRole.ADMINISTRATOR)
    client = app.test_client()
    let_in(client, name=NAME)

    assert client.get("/forgotten").text == "done"
    answer = client.post("/forgotten", data={"csrf_token": csrf_token(client, "/hits")})
    assert answer.status_code == 403
    assert "没有权限" in answer.text


@dataclass(frozen=True)
class People:
    """A browser for each role, at one desk with one of everything."""

    app: Flask
    clients: dict[AccountRole, FlaskClient]
    tokens: dict[AccountRole, str]
    routes: list[Route]

    def post(self, role: AccountRole, path: str, data: dict[str, str] | None = None) -> TestResponse:
        return self.clients[role].post(path, data={"csrf_token": self.tokens[role], **(data or {})})

    def needed(self, route: Route, method: str) -> AccountRole:
        needed = role_needed(self.app.view_functions[route.rule.endpoint], method)
        assert needed is not None
        return needed


@pytest.fixture
def people(engine: Engine) -> People:
    app = make_app(engine)
    # What a route names belongs to this person; those who ask are others.
    somebody = add_person(engine, name="somebody", role=AccountRole.VIEWER)
    values = fill(engine, somebody)
    clients, tokens = {}, {}
    for role in AccountRole:
        add_person(engine, name=role, role=role)
        clients[role] = app.test_client()
        let_in(clients[role], name=role)
        tokens[role] = csrf_token(clients[role], "/account")
    return People(app, clients, tokens, routes(app, values))


def test_each_role_reads_what_it_may_and_nothing_more(people: People) -> None:
    for route in people.routes:
        if not route.reads or route.rule.endpoint in SLOW:
            continue
        needed = people.needed(route, "GET")
        for role, client in people.clients.items():
            with client.get(route.path) as answer:
                is_refused = answer.status_code == 403
                assert is_refused is (list(AccountRole).index(role) < list(AccountRole).index(needed)), (
                    role,
                    route.path,
                )
                assert answer.status_code < 500, (role, route.path)


def test_who_may_not_change_something_changes_nothing(people: People, engine: Engine) -> None:
    before = content(engine)
    asked = 0
    for route in people.routes:
        if not route.changing:
            continue
        needed = people.needed(route, "POST")
        for role in list(AccountRole)[: list(AccountRole).index(needed)]:
            asked += 1
            assert people.post(role, route.path).status_code == 403, (role, route.path)

    assert asked > 50
    assert content(engine) == before


def test_a_form_without_its_token_changes_nothing(people: People, engine: Engine) -> None:
    before = content(engine)
    chief = people.clients[AccountRole.ADMINISTRATOR]

    for route in people.routes:
        if route.changing:
            answer = chief.post(route.path, data={"name": "x", "csrf_token": "forged"})
            assert answer.status_code == 400, route.path

    assert content(engine) == before


def test_what_is_not_there_is_not_found_by_any_number(people: People, engine: Engine) -> None:
    before = content(engine)
    chief = people.clients[AccountRole.ADMINISTRATOR]

    for route in people.routes:
        if route.unknown == route.path or str(NOWHERE) not in route.unknown:
            continue
        if route.reads and route.rule.endpoint not in SLOW:
            assert chief.get(route.unknown).status_code == 404, route.unknown
        if route.changing:
            # Some look at the form first.
            assert people.post(AccountRole.ADMINISTRATOR, route.unknown).status_code in {400, 404}, route.unknown

    assert content(engine) == before


def test_no_value_of_any_field_breaks_anything(people: People) -> None:
    fields = ("name", "text", "url", "title", "note", "notes", "state", "expected", "case", "owner", "author", "days",
              "deadline", "assignee", "role", "language", "query", "collection", "rule", "recipient", "channel", "body",
              "wording", "next", "done", "event", "scope", "requires")  # fmt: skip
    chief = people.clients[AccountRole.ADMINISTRATOR]
    token = urlencode({"csrf_token": people.tokens[AccountRole.ADMINISTRATOR]})
    for value in (*HOSTILE, "x" * 100_000):
        broken = urlencode([(name, value) for name in fields], errors="surrogatepass")
        for route in people.routes:
            if not route.changing or route.rule.endpoint in NOT_ASKED | SLOW:
                continue
            answer = chief.post(
                route.unknown, data=f"{token}&{broken}", content_type="application/x-www-form-urlencoded"
            )
            assert answer.status_code < 500 or answer.status_code == 501, (route.path, value[:20])


def test_no_value_in_any_address_breaks_anything(people: People) -> None:
    names = ("q", "site", "page", "text", "role", "state", "tab", "since", "until", "before", "act", "actor", "owner",
             "copier", "sort", "a", "b", "url", "days", "collection", "view", "done", "language", "kind", "credit",
             "min_score", "assignee", "severity", "first", "second", "other")  # fmt: skip
    chief = people.clients[AccountRole.ADMINISTRATOR]
    for value in (*HOSTILE, "x" * 3_000):
        query = urlencode([(name, value) for name in names], errors="surrogatepass")
        for route in people.routes:
            if not route.reads or route.rule.endpoint in SLOW:
                continue
            with chief.get(f"{route.path}?{query}") as answer:
                assert answer.status_code < 500, (route.path, value[:20])
                assert HOSTILE[-1].encode() not in answer.data, route.path
