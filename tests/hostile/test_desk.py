"""The desk and its API under a few hostile requests."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from admin.app import create_app
from admin.desk import READ_AT_ONCE
from admin.reading_slots import LONG_TEXT
from admin.serve import THREADS
from crawler.crowding import MOST_ATTRIBUTES, has_crowded_tag
from crawler.documents import Unread, read_document
from crawler.extract import extract
from crawler.fetch import Fetched
from crawler.refusals import Refusal
from storage.tokens import TokenScope
from tests.admin_desk import PUBLISHED, add_person, csrf_token, let_in
from tests.factories import an_article, commit, story
from tests.token_parts import bearer, token_of


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
    app = create_app(engine=engine, secret_key="for tests", fetch=web.fetch)
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
        assert (refused.status_code, refused.json["type"]) == (503, "urn:zhiwen:problem:busy")
        assert refused.headers["Retry-After"] == "10"
    client = desk.app.test_client()
    let_in(client)
    for fields in ({"url": "https://slow.example/"}, {"html": "<p>x</p>"}, {"text": long}):
        answer = form_check(client, **fields)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")

    assert client.get("/healthz").status_code == 200
    assert form_check(client, text=story()).status_code == 200
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
