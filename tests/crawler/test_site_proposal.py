"""The proposal of a site's settings from its front page."""

import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping

import pytest

from crawler.discovery.site_proposal import SAMPLES, Proposal, discover, likely_articles
from crawler.extraction.article import Article
from crawler.fetch.fetch import Fetched
from crawler.outcomes.refusals import Refusal
from crawler.urls.scope import Scope
from tests.fake_web import served
from tests.fake_web.pages import story
from tests.fake_web.scripted import SHELL


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


def fetch(url: str) -> Fetched | Refusal:
    """Without the guard's child process: what is asked here is our own server."""
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310  (a loopback address of the test)
            return Fetched(url, answer.status, {"content-type": answer.headers["Content-Type"]}, answer.read())
    except urllib.error.HTTPError:
        return Refusal.GONE


def test_a_site_is_proposed_with_samples_of_what_was_read(web: str) -> None:
    found = discover(f"{web}/many", fetch=fetch)

    assert isinstance(found, Proposal)
    assert found.settings.sitemaps == (f"{web}/sitemap.xml",)
    assert [sample.url for sample in found.samples] == [f"{web}/news/{number}" for number in (100, 101, 102)]
    outcomes = [sample.outcome for sample in found.samples]
    assert [one.title for one in outcomes if isinstance(one, Article)] == [f"渡口札记之{n}" for n in (100, 101, 102)]


def test_samples_are_of_the_shape_most_links_have() -> None:
    stories = [f"http://a.example/2026/1121/{number}.html" for number in range(SAMPLES + 2)]
    links = ["http://a.example/", "http://a.example/about", *stories, "http://b.example/1", "http://a.example/list/1"]
    assert list(likely_articles(links, Scope.of(["a.example"]))) == stories


def test_a_page_without_links_has_no_samples() -> None:
    assert likely_articles([], Scope.of(["a.example"])) == ()


FRONT = "http://a.example/"
NEWS = tuple(f"{FRONT}news/{number}" for number in range(4))
LIST = (
    "<html><body>"
    + "".join(f"<a href='{url}'>渡口札记：江上渡船来往的人们，以及他们说过的话和没有说的话</a>" for url in NEWS)
    + "<script></script></body></html>"
)
ARTICLE = f"<html><body><article><h1>渡口札记</h1>{story(1)}</article></body></html>"
IN_A_BROWSER = {FRONT: LIST, **dict.fromkeys(NEWS, ARTICLE)}
"""A site as it stands once its scripts have run."""


def answering(pages: Mapping[str, str]) -> Callable[[str], Fetched | Refusal]:
    def answer(url: str) -> Fetched | Refusal:
        page = pages.get(url)
        return Refusal.GONE if page is None else Fetched(url, 200, {"content-type": "text/html"}, page.encode())

    return answer


@pytest.mark.parametrize(
    ("sent", "opened", "is_proposed", "is_bare"),
    [
        (dict.fromkeys(IN_A_BROWSER, SHELL), IN_A_BROWSER, True, False),
        ({FRONT: LIST, **dict.fromkeys(NEWS, SHELL)}, IN_A_BROWSER, True, False),  # its list is sent as it is
        (dict.fromkeys(IN_A_BROWSER, SHELL), dict.fromkeys(IN_A_BROWSER, SHELL), False, True),  # it wants a log-in
        (dict.fromkeys(IN_A_BROWSER, SHELL), {}, False, True),
        (dict.fromkeys(IN_A_BROWSER, SHELL), None, False, True),  # no browser is installed
        ({FRONT: SHELL.replace("请稍候", ARTICLE), **IN_A_BROWSER}, {}, False, False),
        (IN_A_BROWSER, {}, False, False),
    ],
)
def test_a_browser_is_proposed_where_it_alone_shows_anything(
    sent: Mapping[str, str], opened: Mapping[str, str] | None, *, is_proposed: bool, is_bare: bool
) -> None:
    found = discover(FRONT, fetch=answering(sent), browser=None if opened is None else answering(opened))

    assert isinstance(found, Proposal)
    assert (found.settings.browser, found.is_bare) == (is_proposed, is_bare)
    assert any(isinstance(one.outcome, Article) for one in found.samples) == (not is_bare)


def test_a_site_that_shows_itself_is_not_opened_in_a_browser() -> None:
    asked = []

    def browser(url: str) -> Refusal:
        asked.append(url)
        return Refusal.TIMEOUT

    found = discover(FRONT, fetch=answering(IN_A_BROWSER), browser=browser)

    assert isinstance(found, Proposal)
    assert (asked, found.settings.browser) == ([], False)


def test_who_asks_for_a_browser_gets_it() -> None:
    browser = answering(IN_A_BROWSER)

    found = discover(FRONT, fetch=answering({}), open_page=browser, browser=browser)

    assert isinstance(found, Proposal)
    assert (found.settings.browser, len(found.samples)) == (True, SAMPLES)
