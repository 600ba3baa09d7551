"""What a site looks like from its front page."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from crawler.discover import SAMPLES, Proposal, discover, likely_articles
from crawler.extract import Article
from crawler.fetch import Fetched
from crawler.refusals import Refusal
from crawler.urls import Scope
from tests.fake_web import served


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
