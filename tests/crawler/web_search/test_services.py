"""Each search service against a real server: what is sent, what is read, and what each failure is called."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from crawler.web_search.brave import Brave
from crawler.web_search.feed import SearchFeed
from crawler.web_search.infini_gram import InfiniGram
from crawler.web_search.json_answers import ResultFields
from crawler.web_search.json_template import JsonTemplate
from crawler.web_search.searxng import SearXNG
from crawler.web_search.service import MOST_RESULTS, Fault, SearchResult, SearchService, ServiceFailed
from tests.support.web_search.search_server import Scripted, SearchServer, search_server

PHRASE = "河水漫过了旧码头的石"
SINCE = datetime(2026, 3, 1, tzinfo=UTC)
KEY = "geheim-0123456789"

Make = Callable[[str], SearchService]
SERVICES: dict[str, Make] = {
    "searxng": lambda base: SearXNG.at("own", base, key=KEY),
    "brave": lambda base: Brave.at("own", KEY, url=f"{base}/res/v1/web/search"),
    "json": lambda base: JsonTemplate.at(
        "own", f"{base}/q?t={{phrase}}&l={{language}}&d={{since}}", ResultFields("data.0.items", url="link"), key=KEY
    ),
    "feed": lambda base: SearchFeed.at("own", f"{base}/feed/{{phrase}}", key=KEY),
    "infini-gram": lambda base: InfiniGram.at("own", "v4", url=f"{base}/"),
}
ANSWERS: dict[str, Any] = {
    "searxng": {"results": [{"url": "https://b.example/1", "title": "T", "content": "s"}]},
    "brave": {"web": {"results": [{"url": "https://b.example/1", "title": "T", "description": "<strong>s</strong>"}]}},
    "json": {"data": [{"items": [{"link": "https://b.example/1#top", "title": "T", "snippet": "s"}]}]},
    "infini-gram": {"documents": [{"metadata": '{"metadata": {"url": "https://b.example/1"}}', "spans": [["s", 1]]}]},
}
FEED = """<rss version="2.0"><channel><title>f</title><item><title>T</title><link>https://b.example/1</link>
<description>s</description></item></channel></rss>"""


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as found:
        yield found


def asked_of(server: SearchServer) -> dict[str, list[str]]:
    return parse_qs(urlsplit(server.asked[-1].target).query, keep_blank_values=True)


@pytest.mark.parametrize("kind", SERVICES)
def test_a_phrase_in_and_results_out(server: SearchServer, kind: str) -> None:
    server.answer = Scripted(body=FEED.encode() if kind == "feed" else json.dumps(ANSWERS[kind]).encode())

    found = SERVICES[kind](server.base).search(PHRASE, "zh-Hans", SINCE)

    assert [one.url for one in found.results] == ["https://b.example/1"]
    assert found.results[0].service == "own"
    assert (found.unusable, found.beyond) == (0, 0)
    assert len(server.asked) == 1
    if kind != "infini-gram":
        assert found.results[0].title == "T"
    if kind != "feed":
        assert found.results[0].snippet == "s"


def test_searxng_is_asked_for_the_quoted_phrase_as_json(server: SearchServer) -> None:
    server.says({"results": []})

    SERVICES["searxng"](f"{server.base}/sx/").search(PHRASE, "zh-Hans", SINCE)

    assert server.asked[-1].target.startswith("/sx/search?")
    assert asked_of(server) == {"q": [f'"{PHRASE}"'], "format": ["json"], "language": ["zh-CN"]}
    assert server.asked[-1].headers["Authorization"] == KEY


def test_brave_is_asked_with_its_key_language_and_dates(server: SearchServer) -> None:
    server.says({"query": {"original": PHRASE}})

    assert SERVICES["brave"](server.base).search(PHRASE, "zh-Hans", SINCE).results == ()

    asked = asked_of(server)
    assert (asked["q"], asked["search_lang"]) == ([f'"{PHRASE}"'], ["zh-hans"])
    assert asked["freshness"][0].startswith("2026-03-01to")
    assert server.asked[-1].headers["X-Subscription-Token"] == KEY


def test_a_template_is_filled_and_escaped(server: SearchServer) -> None:
    server.says(ANSWERS["json"])

    SERVICES["json"](server.base).search("a&b=c {since}", "en", None)

    assert asked_of(server) == {"t": ['"a&b=c {since}"'], "l": ["en"], "d": [""]}


def test_an_exact_index_is_asked_without_quotation_marks(server: SearchServer) -> None:
    server.says(ANSWERS["infini-gram"])

    SERVICES["infini-gram"](server.base).search(PHRASE, "zh", None)

    assert json.loads(server.asked[-1].body)["query"] == PHRASE


@pytest.mark.parametrize("url", ["https://a.example/q", "https://{phrase}.example/q", "{phrase}"])
def test_a_template_without_a_place_for_the_phrase_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\{phrase\}"):
        SearchFeed.at("own", url)


@pytest.mark.parametrize("kind", SERVICES)
@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Scripted(429, headers={"Retry-After": "77"}), Fault.BUSY),
        (Scripted(503), Fault.BUSY),
        (Scripted(402), Fault.OUT_OF_QUOTA),
        (Scripted(401, b"key " + KEY.encode()), Fault.KEY_REFUSED),
        (Scripted(302, headers={"Location": "http://169.254.169.254/"}), Fault.REDIRECT),
        (Scripted(400, b"bad " + KEY.encode()), Fault.REFUSED),
        (Scripted(200, b"<html><form action=/sorry/>captcha</form>"), Fault.CAPTCHA),
        (Scripted(403, b"<html>please solve the CAPTCHA"), Fault.CAPTCHA),
        (Scripted(200, b"\xff\x00\xfe garbage"), Fault.GARBAGE),
        (Scripted(200, b""), Fault.GARBAGE),
    ],
)
def test_every_failure_has_a_name_and_never_shows_the_key(
    server: SearchServer, kind: str, answer: Scripted, fault: Fault
) -> None:
    server.answer = answer

    with pytest.raises(ServiceFailed) as caught:
        SERVICES[kind](server.base).search(PHRASE, "zh", None)

    assert caught.value.fault is fault
    assert server.base.removeprefix("http://") in str(caught.value)
    assert KEY not in str(caught.value) or kind == "infini-gram"  # which has none
    assert caught.value.retry_after_s == (77 if answer.headers.get("Retry-After") else 0)
    assert len(server.asked) == 1  # a redirect is not followed, a failure not repeated


@pytest.mark.parametrize("body", [b"[" * 100_000, b"1" * 10_000, b'{"results": 3}', b'{"results": {"a": 1}}', b"null"])
def test_json_of_another_shape_is_garbage(server: SearchServer, body: bytes) -> None:
    server.answer = Scripted(body=body)

    for kind in ("searxng", "brave", "json"):
        with pytest.raises(ServiceFailed) as caught:
            SERVICES[kind](server.base).search(PHRASE, "zh", None)
        assert caught.value.fault is Fault.GARBAGE


def test_a_slow_service_is_given_up(server: SearchServer) -> None:
    never = threading.Event()
    server.answer = Scripted(body=b"{}", wait=never)
    try:
        with pytest.raises(ServiceFailed) as caught:
            SearXNG.at("own", server.base, answer_s=0.2).search(PHRASE, "zh", None)
    finally:
        never.set()
    assert caught.value.fault is Fault.UNREACHABLE


def test_a_service_that_is_down_is_unreachable(server: SearchServer) -> None:
    with pytest.raises(ServiceFailed) as caught:
        SearXNG.at("own", "http://127.0.0.1:1").search(PHRASE, "zh", None)
    assert caught.value.fault is Fault.UNREACHABLE


def test_of_a_hundred_thousand_results_the_first_are_read_and_the_rest_counted(server: SearchServer) -> None:
    one = {"url": "https://b.example/1", "title": "T"}
    server.says({"results": [one] * 100_000})

    found = SERVICES["searxng"](server.base).search(PHRASE, "zh", None)

    assert (len(found.results), found.beyond) == (MOST_RESULTS, 100_000 - MOST_RESULTS)


def test_an_endless_answer_is_cut(server: SearchServer) -> None:
    server.answer = Scripted(body=b'{"results": [' + b" " * 17_000_000)

    with pytest.raises(ServiceFailed) as caught:
        SERVICES["searxng"](server.base).search(PHRASE, "zh", None)
    assert caught.value.fault is Fault.TOO_LARGE


def test_results_without_an_address_on_the_web_are_counted(server: SearchServer) -> None:
    urls = ["", "javascript:1", "file:///etc/passwd", "http://", "https://b.example/\ud800", 7, None, "x" * 9_000]
    server.says(
        {"results": [*({"url": url} for url in urls), "text", None, {"url": "HTTPS://B.example:443/a?utm_x=1"}]}
    )

    found = SERVICES["searxng"](server.base).search(PHRASE, "zh", None)

    assert found.results == (SearchResult("https://b.example/a", "", "", "own"),)
    assert found.unusable == 10


def test_texts_of_results_are_plain_and_bounded(server: SearchServer) -> None:
    wild = "a\x00\x1b[31m<b>b</b>&lt;\ud800" + "字" * 9_000
    server.says({"results": [{"url": "https://b.example/1", "title": wild, "content": wild}]})

    (found,) = SERVICES["searxng"](server.base).search(PHRASE, "zh", None).results

    assert found.title.startswith("a [31mb<")
    assert (found.title + found.snippet).isprintable()
    assert len(found.title) <= 500
    assert len(found.snippet) <= 2_000


def test_searxng_whose_engines_all_failed_has_not_answered(server: SearchServer) -> None:
    server.says({"results": [], "unresponsive_engines": [["bing", "CAPTCHA"], ["x", "timeout"]]})

    with pytest.raises(ServiceFailed, match="bing CAPTCHA") as caught:
        SERVICES["searxng"](server.base).search(PHRASE, "zh", None)
    assert caught.value.fault is Fault.CAPTCHA
