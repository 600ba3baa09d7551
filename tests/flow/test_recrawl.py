"""Crawls of a site that changes: new versions, pages that go, pages that come back."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from storage.engine import make_engine, transaction
from storage.records.crawl import PageEventKind, RunRecord
from storage.takedowns import page_presence
from tests.fake_web import become, requests_so_far, served
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S, add_site, stored, text_of

SITE = "江城日报"
PATHS = [f"/news/{number}" for number in range(100, 110)]


@pytest.fixture
def web() -> Iterator[str]:
    with served() as base:
        yield base


def revisit(database_url: str) -> RunRecord:
    return crawl_site(
        CrawlOrder(
            database_url, SITE, allowed_networks=LOOPBACK, trigger="test", revisit=True, answer_within_s=PATIENCE_S
        )
    )


def events(database_url: str, web: str, path: str) -> list[tuple[PageEventKind, str]]:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        found = [(event.kind, event.reason) for event in page_presence.events_of_page(session, web + path)]
    engine.dispose()
    return found


def test_what_changes_goes_and_comes_back_is_noticed(clean_database_url: str, web: str) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/many",), allow=("/many$", r"/news/10\d$", "/$"), deny=("/news/[1-9]$",))
    revisit(url)
    first = stored(url)
    assert set(PATHS) <= set(first)

    changes = {"/news/100": "changed", "/news/101": "gone", "/news/102": "absent", "/news/103": "home"}
    for path, state in {**changes, "/news/104": "failing"}.items():
        become(web, path, state)
    second = revisit(url)
    found = stored(url)

    assert second.counters["articles/changed"] == 1
    assert second.counters["articles/gone"] == second.counters["refused/gone"] == 3
    assert second.counters["refused/bad-status"] == 1
    assert "轮渡班次有误" in text_of(url, found["/news/100"])
    assert found["/news/100"].version_id != first["/news/100"].version_id
    assert [path for path in PATHS if found[path].gone_at is not None] == ["/news/101", "/news/102", "/news/103"]
    assert events(url, web, "/news/101") == [(PageEventKind.GONE, "status 410")]
    assert rows(url, "SELECT count(*) FROM page_version JOIN page ON page_id = page.id WHERE url LIKE '%/100'") == 2
    assert rows(url, "SELECT count(*) FROM text LEFT JOIN fingerprint ON id = text_id WHERE text_id IS NULL") == 0

    for path in ("/news/101", "/news/102", "/news/103"):
        become(web, path, "back")
    third = revisit(url)

    assert third.counters["articles/back"] == 3
    assert [path for path in PATHS if stored(url)[path].gone_at is not None] == []
    for path in ("/news/101", "/news/102", "/news/103"):
        assert [kind for kind, _ in events(url, web, path)] == [PageEventKind.GONE, PageEventKind.BACK]


def test_asked_to_revisit_unchanged_pages_cost_no_download(clean_database_url: str, web: str) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/many",), allow=("/many$", r"/news/10\d$"))
    revisit(url)

    again = revisit(url)

    assert {"pages/fetched": 11, "articles/unchanged": 10}.items() <= again.counters.items()
    assert max(requests_so_far(web).values()) == 2


def rows(database_url: str, query: str) -> int:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        found = int(session.scalar(text(query)) or 0)
    engine.dispose()
    return found
