"""Crawls that are killed, stopped, cut off from their database, or started twice."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from crawler.run.crawl_order import SITE_VARIABLE, CrawlOrder
from crawler.run.crawl_process import crawl_process, crawl_site
from crawler.spider.in_flight import MOST_IN_FLIGHT
from storage.crawl import runs
from storage.crawl.site_lock import SiteLock
from storage.engine import make_engine, transaction
from tests.fake_web import requests_so_far, served
from tests.flow.test_crawl import LOOPBACK, add_site, crawl, stored
from tests.support.processes.broken_connection import Line, line_to

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

SITE = "江城日报"
LIMIT_S = 180
MANY = 60
ONLY_MANY = ("/many$", r"/news/1\d\d$")
"""Articles that /many lists."""


@pytest.fixture
def web() -> Iterator[str]:
    """One for each test: what was asked for is counted."""
    with served() as base:
        yield base


def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(LIMIT_S * 20):
        if condition():
            return
        sleep(0.05)
    pytest.fail("what was waited for did not come")


@contextmanager
def crawling(database_url: str) -> Iterator["BaseProcess"]:
    """A crawl in a process of its own, that the test may end; nobody watches it."""
    environment = {"DATABASE_URL": database_url, "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8", SITE_VARIABLE: SITE}
    with crawl_process(environment) as (child, _):
        yield child


@contextmanager
def cut_off(database_url: str, web: str) -> "Iterator[tuple[Line, BaseProcess]]":
    """A crawl of MANY articles whose line to the database was cut when it had stored some."""
    add_site(database_url, web, start_urls=(f"{web}/many",), allow=ONLY_MANY, delay_s=0.02)
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        line_to(database_url, Path(folder)) as (url, line),
        crawling(url) as child,
    ):
        wait_until(lambda: len(stored(database_url)) >= 10)
        line.cut()
        yield line, child


def test_a_killed_crawl_loses_nothing_and_repeats_what_was_at_hand(clean_database_url: str, web: str) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/many",), allow=ONLY_MANY, delay_s=0.02)

    with crawling(url) as child:
        wait_until(lambda: len(stored(url)) >= 15)
        child.kill()
        child.join()
    before = stored(url)
    assert 15 <= len(before) < MANY

    run = crawl(url)

    after = stored(url)
    assert run.exit_reason == "finished"
    assert len(after) == MANY
    assert {path: page.version_id for path, page in before.items()}.items() <= {
        path: page.version_id for path, page in after.items()
    }.items()
    asked = {path: count for path, count in requests_so_far(web).items() if path.startswith("/news/")}
    assert max(asked.values()) <= 2
    assert sum(count - 1 for count in asked.values()) <= MOST_IN_FLIGHT


def test_a_stop_ends_a_crawl_that_waits_for_a_page_and_leaves_the_page_to_the_next(
    clean_database_url: str, web: str
) -> None:
    url = clean_database_url
    add_site(url, web, start_urls=(f"{web}/slow-front",), allow=("/slow",))
    stop = threading.Event()
    runs_done = []

    def run() -> None:
        # If the crawl waited for the pages in flight, the process would be killed, and CrawlFailed raised.
        runs_done.append(crawl_site(CrawlOrder(url, SITE, allowed_networks=LOOPBACK, trigger="test"), stop=stop))

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: "/slow" in requests_so_far(web))
    stop.set()
    thread.join(LIMIT_S)

    assert [done.exit_reason for done in runs_done] == ["shutdown"]
    assert frontier_rows(url, "leased_until IS NOT NULL") == []
    assert "/slow" in [urlsplit(row).path for row in frontier_rows(url, "state = 'new'")]


def test_a_crawl_waits_for_its_database_and_goes_on(clean_database_url: str, web: str) -> None:
    with cut_off(clean_database_url, web) as (line, child):
        # Whatever was on its way is over; then as many looks as an outage of some seconds has.
        sleep(1)
        at_the_cut = len(stored(clean_database_url))
        sleep(2)
        assert len(stored(clean_database_url)) == at_the_cut < MANY
        line.mend()
        child.join(LIMIT_S)
        assert child.exitcode == 0

    assert len(stored(clean_database_url)) == MANY
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        assert [run.exit_reason for run in runs.list_runs(session)] == ["finished"]
    engine.dispose()


def test_a_stop_does_not_wait_for_a_database_that_is_away(clean_database_url: str, web: str) -> None:
    with cut_off(clean_database_url, web) as (line, child):
        child.terminate()
        # It would wait ten minutes for the database.
        child.join(LIMIT_S)
        assert child.exitcode is not None
        line.mend()
        before = stored(clean_database_url)
        assert crawl(clean_database_url).exit_reason == "finished"

    assert set(before) < set(stored(clean_database_url))
    assert len(stored(clean_database_url)) == MANY


def test_no_site_is_crawled_twice_at_once(clean_database_url: str, web: str) -> None:
    add_site(clean_database_url, web)
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        site_id = session.execute(text("SELECT id FROM site")).scalar_one()
    lock = SiteLock(engine, site_id)
    assert lock.hold()

    assert crawl(clean_database_url).exit_reason == "busy"
    assert requests_so_far(web) == {}

    lock.release()
    assert crawl(clean_database_url, max_pages=1).exit_reason == "finished"
    engine.dispose()


def frontier_rows(database_url: str, condition: str) -> list[str]:
    engine = make_engine(database_url)
    with transaction(engine) as session:
        found = session.scalars(text(f"SELECT url FROM frontier_url WHERE {condition}"))  # noqa: S608  (the test's own)
        rows = list(found)
    engine.dispose()
    return rows
