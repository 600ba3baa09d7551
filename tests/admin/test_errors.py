"""Error pages in both languages, for every kind of error."""

from collections.abc import Callable

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient
from sqlalchemy import Engine, text

from admin.web.db_session import database
from storage.engine import make_engine
from storage.postgres.timeouts import limit_statements
from tests.support.desk_client import add_person, client_of_person, let_in, own_app

WORDS = {
    400: ("无法理解这个请求", "Bad request"),
    403: ("没有权限", "Not allowed"),
    404: ("没有这个页面", "Page not found"),
    405: ("不能这样操作", "Method not allowed"),
    409: ("已有人先行处理", "Someone else was faster"),
    413: ("内容过大", "Too large"),
    429: ("尝试次数过多", "Too many attempts"),
    500: ("系统出错了", "Something went wrong here"),
    501: ("此处不可用", "Not available here"),
    418: ("出错了", "Something went wrong"),
}


def add_view(app: Flask, path: str, view: Callable[[], str]) -> None:
    app.add_url_rule(path, f"home.{path[1:]}", view)


def failing_with(status: int) -> Callable[[], str]:
    def fail() -> str:
        abort(status)

    return fail


@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_error_has_a_page_with_words_and_a_way_out(engine: Engine, language: str) -> None:
    app = own_app(engine, language=language)
    for status in WORDS:
        add_view(app, f"/fails{status}", failing_with(status))
    client = logged_in(app, engine)

    for status, words in WORDS.items():
        answer = client.get(f"/fails{status}")
        assert answer.status_code == status
        assert words[language == "en"] in answer.text
        assert 'href="/"' in answer.text
        assert "Content-Security-Policy" in answer.headers


def logged_in(app: Flask, engine: Engine) -> FlaskClient:
    add_person(engine)
    client = app.test_client()
    let_in(client)
    return client


def test_a_statement_that_takes_too_long_is_stopped_with_kind_words(engine: Engine) -> None:
    def slow() -> str:
        limit_statements(database(), 20)
        database().execute(text("SELECT pg_sleep(600)"))
        return "done"

    app = own_app(engine)
    add_view(app, "/slow", slow)
    client = logged_in(app, engine)

    answer = client.get("/slow")

    assert answer.status_code == 503
    assert "查询超时" in answer.text
    assert client.get("/hits").status_code == 200, "the next request has a limit and a connection of its own"


def test_every_request_has_a_limit_and_a_change_a_longer_one(engine: Engine) -> None:
    def limit() -> str:
        return str(database().execute(text("SHOW statement_timeout")).scalar_one())

    app = own_app(engine)
    add_view(app, "/limit", limit)

    assert logged_in(app, engine).get("/limit").text == "15s"


def test_a_database_that_is_away_is_reported_to_whoever_is_logged_in(engine: Engine) -> None:
    client = client_of_person(engine)
    cookie = client.get_cookie("zhiwen_session")
    assert cookie is not None
    nowhere = make_engine("postgresql+psycopg2://user:not-to-be-shown@127.0.0.1:9/none")
    lost = own_app(nowhere).test_client()
    lost.set_cookie("zhiwen_session", cookie.value)

    answer = lost.get("/hits")

    assert answer.status_code == 503
    assert "数据库没有响应" in answer.text
    assert "not-to-be-shown" not in answer.text
