"""Tokens on the account page and on the command line."""

import json
import re

from click.testing import CliRunner
from sqlalchemy import Engine

from storage.accounts import api_tokens
from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.types import AccountRole
from tests.support.api_tokens import bearer, token_of
from tests.support.desk_client import NAME, add_person, client_of_person, csrf_token, make_app
from zhiwen.cli import zhiwen

PAGE = "/account/tokens"


def test_a_token_is_shown_once_and_revoked(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.REVIEWER)
    form = {"csrf_token": csrf_token(client, PAGE), "name": "编辑系统", "days": "30"}

    made = client.post(PAGE, data=form | {"scope": ["read", "check", "originals"]})

    (secret,) = re.findall(r">(zwt_[\w-]{43})<", made.text)
    assert secret not in client.get(PAGE).text
    with transaction(engine) as session:
        (kept,) = api_tokens.list_tokens(session)
    # A reviewer hands over no articles: it was not offered, and asking for it does not help.
    assert kept.scopes == (TokenScope.READ, TokenScope.CHECK)
    assert (kept.name, kept.beginning) == ("编辑系统", secret[:10])
    program = make_app(engine).test_client()
    assert program.get("/api/v1/sites", headers=bearer(secret)).status_code == 200

    assert client.post(f"{PAGE}/{kept.id}/revoke", data=form).status_code == 302
    assert program.get("/api/v1/sites", headers=bearer(secret)).status_code == 401
    assert "已吊销" in client.get(PAGE).text


def test_what_is_not_said_makes_no_token(engine: Engine) -> None:
    client = client_of_person(engine)
    form = {"csrf_token": csrf_token(client, PAGE), "name": "a", "days": "30", "scope": "read"}

    for wrong in ({"name": ""}, {"name": "x" * 81}, {"scope": "everything"}, {"days": "7"}, {"days": "9999"}):
        assert client.post(PAGE, data=form | wrong).status_code == 400, wrong
    with transaction(engine) as session:
        assert api_tokens.list_tokens(session) == []


def test_a_token_of_somebody_else_is_not_there(engine: Engine) -> None:
    somebody = add_person(engine, name="somebody")
    token_of(engine, somebody, {TokenScope.READ}, name="geheim")
    client = client_of_person(engine)
    with transaction(engine) as session:
        number = api_tokens.list_tokens(session)[0].id

    assert "geheim" not in client.get(PAGE).text
    answer = client.post(f"{PAGE}/{number}/revoke", data={"csrf_token": csrf_token(client, PAGE)})
    assert answer.status_code == 404
    with transaction(engine) as session:
        assert api_tokens.list_tokens(session)[0].revoked_at is None


def test_tokens_are_made_listed_and_revoked_on_the_command_line(engine: Engine, clean_database_url: str) -> None:
    add_person(engine, role=AccountRole.MANAGER)

    def run(*words: str, code: int = 0) -> str:
        found = CliRunner().invoke(zhiwen, ["token", *words], env={"DATABASE_URL": clean_database_url})
        assert found.exit_code == code, found.output
        return found.stdout

    said = json.loads(run("add", "cms", "--account", NAME, "--scope", "originals", "--scope", "read", "--json"))
    program = make_app(engine).test_client()
    assert program.get("/api/v1/originals", headers=bearer(said["token"])).status_code == 200
    (listed,) = map(json.loads, run("list", "--json").splitlines())
    assert (listed["name"], listed["scopes"], listed["in_force"]) == ("cms", ["read", "originals"], True)
    assert said["token"] not in run("list")
    run("revoke", str(listed["id"]))
    assert program.get("/api/v1/originals", headers=bearer(said["token"])).status_code == 401
    run("revoke", "987654", code=1)
    run("add", "cms", "--account", "nobody", code=1)


def test_the_page_of_the_api_shows_every_address_without_scripts(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.VIEWER)
    document, page = client.get("/api/v1/openapi.json").json, client.get("/api").text

    assert document is not None
    for path in document["paths"]:
        assert f"<code>{path}</code>" in page
    for shape in document["components"]["schemas"]:
        assert f'id="{shape}"' in page
    own = r'<script src="/static/(desk|find)\.[0-9a-f]{12}\.js" defer></script>'
    assert "<script" not in re.sub(own, "", page)
