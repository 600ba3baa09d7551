"""Whole crawls of the fake web into a real database."""

import ipaddress
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.spider.run_settings import ANSWER_WITHIN_SETTING
from storage.crawl import runs
from storage.engine import make_engine, transaction
from storage.errors import NotKnown
from storage.pages import pages
from storage.records.crawl import RunRecord
from storage.records.pages import PageRecord
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import DateOrigin, FoundBy
from tests.fake_web import requests_so_far, served

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
PATIENCE_S = 300.0
"""For the fake web, which runs on the same busy machine, to answer. What these tests assert is not how fast it does."""


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


def add_site(database_url: str, web: str, *, name: str = "江城日报", **fields: Any) -> None:
    chosen = {"hosts": (urlsplit(web).netloc,), "start_urls": (f"{web}/",), "delay_s": 0.0, **fields}
    engine = make_engine(database_url)
    with transaction(engine) as session:
        sites.add_site(session, SiteSettings(name=name, **chosen))
    engine.dispose()


def crawl(database_url: str, *, name: str = "江城日报", max_pages: int | None = None) -> RunRecord:
    return crawl_site(
        CrawlOrder(
            database_url,
            name,
            allowed_networks=LOOPBACK,
            max_pages=max_pages,
            answer_within_s=PATIENCE_S,
            trigger="test",
        )
    )


def stored(database_url: str) -> dict[str, PageRecord]:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        found = {urlsplit(page.url).path: page for page in pages.list_pages(session)}
    engine.dispose()
    return found


def text_of(database_url: str, page: PageRecord) -> str:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        body = pages.text_body(session, page.text_id)
    engine.dispose()
    return body or ""


def test_a_site_is_crawled_whole_and_again_with_nothing_new(clean_database_url: str, web: str) -> None:
    url = clean_database_url
    # Scope opens the private addresses too: only the guard stands before them.
    add_site(url, web, hosts=(urlsplit(web).netloc, "10.0.0.1", "169.254.169.254"), feeds=(f"{web}/feed",))

    first = crawl(url)
    found = stored(url)

    assert first.exit_reason == "finished"
    articles = {"/news/1", "/news/2", "/news/3", "/news/4", "/gbk", "/big5", "/liar", "/undated"}
    assert articles <= set(found)
    assert "/secret/1" not in found
    assert {"/nul", "/surrogate", "/entities"} <= set(found)
    assert "\x00" not in text_of(url, found["/nul"])
    assert "root:" not in text_of(url, found["/entities"])
    assert "老船工说" in "".join(text_of(url, found[path]) for path in ("/gbk", "/liar"))

    assert found["/news/3"].found_by is FoundBy.SITEMAP
    assert found["/undated"].found_by is FoundBy.FEED
    assert found["/undated"].declared.origin is DateOrigin.FEED
    assert found["/news/1"].credit_lines == ("2026年3月2日 08:30 来源：江城日报 作者：林岸",)
    assert (found["/news/1"].title, found["/news/1"].author) == ("渡口札记之1", "林岸")

    refused = {name.removeprefix("refused/"): n for name, n in first.counters.items() if name.startswith("refused/")}
    expected = {
        "robots": 1,
        "out-of-scope": 2,
        "wrong-type": 1,
        "broken-document": 1,
        "too-large": 2,
        "nested-too-deep": 1,
        "duplicate": 1,
    }
    assert expected.items() <= refused.items()
    assert {"too-many-redirects": 1, "blocked-address": 2}.items() <= refused.items()
    assert refused["endless-parameters"] > 0  # the calendar
    assert sorted(urlsplit(trap).hostname or "" for trap in first.refusal_samples["blocked-address"]) == [
        "10.0.0.1",
        "169.254.169.254",
    ]

    asked_before = requests_so_far(web)
    again = crawl(url)
    asked = {path for path, count in requests_so_far(web).items() if count > asked_before.get(path, 0)}
    # Neither articles nor what was refused; and the front page, the feed and the sitemap say themselves: unchanged.
    assert asked == {"/robots.txt", "/", "/feed", "/sitemap.xml"}
    assert again.counters == {"pages/fetched": 1, "lists/unchanged": 3}


def test_a_run_stops_at_its_budget_and_says_what_it_left(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web, deny=("calendar", "hostile"))

    run = crawl(clean_database_url, max_pages=3)

    assert run.counters["pages/fetched"] == 3
    assert run.counters["refused/budget"] >= 3


def test_a_stop_is_graceful_and_recorded(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web, page_budget=10_000)
    stop = threading.Event()

    def stopped(counters: object) -> None:
        stop.set()

    run = crawl_site(
        CrawlOrder(clean_database_url, "江城日报", allowed_networks=LOOPBACK, trigger="test"),
        on_progress=stopped,
        stop=stop,
    )

    assert run.exit_reason in ("shutdown", "finished")  # a fast machine may be done before the first report
    assert run.ended_at is not None


def test_an_unknown_site_is_named(clean_database_url: str) -> None:
    with pytest.raises(NotKnown, match="nosuch"):
        crawl(clean_database_url, name="nosuch")


def test_scrapy_crawls_a_site_by_name(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web, name="plain", deny=("calendar", "hostile"))
    environment = {
        **os.environ,
        "DATABASE_URL": clean_database_url,
        "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8",
        ANSWER_WITHIN_SETTING: str(PATIENCE_S),
    }

    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "site", "-a", "site=plain"],
        env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "/news/1" in stored(clean_database_url)
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        assert [run.exit_reason for run in runs.list_runs(session)] == ["finished"]
    engine.dispose()
