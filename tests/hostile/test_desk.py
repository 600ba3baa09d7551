"""The desk and its API under a few hostile requests."""

import multiprocessing
import re
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlencode

import pyotp
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from admin.auth.login_attempts import FAILURES_BY_NAME
from admin.auth.totp import made_secret
from admin.hooks.upload_limits import LARGEST_UPLOAD
from admin.serve import THREADS, serve
from admin.web.reading_slots import LONG_TEXT
from admin.web.services import READ_AT_ONCE, Services
from crawler.extraction.extract import extract
from crawler.extraction.html.attribute_limit import MOST_ATTRIBUTES, has_crowded_tag
from crawler.fetch.fetch import Fetched
from crawler.importers.documents import Unread, read_document
from crawler.outcomes.refusals import Refusal
from storage.accounts import two_factor
from storage.accounts.api_tokens import TokenScope
from storage.alerts import feeds
from storage.desk import saved_views
from storage.engine import make_engine, transaction
from storage.records.accounts import AccountRecord
from storage.types import AccountRole
from tests.support.api_tokens import bearer, token_of
from tests.support.desk_client import PASSWORD, PUBLISHED, add_person, app_with, csrf_token, let_in, log_in
from tests.support.factories import an_article, commit, story


@dataclass
class SlowWeb:
    """Pages that are answered when the test says so."""

    asked: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    go_on: threading.Event = field(default_factory=threading.Event)

    def fetch(self, _url: str) -> Fetched | Refusal:
        self.asked.release()
        self.go_on.wait(30)
        return Refusal.UNREACHABLE


@dataclass
class Desk:
    app: Flask
    web: SlowWeb
    headers: dict[str, str]

    def check(self, **body: str) -> TestResponse:
        return self.app.test_client().post("/api/v1/check", json=body, headers=self.headers)


@pytest.fixture
def desk(engine: Engine) -> Iterator[Desk]:
    commit(engine, [an_article("https://ours.example/story", story())])
    web = SlowWeb()
    app = app_with(Services(engine=engine, secret_key="for tests", fetch=web.fetch))
    token = token_of(engine, add_person(engine), {TokenScope.CHECK})
    yield Desk(app, web, bearer(token))
    web.go_on.set()


@pytest.fixture
def filled(desk: Desk) -> Iterator[Callable[[], list[Future[TestResponse]]]]:
    """Takes every slot; ends them at the end."""
    with ThreadPoolExecutor(READ_AT_ONCE) as pool:

        def fill() -> list[Future[TestResponse]]:
            begun = [pool.submit(desk.check, url="https://slow.example/") for _ in range(READ_AT_ONCE)]
            assert all(desk.web.asked.acquire(timeout=30) for _ in begun)
            return begun

        yield fill
        desk.web.go_on.set()


def form_check(client: FlaskClient, **fields: str) -> TestResponse:
    return client.post("/check", data=urlencode({"csrf_token": csrf_token(client, "/check"), **fields}),
                       content_type="application/x-www-form-urlencoded")  # fmt: skip


def test_m8_of_what_keeps_a_thread_two_are_worked_at_and_all_else_goes_on(
    desk: Desk, filled: Callable[[], list[Future[TestResponse]]]
) -> None:
    begun = filled()
    long = "字" * (LONG_TEXT + 1)

    for body in ({"url": "https://slow.example/"}, {"html": "<p>x</p>"}, {"text": long}):
        refused = desk.check(**body)
        assert (refused.status_code, (refused.json or {})["type"]) == (503, "urn:zhiwen:problem:busy")
        assert refused.headers["Retry-After"] == "10"
    client = desk.app.test_client()
    let_in(client)
    for fields in ({"url": "https://slow.example/"}, {"html": "<p>x</p>"}, {"text": long}):
        answer = form_check(client, **fields)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")

    assert client.get("/healthz").status_code == 200
    assert form_check(client, text=story()).status_code == 303
    assert desk.check(text=story()).status_code == 200

    desk.web.go_on.set()
    assert [one.result().status_code for one in begun] == [422, 422]
    assert desk.check(url="https://slow.example/").status_code == 422


def test_m8_with_every_slot_and_a_look_at_a_site_taken_a_thread_is_free() -> None:
    assert READ_AT_ONCE + 1 < THREADS


CROWD = " ".join(f"a{number}=1" for number in range(MOST_ATTRIBUTES))


@pytest.mark.parametrize(
    "markup",
    [
        f"<p {CROWD} b=1>x</p>",
        f"<P\n{CROWD}\tb>x",
        "<p " + " ".join(f"a{number}='<b>'" for number in range(MOST_ATTRIBUTES + 1)),
        "<p " + " ".join(f"a{number}" for number in range(MOST_ATTRIBUTES + 1)) + ">",
        f"<!-- > --><script>if (a<b) x('</p>')</script><p {CROWD} b=1>",
    ],
)
def test_m8_a_tag_with_more_than_a_thousand_attributes_is_refused_by_name(markup: str) -> None:
    page = f"<html><body>{markup}<article>{'长文章。' * 50}</article></body></html>"
    assert has_crowded_tag(page)
    outcome = extract(page.encode(), url="https://a.example/1", content_type="text/html", fetched_at=PUBLISHED,
                      time_zone="UTC")  # fmt: skip
    assert outcome is Refusal.TOO_MANY_ATTRIBUTES
    assert read_document(page.encode(), is_fragment=True) is Unread.CROWDED
    assert read_document(page.encode()) is Unread.CROWDED


@pytest.mark.parametrize(
    "markup",
    [
        f"<p {CROWD}>x</p>",
        f'<p title="{CROWD} {CROWD}">x</p>',
        f"<!-- <p {CROWD} {CROWD}> --><p>x</p>",
        f"<script>if (a<b) {{ {CROWD} {CROWD} }}</script>",
        f"a < b {CROWD} {CROWD}",
        "<p>" * 5_000,
    ],
)
def test_m8_other_tags_are_not(markup: str) -> None:
    assert not has_crowded_tag(markup)


@contextmanager
def serving(app: Flask) -> Iterator[int]:
    """The desk's own server, in a process of its own: it is stopped as an operator stops it."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=serve, args=(app, "127.0.0.1", 0), kwargs={"on_ready": theirs.send})
    child.start()
    try:
        yield int(ours.recv().rstrip("/").rpartition(":")[2])
    finally:
        child.terminate()
        child.join(30)


def bare(port: int, head: str, body: bytes = b"") -> bytes:
    """The whole answer to a request as it is written here."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.fixture
def port(clean_database_url: str) -> Iterator[int]:
    engine = make_engine(clean_database_url)
    with serving(app_with(Services(engine=engine, secret_key="for tests"))) as number:
        yield number


ASK = "GET /metrics HTTP/1.1\nHost: {host}\nConnection: close"


def test_l1_metrics_are_not_for_whom_a_proxy_of_this_machine_asks(port: int) -> None:
    assert bare(port, ASK.format(host="localhost")).startswith(b"HTTP/1.1 200")
    for header in ("X-Forwarded-For: 192.0.2.7", "Forwarded: for=192.0.2.7", "X-Real-IP: 192.0.2.7"):
        assert bare(port, ASK.format(host="localhost") + f"\n{header}").startswith(b"HTTP/1.1 403")


def test_l7_metrics_are_not_for_a_page_whose_name_was_led_here(port: int) -> None:
    for host, status in {"127.0.0.1:1": 200, "[::1]": 200, "evil.example": 403, "127.0.0.1.evil.example": 403}.items():
        assert bare(port, ASK.format(host=host)).startswith(f"HTTP/1.1 {status}".encode())


def test_l2_a_body_beyond_the_largest_upload_is_refused_before_it_is_read(port: int) -> None:
    head = f"POST /login HTTP/1.1\nHost: localhost\nConnection: close\nContent-Length: {LARGEST_UPLOAD + 1}"
    # Not a byte of it is sent: an answer means that none was waited for.
    assert bare(port, head).startswith(b"HTTP/1.1 413")


DESK = "https://desk.example"


def test_l7_links_lead_to_the_desk_and_to_no_host_of_a_request(engine: Engine) -> None:
    add_person(engine, role=AccountRole.ADMINISTRATOR)
    client = app_with(Services(engine=engine, secret_key="for tests", desk_url=DESK)).test_client()
    let_in(client)
    token = csrf_token(client, "/people")
    fields = {
        "csrf_token": token,
        "name": "新人",
        "role": "viewer",
        "entrance": "link",
        "language": "",
        "time_zone": "",
    }
    page = client.post("/people", data=fields).text
    assert f"{DESK}/set-password/" in page
    assert "http://localhost" not in page


def test_l7_a_foreign_host_is_refused_on_every_page_where_the_desk_has_an_address(engine: Engine) -> None:
    client = app_with(Services(engine=engine, secret_key="for tests", desk_url=DESK)).test_client()
    for path in ("/", "/login", "/metrics", "/healthz", "/api/v1/pages", "/static/desk.css", "/feeds/x.atom"):
        for host in ("evil.example", "desk.example.evil.example", "192.0.2.7:8770", ""):
            with client.get(path, headers={"Host": host}) as answer:
                assert (answer.status_code, DESK in answer.get_data(as_text=True)) == (400, True), (path, host)
        for host in ("desk.example", "localhost:8770"):
            with client.get(path, headers={"Host": host}) as answer:
                assert answer.status_code != 400


@pytest.fixture
def chief(engine: Engine) -> FlaskClient:
    add_person(engine, role=AccountRole.ADMINISTRATOR, name="chief")
    client = app_with(Services(engine=engine, secret_key="for tests")).test_client()
    let_in(client, name="chief")
    return client


@dataclass
class Opened:
    """What somebody who once had the password of an account left behind."""

    account: AccountRecord
    token: str
    feed: str

    def answers(self, client: FlaskClient) -> tuple[int, int]:
        asked = client.get("/api/v1/pages", headers=bearer(self.token)).status_code
        return asked, client.get(f"/feeds/{self.feed}.atom").status_code


@pytest.fixture
def opened(engine: Engine) -> Opened:
    account = add_person(engine, name="victim")
    with transaction(engine) as session:
        saved_views.save_view(session, account.id, name="All", query="state=open", is_shared=False)
        (view,) = saved_views.views_for(session, account.id)
        feed = feeds.make_feed(session, account.id, view.id, language="en")
    return Opened(account, token_of(engine, account, {TokenScope.READ}), feed)


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def test_l4_a_reset_password_revokes_tokens_and_feed_addresses(chief: FlaskClient, opened: Opened) -> None:
    anybody = chief.application.test_client()
    assert opened.answers(anybody) == (200, 200)
    page = send(chief, f"/people/{opened.account.id}/password", entrance="password").text
    assert opened.answers(anybody) == (401, 404)

    told = re.findall(r'<code class="secret">([^<]+)</code>', page)[0]
    victim = chief.application.test_client()
    log_in(victim, name="victim", password=told)
    assert send(victim, "/account/password", old=told, new="a bridge over the river").status_code == 302
    assert opened.answers(anybody) == (401, 404)


def test_l4_administrators_see_and_revoke_tokens_and_feed_addresses(chief: FlaskClient, opened: Opened) -> None:
    anybody = chief.application.test_client()
    path = f"/people/{opened.account.id}"
    page = chief.get(path).text
    forms = re.findall(rf'action="({path}/(?:tokens|feeds)/\d+/revoke)"', page)
    assert (len(forms), opened.token[:10] in page, opened.token in page) == (2, True, False)
    assert send(chief, forms[0]).status_code == 302
    assert opened.answers(anybody) == (401, 200)
    assert send(chief, forms[1]).status_code == 302
    assert opened.answers(anybody) == (401, 404)
    assert "/revoke" not in chief.get(path).text
    other = path.replace(str(opened.account.id), str(opened.account.id + 1))
    assert send(chief, forms[0].replace(path, other)).status_code == 404


@pytest.mark.parametrize("path", ["/account/password", "/account/two-factor", "/account/two-factor/remove",
                                  "/account/two-factor/codes"])  # fmt: skip
def test_l5_the_present_password_cannot_be_guessed_in_a_session(path: str, engine: Engine) -> None:
    account = add_person(engine)
    client = app_with(Services(engine=engine, secret_key="for tests")).test_client()
    let_in(client)
    if path.endswith(("remove", "codes")):
        with transaction(engine) as session:
            two_factor.begin(session, account.id, made_secret())
            two_factor.confirm(session, account.id, at=datetime.now(UTC))
    guesses = [send(client, path, old=f"wrong {number}", password=f"wrong {number}", new="a bridge over the river")
               for number in range(FAILURES_BY_NAME + 1)]  # fmt: skip
    assert 429 not in [one.status_code for one in guesses[:-1]]
    assert guesses[-1].status_code == 429
    # The right one comes too late as well, here and at the log-in.
    assert send(client, path, old=PASSWORD, password=PASSWORD, new="a bridge over the river").status_code == 429
    assert log_in(client.application.test_client()).status_code == 429


def test_l6_a_second_step_takes_the_password_and_ends_other_sessions(engine: Engine) -> None:
    account = add_person(engine)
    app = app_with(Services(engine=engine, secret_key="for tests"))
    owner, older = app.test_client(), app.test_client()
    let_in(older)
    let_in(owner)

    assert send(older, "/account/two-factor", password="wrong").location == "/account"
    assert send(older, "/account/two-factor").location == "/account"
    with transaction(engine) as session:
        assert two_factor.second_step(session, account.id) is None

    assert send(owner, "/account/two-factor", password=PASSWORD).location == "/account/two-factor"
    with transaction(engine) as session:
        begun = two_factor.second_step(session, account.id)
    assert begun is not None
    assert send(owner, "/account/two-factor/confirm", code=pyotp.TOTP(begun.secret).now()).status_code == 200
    assert (owner.get("/account").status_code, older.get("/account").status_code) == (200, 302)
