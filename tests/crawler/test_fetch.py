"""The guarded client, against a real server."""

import ipaddress
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from crawler.fetch.fetch import Fetched, fetch
from crawler.outcomes.refusals import Refusal
from tests.fake_web import served

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
AT_ONCE = 2  # each fetch is a process of its own
SPELLINGS = ("0x7f.1", "[::ffff:127.0.0.1]", "localhost")
"""Each costs a process: the hostile site and the proxy for browsers know more."""
TRAPS = {
    "/metadata": Refusal.BLOCKED_ADDRESS,
    "/loop": Refusal.TOO_MANY_REDIRECTS,
    "/endless": Refusal.TOO_LARGE,
    "/nothing": Refusal.GONE,
}


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


def test_a_page_comes_with_its_headers(web: str) -> None:
    page = fetch(f"{web}/gbk", allowed_networks=LOOPBACK)

    assert isinstance(page, Fetched)
    assert (page.status, page.content_type, page.url) == (200, "text/html", f"{web}/gbk")
    assert "渡口".encode("gb18030") in page.body


def test_loopback_is_refused_however_it_is_spelt(web: str) -> None:
    urls = [f"http://{host}:{urlsplit(web).port}/news/1" for host in SPELLINGS]

    with ThreadPoolExecutor(AT_ONCE) as at_once:
        answers = dict(zip(SPELLINGS, at_once.map(fetch, urls), strict=True))

    assert answers == dict.fromkeys(SPELLINGS, Refusal.BLOCKED_ADDRESS)


def test_each_trap_has_its_name(web: str) -> None:
    def answer(path: str) -> Fetched | Refusal:
        return fetch(f"{web}{path}", allowed_networks=LOOPBACK)

    with ThreadPoolExecutor(AT_ONCE) as at_once:
        answers = dict(zip(TRAPS, at_once.map(answer, TRAPS), strict=True))

    assert answers == TRAPS


def test_a_server_that_never_answers_is_left(web: str) -> None:
    assert fetch(f"{web}/slow", allowed_networks=LOOPBACK, timeout_s=1) is Refusal.TIMEOUT


def test_other_schemes_are_refused() -> None:
    assert fetch("ftp://example.com/a") is Refusal.UNUSABLE_URL
    assert fetch("javascript:alert(1)") is Refusal.UNUSABLE_URL
