"""From an empty installation to the first hit: each step by what is really stored."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, delete

from admin.web.services import Services
from fingerprint.compute import fingerprint_text
from storage.crawl import runs
from storage.engine import transaction
from storage.models.pages import Backlog
from storage.pages import saving
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import AccountRole, FoundBy, SiteRole
from tests.support.desk_client import (
    PUBLISHED,
    SOURCE_TEXT,
    add_person,
    app_with,
    client_of_person,
    csrf_token,
    let_in,
    store_hit,
)


@pytest.fixture
def asked() -> list[object]:
    return []


@pytest.fixture
def manager(engine: Engine, asked: list[object]) -> FlaskClient:
    app = app_with(
        Services(
            engine=engine,
            secret_key="for tests",
            enqueue=lambda job, **arguments: asked.append((job, arguments)),
        )
    )
    add_person(engine, role=AccountRole.MANAGER)
    client = app.test_client()
    let_in(client)
    return client


def add_site(engine: Engine, name: str, role: SiteRole) -> int:
    with transaction(engine) as session:
        return sites.add_site(session, SiteSettings(name=name, start_urls=(), hosts=(), role=role)).id


def add_page(engine: Engine, url: str, site_id: int | None) -> None:
    article = NewArticle(url=url, text=SOURCE_TEXT, found_by=FoundBy.HAND, fetched_at=PUBLISHED, site_id=site_id)
    with transaction(engine) as session:
        saving.save_pages(session, [FingerprintedArticle(article, fingerprint_text(article.text))])


def now_at(client: FlaskClient) -> str:
    """The title of the step to do now."""
    _, _, after = client.get("/").text.partition('aria-current="step">')
    return after.partition("<h3>")[2].partition("</h3>")[0].strip()


def send(client: FlaskClient, path: str) -> int:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account")}).status_code


def test_the_steps_follow_what_is_stored(manager: FlaskClient, engine: Engine, asked: list[object]) -> None:
    assert now_at(manager) == "我方文章"
    assert "zhiwen import" in manager.get("/").text

    own = add_site(engine, "县报", SiteRole.ORIGINAL)
    assert now_at(manager) == "我方文章"
    assert "还没有文章入库" in manager.get("/").text
    assert send(manager, "/first-hour/crawl") == 302
    assert asked == [("crawl", {"site": "县报"})]

    add_page(engine, "https://county.example/1", own)
    assert now_at(manager) == "监测站点"

    watched = add_site(engine, "抄写网", SiteRole.WATCHED)
    with transaction(engine) as session:
        runs.start_run(session, watched, trigger="hand")
    assert "正在抓取" in manager.get("/").text

    add_page(engine, "https://copier.example/1", watched)
    assert now_at(manager) == "比对"
    assert send(manager, "/first-hour/match") == 302
    assert asked[-1] == ("match", {})

    with transaction(engine) as session:
        session.execute(delete(Backlog))
    assert now_at(manager) == "第一个命中"

    with transaction(engine) as session:
        store_hit(session)
    assert "从我方文章到第一个命中" not in manager.get("/").text


def test_a_page_that_was_submitted_by_hand_counts_as_watched(manager: FlaskClient, engine: Engine) -> None:
    own = add_site(engine, "县报", SiteRole.ORIGINAL)
    add_page(engine, "https://county.example/1", own)
    add_page(engine, "https://stranger.example/1", None)

    assert now_at(manager) == "比对"


def test_a_viewer_sees_whom_to_ask_and_gets_no_forms(engine: Engine) -> None:
    viewer = client_of_person(engine, role=AccountRole.VIEWER)

    page = viewer.get("/").text.partition("<main")[2]

    assert "请联系管理员" in page
    assert "<form" not in page.partition("</main>")[0]


def test_without_a_worker_the_command_stands_there(engine: Engine) -> None:
    manager = client_of_person(engine, role=AccountRole.MANAGER)
    add_site(engine, "县报", SiteRole.ORIGINAL)

    assert "zhiwen crawl" in manager.get("/").text
    assert send(manager, "/first-hour/crawl") == send(manager, "/first-hour/match") == 501
