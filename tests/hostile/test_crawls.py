"""Crawls that somebody wants to stop from inside: by a pattern in the settings, by a callback that fails."""

import multiprocessing
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from crawler.extraction.reader_pool import ReaderPool
from crawler.outcomes.errors import BadScope
from crawler.outcomes.refusals import Refusal
from crawler.processes.disk_space import DiskSpace
from crawler.processes.pulse import Progress, Pulse
from crawler.run.run_watch import STALLED, Bounds
from crawler.spider.claim_source import ClaimSource
from crawler.spider.crawl_store import CrawlStore
from crawler.spider.run_settings import ANSWER_WITHIN_SETTING
from crawler.spider.run_state import RunState
from crawler.spider.site_crawl import SiteCrawl
from crawler.urls.patterns import MOST_LOST, AddressPattern, TooSlow, check_patterns
from crawler.urls.scope import Scope
from storage.crawl import runs
from storage.engine import make_engine, transaction
from storage.sites import sites
from tests.fake_web.pages import article
from tests.flow.test_crawl import PATIENCE_S, add_site, stored
from tests.hostile.site import crawled, serving

LONG_S = 1_000.0
SLOW = r"/(?:a|aa)+$"
SLOW_ADDRESS = "http://a.example/" + "a" * 1_000 + "!"


@pytest.mark.parametrize("pattern", [SLOW, r"/x/(?:b|bb)+z$", "a.*" * 12 + "b$", "(", "[", "x" * 2_000])
def test_l11_a_pattern_that_cannot_be_used_is_refused_when_it_is_given(pattern: str) -> None:
    with pytest.raises(BadScope):
        check_patterns([pattern])


@pytest.mark.parametrize(
    "pattern", [r"/news/\d{4}/\d+\.html$", r"/(news|sport)/", r"^https?://[^/]+/a/", r"/(\w+/)*\d+\.html$", "新闻"]
)
def test_l11_patterns_as_people_write_them_are_taken(pattern: str) -> None:
    check_patterns([pattern])
    assert not AddressPattern(pattern).is_in("http://a.example/")


def test_l11_a_pattern_that_is_slow_all_the_same_is_given_up_and_fails_closed() -> None:
    pattern = AddressPattern(SLOW)
    for _ in range(3 * MOST_LOST):
        with pytest.raises(TooSlow):
            pattern.is_in(SLOW_ADDRESS)

    for scope in (Scope.of(["a.example"], deny=[SLOW]), Scope.of(["a.example"], allow=[SLOW])):
        assert scope.refusal(SLOW_ADDRESS) is Refusal.SLOW_PATTERN


def test_l11_a_crawl_with_a_slow_pattern_ends_and_says_so(clean_database_url: str) -> None:
    start, other = "/" + "a" * 1_000 + "!", "/news/1"
    with serving({other: ("text/html; charset=utf-8", article(1).encode())}) as web:
        add_site(clean_database_url, web, start_urls=(f"{web}{start}", f"{web}{other}"), deny=(SLOW,))
        run = crawled(clean_database_url)

    assert run.exit_reason == "finished"
    assert run.counters["refused/slow-pattern"] == 1
    assert list(stored(clean_database_url)) == [other]


def test_a_crawl_with_a_pattern_that_is_none_says_which(clean_database_url: str) -> None:
    add_site(clean_database_url, "http://a.example", deny=("((",))
    done = scrapy_run(clean_database_url, "from crawler.spider.site_spider import SiteSpider as Crawled")
    assert "'(('" in done.stderr


FAILING = """
from crawler.spider.site_spider import SiteSpider

class Crawled(SiteSpider):
    async def parse(self, response):
        if "/own" in response.url:
            raise RuntimeError("a callback of a page that another one waits for")
        async for found in super().parse(response):
            yield found
"""


def scrapy_run(database_url: str, spider: str) -> subprocess.CompletedProcess[str]:
    program = f"""
from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings
from crawler import settings as ours
{spider}
settings = Settings()
settings.setmodule(ours, priority="project")
process = CrawlerProcess(settings)
process.crawl(Crawled, site="江城日报")
process.start()
"""
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8",
        ANSWER_WITHIN_SETTING: str(PATIENCE_S),
    }
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=150
    )


def test_h1_a_crawl_that_makes_no_progress_is_ended_by_name(clean_database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and never answers
        web = f"http://127.0.0.1:{silent.getsockname()[1]}"
        add_site(clean_database_url, web, start_urls=(f"{web}/",))
        run = crawled(clean_database_url, bounds=Bounds(time_s=PATIENCE_S, stall_s=8.0))

    assert run.exit_reason == STALLED
    assert run.ended_at is not None


@contextmanager
def heard() -> Iterator[tuple[Pulse, Progress]]:
    """Both ends, as the processes of a crawl have them; the last sign came long ago."""
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs, socket.socket(fileno=os.dup(theirs.fileno())) as told:
        pulse = Pulse(ours)
        pulse._last = monotonic() - LONG_S
        yield pulse, Progress(told)


def test_signs_of_progress_are_heard_and_their_absence_is_reported() -> None:
    with heard() as (pulse, progress):
        assert pulse.silent_s() >= LONG_S
        progress.note()
        assert pulse.silent_s() < LONG_S


def test_the_end_of_a_crawl_is_no_sign_of_progress() -> None:
    ours, theirs = multiprocessing.Pipe()
    with ours:
        pulse = Pulse(ours)
        pulse._last = monotonic() - LONG_S
        theirs.close()
        assert pulse.silent_s() >= LONG_S


def test_a_crawl_that_waits_for_room_on_the_disk_gives_signs(clean_database_url: str) -> None:
    add_site(clean_database_url, "http://a.example")
    store = CrawlStore(clean_database_url)
    with heard() as (pulse, progress):
        readers = ReaderPool(size=1)
        state = RunState(store.do(sites.get_site, "江城日报"))
        crawl = SiteCrawl(store, state, run_id=1, readers=readers, progress=progress)
        claims = ClaimSource(crawl, DiskSpace((Path("/"),), 2**62))

        assert claims.has_no_room()
        assert pulse.silent_s() < LONG_S
    readers.close()
    store.close()


def test_a_callback_that_raises_leaves_nothing_in_flight(clean_database_url: str) -> None:
    # Bug 8: the article that waited for the page stayed in flight, and the run never ended.
    head = '<link rel="canonical" href="/own">'
    answers = {
        "/news/1": ("text/html; charset=utf-8", article(1, head=head).encode()),
        "/news/2": ("text/html; charset=utf-8", article(2).encode()),
    }
    with serving(answers | {"/own": ("text/html; charset=utf-8", article(3).encode())}) as web:
        add_site(clean_database_url, web, start_urls=(f"{web}/news/1", f"{web}/news/2"), allow=("/news/", "/own"))
        done = scrapy_run(clean_database_url, FAILING)

    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        (run,) = runs.list_runs(session)
    engine.dispose()
    assert run.exit_reason == "finished", done.stderr
    assert run.counters["refused/parser-died"] == 1
    assert list(stored(clean_database_url)) == ["/news/2"]
