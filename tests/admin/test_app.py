"""The frame of every page: closed without a log-in, strict headers, error pages, health."""

import re
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.api.app import OPENAPI_ENDPOINT
from admin.identity.current_user import ASSET_ENDPOINTS, PUBLIC_ENDPOINTS
from admin.web.api_prefix import is_api
from admin.web.db_session import database
from storage.accounts import accounts
from storage.engine import make_engine, transaction
from storage.types import AccountRole
from tests.support.desk_client import client_of_person, make_app, own_app

_ASSET = re.compile(r'(?:src|<link[^>]+href)="([^"]+)"')
PAGES = ["/", "/hits", "/sites", "/runs", "/login"]


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def test_every_route_but_the_named_ones_needs_a_log_in(engine: Engine) -> None:
    app = make_app(engine)
    client = app.test_client()
    assets = ASSET_ENDPOINTS
    of_pages = (rule for rule in app.url_map.iter_rules() if not is_api(rule.rule))
    closed = [rule for rule in of_pages if rule.endpoint not in PUBLIC_ENDPOINTS | assets]
    assert len(closed) >= 6

    for rule in closed:
        path = re.sub(r"<[^>]+>", "1", rule.rule)
        if "GET" in (rule.methods or ()):
            answer = client.get(path)
            assert (answer.status_code, answer.location.partition("?")[0]) == (302, "/login"), path


def test_every_address_of_the_api_but_its_document_needs_a_token(engine: Engine) -> None:
    app = make_app(engine)
    client = app.test_client()
    closed = [rule for rule in app.url_map.iter_rules() if is_api(rule.rule) and rule.endpoint != OPENAPI_ENDPOINT]
    assert len(closed) >= 18

    for rule in closed:
        for method in (rule.methods or set()) - {"OPTIONS"}:
            path = re.sub(r"<[^>]+>", "1", rule.rule)
            assert client.open(path, method=method).status_code == 401, (method, path)


def test_an_unknown_address_does_not_tell_a_stranger_that_it_is_unknown(engine: Engine) -> None:
    assert make_app(engine).test_client().get("/no-such-page").status_code == 302


def test_every_page_carries_the_strict_headers(client: FlaskClient) -> None:
    for path in (*PAGES, "/no-such-page", "/hits/1"):
        headers = client.get(path).headers

        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "http" not in policy, "nothing comes from elsewhere"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"


def test_no_page_needs_what_the_policy_forbids(client: FlaskClient) -> None:
    for path in (*PAGES, "/no-such-page"):
        page = client.get(path, follow_redirects=True).text

        for forbidden in ("style=", "<style", " onclick", "<script>", "//cdn"):
            assert forbidden not in page, path


def test_no_template_switches_escaping_off(engine: Engine) -> None:
    app = make_app(engine)
    sources = [path.read_text("utf-8") for path in (Path(app.root_path) / "templates").rglob("*.html")]

    assert len(sources) >= 9
    assert not [source for source in sources if "|safe" in source.replace(" ", "") or "autoescape" in source]


def test_the_cookie_is_kept_from_scripts_and_other_sites(engine: Engine) -> None:
    plain = _cookie(make_app(engine).test_client(), "http://localhost")
    secure = _cookie(make_app(engine, secure_cookies=True).test_client(), "https://localhost")

    assert (plain["httponly"], plain["samesite"], plain["secure"]) == (True, "Lax", "")
    assert (secure["httponly"], secure["samesite"], secure["secure"]) == (True, "Lax", True)


def _cookie(client: FlaskClient, base_url: str) -> dict[str, object]:
    cookies: SimpleCookie = SimpleCookie(client.get("/login", base_url=base_url).headers["Set-Cookie"])
    return dict(cookies["zhiwen_session"])


def test_secure_cookies_bring_https_with_them(engine: Engine) -> None:
    secure = make_app(engine, secure_cookies=True).test_client()

    assert secure.get("/login").location.startswith("https://")
    assert "max-age" in secure.get("/login", base_url="https://localhost").headers["Strict-Transport-Security"]
    assert "Strict-Transport-Security" not in make_app(engine).test_client().get("/login").headers


def test_every_asset_is_served_from_here(client: FlaskClient) -> None:
    assets = _ASSET.findall(client.get("/").text)
    assert any(re.fullmatch(r"/style/bootstrap\.[0-9a-f]{12}\.css", asset) for asset in assets)

    for path in {*assets, "/static/desk.js"}:
        answer = client.get(path)
        assert answer.status_code == 200, path
        answer.close()


def test_what_is_not_there_is_explained(client: FlaskClient) -> None:
    for path in ("/no-such-page", "/hits/1", f"/hits/{2**63}", f"/hits/{2**63 - 1}", "/runs/7", "/hits/x", "/hits/-1"):
        answer = client.get(path)

        assert answer.status_code == 404, path
        assert "没有这个页面" in answer.text
        assert "回到总览" in answer.text


def test_a_wrong_method_is_explained(client: FlaskClient) -> None:
    assert "没有权限" not in client.get("/language").text
    assert client.get("/language").status_code == 405


def test_a_request_too_large_is_refused(client: FlaskClient) -> None:
    answer = client.post("/login", data={"name": "x" * (2 << 20)})

    assert answer.status_code == 413
    assert "内容过大" in answer.text


def test_an_error_of_ours_shows_no_traceback_and_keeps_nothing(engine: Engine) -> None:
    app = own_app(engine)
    _add_failing_view(app)
    client = app.test_client()

    answer = client.post("/fails")

    assert answer.status_code == 500
    assert "系统出错了" in answer.text
    assert "Traceback" not in answer.text
    assert "secret detail" not in answer.text
    with transaction(engine) as session:
        assert accounts.list_accounts(session) == []


def _add_failing_view(app: Flask) -> None:
    def fails() -> str:
        accounts.add_account(database(), name="half", password_hash="x", role=AccountRole.VIEWER)
        raise RuntimeError("secret detail")

    app.add_url_rule("/fails", "health.fails", app.extensions["csrf"].exempt(fails), methods=["POST"])
    app.before_request_funcs[None] = [
        hook for hook in app.before_request_funcs[None] if hook.__name__ not in {"_require_login", "_require_role"}
    ]


def test_health_says_ok_without_a_log_in(engine: Engine) -> None:
    answer = make_app(engine).test_client().get("/healthz")

    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_health_without_a_database_is_a_failure_that_tells_no_address() -> None:
    nowhere = make_engine("postgresql+psycopg2://user:hidden@127.0.0.1:9/none")

    answer = make_app(nowhere).test_client().get("/healthz")

    assert (answer.status_code, answer.text) == (503, "database unreachable\n")
