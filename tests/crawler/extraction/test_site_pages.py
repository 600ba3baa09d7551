"""Pages about their site are no articles, and articles are none of them."""

import json
from datetime import UTC, datetime

import pytest

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.page_types.site_pages import has_site_name, is_site_title
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import SENTENCES

SHORT = "".join(f"<p>{line}</p>" for line in SENTENCES[:4])
LONG = "".join(f"<p>{SENTENCES[number % len(SENTENCES)]}</p>" for number in range(40))
DATED = "<time datetime='2026-03-02T08:30:00+08:00'>2026-03-02</time>"
POSTING = {"@type": ["WebPage", "BlogPosting"]}


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("https://a.example/about/", True),
        ("https://a.example/zh/about-us.html", True),
        ("https://a.example/contact/index.html", True),
        ("https://a.example/search?q=x", True),
        ("https://a.example/%E5%85%B3%E4%BA%8E/", True),
        ("https://a.example/about/2026/ferry.html", False),
        ("https://a.example/news/about-the-ferry.html", False),
        ("https://a.example/", False),
    ],
)
def test_an_address_that_ends_like_that_of_a_page_about_the_site(url: str, *, answer: bool) -> None:
    assert has_site_name(url) == answer


@pytest.mark.parametrize(
    ("title", "answer"),
    [
        ("关于", True),
        ("关于我们 - 江城日报", True),
        ("about // River City", True),
        ("【留言板】", True),
        ("Search results for ferry | River City", True),
        ("关于快速学习", False),
        ("About a boy", False),
        ("联系我们的，是一条江", False),
        ("搜索", False),
        ("", False),
    ],
)
def test_a_title_that_is_nothing_but_the_name_of_such_a_page(title: str, *, answer: bool) -> None:
    assert is_site_title(title) == answer


def test_no_title_takes_long() -> None:
    assert not is_site_title("search results for " + "a " * 50_000)


def page(body: str, *, title: str = "江上渡口", data: object = None, head: str = "") -> str:
    script = "" if data is None else f"<script type='application/ld+json'>{json.dumps(data)}</script>"
    return f"<html><head><title>{title}</title>{head}{script}</head><body><article>{body}</article></body></html>"


@pytest.mark.parametrize(
    ("path", "markup", "refusal"),
    [
        ("/about/", page(SHORT), Refusal.SITE_PAGE),
        ("/about/", page(DATED + LONG, title="关于我们"), Refusal.SITE_PAGE),
        ("/p/7", page(DATED + SHORT, title="留言板"), Refusal.SITE_PAGE),
        ("/p/7", page(DATED + LONG, data={"@type": "ContactPage"}), Refusal.SITE_PAGE),
        ("/p/7", page(LONG, head="<meta property='og:type' content='profile'>"), Refusal.SITE_PAGE),
        ("/p/7", page(LONG, data={"@graph": [{"@type": ["SearchResultsPage"]}]}), Refusal.LIST_PAGE),
        # One sign alone, or a page that says what it is, or is of two minds.
        ("/about/", page(DATED + LONG), None),
        ("/p/7", page(DATED + LONG, title="关于我们"), None),
        ("/p/7", page(SHORT), None),
        ("/about/", page(SHORT, title="关于我们", data=POSTING), None),
        # A text this long is a document, whatever its title.
        ("/about/", page(LONG * 4, title="关于我们"), None),
        ("/p/7", page(LONG, data=[{"@type": "WebPage", "isPartOf": {"@type": "CollectionPage"}}]), None),
    ],
)
def test_two_signs_or_the_page_s_own_word_tell_it(path: str, markup: str, refusal: Refusal | None) -> None:
    outcome = extract(
        markup.encode(),
        url=f"https://a.example{path}",
        content_type="text/html",
        fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
        time_zone="Asia/Shanghai",
    )

    assert (None if isinstance(outcome, Article) else outcome) == refusal
