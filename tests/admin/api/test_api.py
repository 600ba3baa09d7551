"""The API with real clients: tokens, problems, pagination, pushed articles and decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, text
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from matcher.worker.backlog import work_off
from storage.accounts import accounts, api_tokens
from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.records.accounts import AccountRecord
from storage.types import AccountRole, SiteRole
from tests.support.api_tokens import bearer, token_of
from tests.support.cases import store_case
from tests.support.desk_client import SOURCE_TEXT, add_person, let_in, make_app
from tests.support.factories import a_site, text_of

EVERYTHING = frozenset(TokenScope)
PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Told:
    """An answer, as a client reads it."""

    answer: TestResponse

    @property
    def json(self) -> Any:
        return self.answer.json

    @property
    def status_code(self) -> int:
        return self.answer.status_code

    @property
    def content_type(self) -> str | None:
        return self.answer.content_type

    @property
    def headers(self) -> Headers:
        return self.answer.headers


@dataclass(frozen=True)
class Program:
    """A program with a token."""

    client: FlaskClient
    token: str

    def get(self, path: str, **query: Any) -> Told:
        return Told(self.client.get(f"/api/v1{path}", query_string=query, headers=bearer(self.token)))

    def post(self, path: str, body: Mapping[str, Any]) -> Told:
        return Told(self.client.post(f"/api/v1{path}", json=body, headers=bearer(self.token)))

    def delete(self, path: str, **query: Any) -> Told:
        return Told(self.client.delete(f"/api/v1{path}", query_string=query, headers=bearer(self.token)))


@pytest.fixture
def manager(engine: Engine) -> AccountRecord:
    return add_person(engine, role=AccountRole.MANAGER)


@pytest.fixture
def program(engine: Engine, manager: AccountRecord) -> Program:
    return Program(make_app(engine).test_client(), token_of(engine, manager, EVERYTHING))


def add_original_site(engine: Engine, name: str = "县报", host: str = "county.example") -> int:
    with transaction(engine) as session:
        return a_site(session, name, owner=f"{name}社", role=SiteRole.ORIGINAL, host=host).id


def an_original(number: str = "a-1", **more: str) -> dict[str, str]:
    return {"id": number, "url": f"https://county.example/{number}", "text": text_of(1), "title": "老桥修好了"} | more


def count(engine: Engine, what: str) -> int:
    with transaction(engine) as session:
        found: int = session.execute(text(f"SELECT count(*) FROM {what}")).scalar_one()  # noqa: S608  # our own words
        return found


def test_what_is_pushed_is_stored_once_and_compared(engine: Engine, program: Program) -> None:
    add_original_site(engine)

    first = program.post("/originals", an_original())
    again = program.post("/originals", an_original())

    assert (first.status_code, first.json["status"]) == (201, "created")
    assert (again.status_code, again.json["status"]) == (200, "unchanged")
    assert {**again.json, "status": "", "pushed_at": ""} == {**first.json, "status": "", "pushed_at": ""}
    assert (count(engine, "original"), count(engine, "page"), count(engine, "page_version")) == (1, 1, 1)
    assert count(engine, "backlog") == 1
    assert count(engine, "zhiwen_queue.procrastinate_jobs WHERE task_name = 'match'") == 1
    assert work_off(engine, should_stop=lambda: False).compared == 1


def test_a_pushed_article_changes_is_corrected_withdrawn_and_returns(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    program.post("/originals", an_original())

    def status(**more: str) -> str:
        found: str = program.post("/originals", an_original(**more)).json["status"]
        return found

    assert status(text=text_of(2)) == "changed"
    assert status(text=text_of(2), title="老桥修好了（更正）") == "corrected"
    page = program.get("/pages").json["items"][0]
    assert page["title"] == "老桥修好了（更正）"
    assert len(program.get(f"/pages/{page['id']}").json["versions"]) == 2

    gone = program.delete("/originals/a-1")
    assert gone.status_code == 200
    assert gone.json["gone_at"] is not None
    assert program.get(f"/pages/{page['id']}").json["gone_at"] is not None
    assert program.delete("/originals/a-1").json["gone_at"] == gone.json["gone_at"]

    assert status(text=text_of(2)) == "returned"
    assert program.get("/originals/a-1").json["gone_at"] is None
    assert program.get(f"/pages/{page['id']}").json["gone_at"] is None
    assert count(engine, "audit_event WHERE act = 'original.withdraw'") == 1


def test_an_article_that_moves_leaves_a_page_that_is_gone(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    old = program.post("/originals", an_original()).json
    new = program.post("/originals", an_original(url="https://county.example/new")).json

    assert new["status"] == "changed"
    assert program.get(f"/pages/{old['page_id']}").json["gone_at"] is not None
    assert program.get(f"/pages/{new['page_id']}").json["gone_at"] is None
    assert count(engine, "original") == 1


def test_what_cannot_be_taken_is_reported_and_nothing_is_stored(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    with transaction(engine) as session:
        a_site(session, "抄写网", host="copier.example")
    program.post("/originals", an_original())
    wrong = {
        "site-unknown": an_original("b", url="https://elsewhere.example/b"),
        "url-unusable": an_original("b", url="javascript:alert(1)"),
        "too-short": an_original("b", text="太短"),
        "broken-markup": an_original("b", published_at="next week, perhaps"),
        "address-taken": an_original("b", url="https://county.example/a-1"),
    }

    for word, body in wrong.items():
        answer = program.post("/originals", body)
        assert answer.content_type == PROBLEM, body
        assert (answer.status_code in {409, 422}, answer.json["type"]) == (True, f"urn:zhiwen:problem:{word}"), body
    assert "site-unknown" in program.post("/originals", an_original("b", site="抄写网")).json["type"]
    assert (count(engine, "original"), count(engine, "page")) == (1, 1)


def test_a_backfill_goes_on_where_it_broke_off(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    mark = {"name": "2020", "position": "page 1"}
    items = [an_original(f"n{number}", text=text_of(number)) for number in range(5)]
    batch = {"site": "县报", "items": [*items, an_original("short", text="太短")], "backfill": mark}

    first, again = program.post("/originals/batches", batch), program.post("/originals/batches", batch)

    assert [one["status"] for one in first.json["taken"]] == ["created"] * 5
    assert [one["status"] for one in again.json["taken"]] == ["unchanged"] * 5
    assert [(one["id"], one["word"]) for one in first.json["refused"]] == [("short", "too-short")]
    found = program.get("/backfills/2020", site="县报").json
    assert {name: found[name] for name in ("position", "taken", "refused")} == {
        "position": "page 1",
        "taken": 10,
        "refused": 2,
    }
    # One that fails as a whole leaves neither articles nor a position.
    broken = {"site": "县报", "items": [an_original("n9", text=text_of(9)), {"id": "?"}], "backfill": mark}
    assert program.post("/originals/batches", broken).status_code == 422
    assert count(engine, "original") == 5
    assert program.delete("/backfills/2020", site="县报").status_code == 204
    assert program.get("/backfills/2020", site="县报").status_code == 404


def test_lists_come_in_pieces_that_neither_repeat_nor_leave_out(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    items = [an_original(f"n{number}", text=text_of(number)) for number in range(7)]
    program.post("/originals/batches", {"site": "县报", "items": items})

    for noun in ("originals", "pages"):
        found, cursor = [], None
        while True:
            piece = program.get(f"/{noun}", limit=3, **({"cursor": cursor} if cursor else {})).json
            found += [one.get("page_id", one["id"]) for one in piece["items"]]
            cursor = piece["next"]
            if cursor is None:
                break
        assert len(found) == len(set(found)) == 7
        assert found == sorted(found, reverse=True)
    assert program.get("/pages", cursor="!!").status_code == 422
    assert program.get("/pages", colour="red").status_code == 422


def test_a_text_is_checked_and_nothing_of_it_is_stored(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    assert program.post("/check", {"text": text_of(1)}).json["type"].endswith(":nothing-to-compare-with")
    program.post("/originals", an_original())

    copied = program.post("/check", {"id": "x", "text": text_of(1)[:400] + text_of(3)}).json
    (match,) = copied["matches"]
    assert [page["url"] for page in match["pages"]] == [match["url"]]
    other = program.post("/check", {"text": text_of(4)}).json

    assert (copied["id"], copied["verdict"] != "original", other["verdict"]) == ("x", True, "original")
    (match,) = copied["matches"]
    assert match["url"] == "https://county.example/a-1"
    assert match["passages"][0]["query_start"] < 20
    assert count(engine, "text") == 1
    assert program.post("/check", {"text": "  "}).status_code == 422
    assert program.post("/check", {"text": "x" * 200_001}).status_code == 422


def test_a_check_that_is_kept_returns_a_link_that_opens_it_in_the_desk(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    program.post("/originals", an_original())
    asked = {"text": text_of(1)[:400] + text_of(3), "title": "送检稿"}
    add_person(engine, name="编辑")
    editor, viewer = make_app(engine).test_client(), make_app(engine).test_client()
    add_person(engine, name="读者", role=AccountRole.VIEWER)
    let_in(editor, name="编辑")
    let_in(viewer, name="读者")

    plain, kept = program.post("/check", asked).json, program.post("/check", asked | {"keep": "hour"}).json

    assert "kept" not in plain
    assert {key: kept[key] for key in plain if key != "elapsed_ms"} == {
        key: plain[key] for key in plain if key != "elapsed_ms"
    }
    until = datetime.fromisoformat(kept["kept"]["until"]) - datetime.now(UTC)
    assert timedelta(minutes=58) < until <= timedelta(hours=1)
    page = editor.get(kept["kept"]["link"].removeprefix("http://localhost"))
    assert page.status_code == 200
    assert "送检稿" in page.text
    assert viewer.get(kept["kept"]["link"].removeprefix("http://localhost")).status_code == 403
    assert count(engine, "text_check") == 1
    assert program.post("/check", asked | {"keep": "for ever"}).status_code == 422


def test_cases_are_decided_as_the_desk_would(engine: Engine, manager: AccountRecord, program: Program) -> None:
    case = store_case(engine)
    path = f"/cases/{case.id}"
    assert [one["id"] for one in program.get("/cases").json["items"]] == [case.id]
    assert program.get(path).json["case"]["state"] == "new"
    assert program.get(path).json["pages"][0]["match_id"] == case.hit_id

    moved = program.post(f"{path}/decisions", {"to": "confirmed", "expected": "new", "note": "是抄的"})
    late = program.post(f"{path}/decisions", {"to": "dismissed", "expected": "new", "because": "not-ours"})

    assert (moved.status_code, moved.json["state"], moved.json["event"]["actor"]) == (200, "confirmed", manager.name)
    assert (late.status_code, late.json["type"]) == (409, "urn:zhiwen:problem:moved-meanwhile")
    assert program.post(f"{path}/decisions", {"to": "dismissed", "expected": "confirmed"}).status_code == 422
    undone = program.post(f"{path}/undo", {"event": moved.json["event"]["id"]})
    assert undone.json["state"] == "new"
    assert program.post(f"{path}/undo", {"event": moved.json["event"]["id"]}).status_code == 409
    assert count(engine, "audit_event WHERE act LIKE 'case.%' AND detail->>'token' = '编辑系统'") == 2


def test_matches_are_reported_as_on_the_command_line(engine: Engine, program: Program) -> None:
    case = store_case(engine)

    (item,) = program.get("/matches", role="original", min_share=0.1).json["items"]
    whole = program.get(f"/matches/{item['id']}").json

    assert (item["id"], item["case_id"], item["licence"]) == (case.hit_id, case.id, "unlicensed")
    assert "passages" not in item
    assert whole["passages"][0]["copy_start"] == 5
    assert program.get("/matches", kind="identical").json["items"] == []


def test_crawled_words_stay_data(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    title = '<script>alert(1)</script>"\u202e\u2028'
    program.post("/originals", an_original(title=title))

    answer = program.get("/pages")

    assert answer.content_type == "application/json"
    assert answer.json["items"][0]["title"] == title
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("word", ["half \ud800 pair", "nul \0"])
def test_what_cannot_be_stored_is_replaced_or_refused(engine: Engine, program: Program, word: str) -> None:
    add_original_site(engine)

    assert program.post("/originals", an_original(title=word)).status_code == 201
    assert "\ufffd" in program.get("/originals/a-1").json["title"]
    assert program.get("/pages", text="nul\0").status_code == 200


def test_a_token_counts_for_its_scope_and_its_account_for_its_role(engine: Engine) -> None:
    client = make_app(engine).test_client()
    viewer = add_person(engine, name="viewer", role=AccountRole.VIEWER)
    reading = Program(client, token_of(engine, viewer, {TokenScope.READ}))
    everything = Program(client, token_of(engine, viewer, EVERYTHING))

    assert reading.get("/pages").status_code == 200
    lacking, too_low = reading.post("/check", {"text": "…"}), everything.post("/check", {"text": "…"})
    assert [answer.status_code for answer in (lacking, too_low)] == [403, 403]
    assert lacking.json["type"].endswith(":scope-missing")
    assert too_low.json["type"].endswith(":role-missing")
    assert everything.post("/originals", an_original()).status_code == 403
    assert everything.post("/cases/1/decisions", {"to": "confirmed", "expected": "new"}).status_code == 403


def test_no_token_no_answer(engine: Engine, manager: AccountRecord) -> None:
    client = make_app(engine).test_client()
    old = token_of(engine, manager, EVERYTHING, expires_at=datetime.now(UTC) - timedelta(seconds=1))
    revoked = token_of(engine, manager, EVERYTHING)
    good = token_of(engine, manager, EVERYTHING)
    with transaction(engine) as session:
        number = api_tokens.list_tokens(session)[1].id
        assert api_tokens.revoke_token(session, number, at=datetime.now(UTC)).revoked_at is not None

    for headers in ({}, bearer(old), bearer(revoked), bearer(good[:-1]), {"Authorization": f"Basic {good}"}):
        answer = client.get("/api/v1/pages", headers=headers)
        assert (answer.status_code, answer.content_type) == (401, PROBLEM), headers
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert client.get("/api/v1/pages", headers=bearer(good)).status_code == 200
    with transaction(engine) as session:
        accounts.edit_account(session, manager.id, role=AccountRole.MANAGER, enabled=False, language="", time_zone="")
    assert client.get("/api/v1/pages", headers=bearer(good)).status_code == 401


def test_a_browser_that_is_logged_in_is_nobody_here_and_gets_no_cookie(engine: Engine, manager: AccountRecord) -> None:
    client = make_app(engine).test_client()
    let_in(client)

    for answer in (client.get("/api/v1/pages"), client.post("/api/v1/originals", json=an_original())):
        assert answer.status_code == 401
        assert "Set-Cookie" not in answer.headers
    answer = client.get("/api/v1/pages", headers=bearer(token_of(engine, manager, EVERYTHING)))
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers.get("Vary", "")


def test_a_token_is_counted_by_the_minute_whoever_serves_it(engine: Engine, manager: AccountRecord) -> None:
    token = token_of(engine, manager, EVERYTHING, per_minute=2)
    programs = [Program(make_app(engine).test_client(), token) for _ in range(2)]

    answers = [programs[number % 2].get("/sites") for number in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    with transaction(engine) as session:
        later = api_tokens.use_token(session, token, at=datetime.now(UTC) + timedelta(minutes=2))
    assert later is not None
    assert later.count == 1


def test_every_error_is_a_problem(engine: Engine, program: Program) -> None:
    client, headers = program.client, bearer(program.token)
    answers = {
        404: Told(client.get("/api/v1/nothing")),
        405: Told(client.put("/api/v1/pages")),
        415: Told(client.post("/api/v1/check", data="text=x", headers=headers)),
        400: Told(client.post("/api/v1/check", data="{", content_type="application/json", headers=headers)),
        413: program.post("/cases/1/undo", {"event": 1, "more": "x" * 70_000}),
        422: program.post("/cases/1/undo", {"event": 0}),
    }

    for status, answer in answers.items():
        assert (answer.status_code, answer.content_type) == (status, PROBLEM), status
        assert answer.json["status"] == status
        assert answer.json["detail"]
    assert "GET" in answers[405].headers["Allow"]
    assert answers[422].json["errors"][0]["field"] == "json.event"
    assert program.get(f"/pages/{2**63}").status_code == program.get("/pages/0").status_code == 404


def test_the_document_says_what_there_is_and_asks_nothing_of_others(engine: Engine) -> None:
    document = Told(make_app(engine).test_client().get("/api/v1/openapi.json")).json

    assert document["openapi"].startswith("3.0")
    operations = [
        operation
        for path in document["paths"].values()
        for method, operation in path.items()
        if method in {"get", "post", "delete"}
    ]
    assert len(operations) >= 18
    assert all(operation["security"] == [{"token": []}] for operation in operations)
    assert all("default" in operation["responses"] for operation in operations)
    assert {tag["name"] for tag in document["tags"]} >= {"check", "originals", "matches", "cases"}


def test_a_number_that_two_sites_use_is_asked_with_its_site(engine: Engine, program: Program) -> None:
    add_original_site(engine, "另报", host="other.example")
    add_original_site(engine)
    program.post("/originals", an_original())
    program.post("/originals", an_original(url="https://other.example/a-1", text=SOURCE_TEXT * 3))

    assert program.get("/originals/a-1").status_code == 409
    assert program.get("/originals/a-1", site="另报").json["url"] == "https://other.example/a-1"
    assert program.get("/originals/a-1", site="没有").status_code == 422


def test_the_same_number_and_address_at_two_sites_loses_that_article_alone(engine: Engine, program: Program) -> None:
    add_original_site(engine, "另报", host="other.example")
    add_original_site(engine)
    program.post("/originals", an_original("n1"))
    items = [an_original(f"n{number}", text=text_of(number + 1)) for number in range(3)]

    answer = program.post("/originals/batches", {"site": "另报", "items": items})

    assert [one["id"] for one in answer.json["taken"]] == ["n0", "n2"]
    ((number, word, detail),) = [(one["id"], one["word"], one["detail"]) for one in answer.json["refused"]]
    assert (number, word) == ("n1", "address-taken")
    assert "of 县报 already" in detail
    assert program.get("/originals/n1", site="县报").json["url"] == "https://county.example/n1"


def test_what_the_database_does_not_take_loses_that_article_alone(engine: Engine, program: Program) -> None:
    add_original_site(engine)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE page ADD CONSTRAINT unforeseen CHECK (url NOT LIKE '%/n1')"))
    items = [an_original(f"n{number}", text=text_of(number + 1)) for number in range(3)]
    mark = {"name": "2020", "position": "page 1"}

    answer = program.post("/originals/batches", {"site": "县报", "items": items, "backfill": mark})

    assert [one["id"] for one in answer.json["taken"]] == ["n0", "n2"]
    assert [(one["id"], one["word"]) for one in answer.json["refused"]] == [("n1", "not-stored")]
    assert (count(engine, "original"), count(engine, "text")) == (2, 2)
    found = program.get("/backfills/2020", site="县报").json
    assert (found["taken"], found["refused"]) == (2, 1)
