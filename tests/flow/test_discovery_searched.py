"""Discovery with a real SearXNG server before a real full-text index, on a made-up web.

They need an environment apart from ours, made by `.venv/bin/python -m benchmarks.discovery.environment FOLDER`.
"""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.discovery.environment import is_installed
from benchmarks.discovery.metasearch import Document, SearchService, searching
from benchmarks.discovery.result import Discovered
from benchmarks.discovery.run import Order, run_discovery
from crawler.fetch.fetch import fetch
from crawler.outcomes.refusals import Refusal
from crawler.web_search.searxng import SearXNG
from crawler.web_search.service import MOST_RESULTS, Fault, SearchAnswer, ServiceFailed
from tests.support.web_search.search_server import Scripted, SearchServer, search_server

FOLDER = os.environ.get("ZHIWEN_TEST_SEARXNG")

pytestmark = pytest.mark.skipif(
    FOLDER is None or not is_installed(Path(FOLDER)),
    reason="SearXNG is optional: make its environment (CONTRIBUTING.md) and name its folder in ZHIWEN_TEST_SEARXNG",
)

RIVER = Document("http://127.0.0.9:81/river", "旧码头", "河水漫过了旧码头的石阶，船夫把缆绳又系紧了一圈。")
ROAD = Document("http://127.0.0.9:81/road", "山路", "船夫把缆绳系在旧码头，石阶的河水漫过了。Redis 7.2")


def nothing(*_: object) -> None:
    """No progress is shown."""


@pytest.fixture(scope="module")
def folder() -> Path:
    assert FOLDER is not None
    return Path(FOLDER)


@pytest.fixture(scope="module")
def engine_server() -> Iterator[SearchServer]:
    """The server of an engine of SearXNG, which answers as a test says."""
    with search_server() as found:
        yield found


@pytest.fixture(scope="module")
def service(
    folder: Path, engine_server: SearchServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SearchService]:
    others = {
        "scripted": (engine_server.base, 30.0),
        "slow": (engine_server.base, 0.5),
        "gone": ("http://127.0.0.1:1", 30.0),
    }
    with searching(folder / "bin" / "python", [RIVER, ROAD], tmp_path_factory.mktemp("search"), others=others) as found:
        yield found


def test_a_quoted_chinese_phrase_is_found_where_it_stands_as_it_is(service: SearchService) -> None:
    answer = SearXNG.at("own", service.url).search("漫过了旧码头的石阶", "zh-Hans", None)

    (result,) = answer.results
    assert (result.url, result.title, result.service) == (RIVER.url, RIVER.title, "own")
    assert "漫过了旧码头的石阶" in result.snippet


def test_without_quotation_marks_pages_are_ranked_by_their_words(service: SearchService) -> None:
    answer = SearXNG.at("own", service.url).search("Redis 河水的旧码头", "zh-Hans", None, exact=False)

    assert [one.url for one in answer.results] == [ROAD.url, RIVER.url]


def test_a_phrase_that_stands_nowhere_has_no_result_and_is_no_fault(service: SearchService) -> None:
    before = len(service.queries())

    assert SearXNG.at("own", service.url).search("没有一页有这一句的", "", None).results == ()
    assert [one.query for one in service.queries()[before:]] == ['"没有一页有这一句的"']


def asked(service: SearchService, engine: str = "scripted") -> SearchAnswer:
    return SearXNG.at("own", service.url).search(f"!{engine} 河水", "zh-Hans", None, exact=False)


HTML = {"Content-Type": "text/html"}


@pytest.mark.parametrize(
    "answer",
    [
        Scripted(status=429, headers={"Retry-After": "30"}),
        Scripted(status=503),
        Scripted(body=b"<html><title>Are you a robot?</title> captcha </html>", headers=HTML),
        Scripted(body=b'{"results": [{"url": '),
    ],
    ids=["too many requests", "failing", "captcha page", "garbage"],
)
def test_an_engine_that_gives_no_results_is_a_fault_and_not_an_empty_answer(
    service: SearchService, engine_server: SearchServer, answer: Scripted
) -> None:
    engine_server.answer = answer

    with pytest.raises(ServiceFailed, match="scripted") as failed:
        asked(service)

    assert failed.value.fault in (Fault.BUSY, Fault.CAPTCHA)


def test_an_engine_that_asks_for_a_captcha_is_named_so(service: SearchService, engine_server: SearchServer) -> None:
    page = b'<html><script src="https://www.google.com/recaptcha/api.js"></script></html>'
    engine_server.answer = Scripted(status=503, body=page, headers=HTML)

    with pytest.raises(ServiceFailed) as failed:
        asked(service)

    assert failed.value.fault is Fault.CAPTCHA


def test_an_engine_that_is_down_or_slow_is_a_fault(service: SearchService, engine_server: SearchServer) -> None:
    never = threading.Event()
    engine_server.answer = Scripted(wait=never)
    try:
        for engine in ("gone", "slow"):
            with pytest.raises(ServiceFailed, match=engine) as failed:
                asked(service, engine)
            assert failed.value.fault is Fault.BUSY
    finally:
        never.set()


def test_of_ten_thousand_results_the_first_are_read(service: SearchService, engine_server: SearchServer) -> None:
    rows = [{"url": f"http://127.0.0.9:81/{number}", "title": "T", "content": ""} for number in range(10_000)]
    engine_server.says({"results": rows})

    answer = asked(service)

    assert [one.url for one in answer.results] == [row["url"] for row in rows[:MOST_RESULTS]]
    assert answer.beyond == 10_000 - MOST_RESULTS


def test_results_on_private_addresses_are_not_reached(service: SearchService, engine_server: SearchServer) -> None:
    private = ("http://10.0.0.1/a", "http://127.0.0.1/a", "http://169.254.169.254/latest/", "http://[::1]/a")
    engine_server.says({"results": [{"url": url, "title": "T", "content": ""} for url in (*private, "file:///etc/x")]})

    answer = asked(service)

    assert {one.url for one in answer.results} == set(private)
    assert {fetch(one.url) for one in answer.results} == {Refusal.BLOCKED_ADDRESS}


@pytest.fixture(scope="module")
def discovered(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Discovered:
    order = Order(
        None, tmp_path_factory.mktemp("bench"), folder, seed=1, copies=12, forbidden=3, turns=("site0",), articles=9
    )
    return run_discovery(order, progress=nothing)


def test_one_round_finds_the_copies_on_hosts_that_nobody_named(discovered: Discovered) -> None:
    (turn,) = discovered.turns

    assert [miss.what for miss in discovered.misses if miss.what != "traditional"] == []
    assert sum(turn.planted.values()) == 4
    # A copy in another script shares no phrase with its source: the query of words finds it, in both scripts.
    assert sum(turn.found.values()) == 4 - len(discovered.misses) == 4
    assert turn.articles == turn.counts["articles"] == 9
    assert discovered.reposts == (2, 2)
    assert turn.strangers == ()
    assert turn.case_pairs >= sum(turn.found.values()) + 2


def test_queries_and_fetches_stay_few_and_robots_txt_is_kept(discovered: Discovered) -> None:
    (turn,) = discovered.turns

    assert 0 < turn.queries <= 4 * turn.articles
    assert 0 < turn.fetches <= 8 * turn.articles
    assert turn.forbidden_requests == ()
    assert turn.counts["queries"] == turn.queries
    assert 1 <= turn.counts["refused"].get("robots", 0) <= 3


def test_switched_off_or_over_budget_nothing_is_sent(discovered: Discovered) -> None:
    assert (discovered.queries_when_off, discovered.queries_over_budget) == (0, 0)
