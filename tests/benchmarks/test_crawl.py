"""The sites that the crawl benchmarks serve: a generated one, and copies of others."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from benchmarks.crawl.generated import PER_LIST, page
from benchmarks.crawl.site_result import Crawled, crawled_before
from benchmarks.crawl.web_copies import WebCopy, copies_in, reached, served_copy
from crawler.extraction.article import Article, Page
from crawler.extraction.extract import read_page

BASE = "http://generated.example"


def read(path: str, *, articles: int) -> Page:
    shown = page(path, articles=articles)
    assert shown is not None
    return read_page(
        shown.encode(),
        url=BASE + path,
        content_type="text/html; charset=utf-8",
        fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
        time_zone="Asia/Shanghai",
    )


def test_its_lists_lead_to_every_article_once() -> None:
    articles = 2 * PER_LIST + 1
    path, found = "/", []
    while path:
        shown = read(path, articles=articles)
        found += [link for link in shown.links if link.startswith(f"{BASE}/a/")]
        path = (shown.next_list or "").removeprefix(BASE)

    assert found == [f"{BASE}/a/{number}" for number in range(articles)]
    assert page(f"/a/{articles}", articles=articles) is None
    assert page("/list/9", articles=articles) is None


def test_its_articles_are_read_and_differ() -> None:
    texts = set()
    for number in range(20):
        outcome = read(f"/a/{number}", articles=20).outcome
        assert isinstance(outcome, Article)
        texts.add(outcome.text)
    assert len(texts) == 20


@pytest.fixture
def copy(tmp_path: Path) -> WebCopy:
    """A site's own files, as a static host would serve them under /paper."""
    for name, text in {
        "index.html": "<a href='/paper/a/'>a</a><a href='https://press.github.io/paper/b.html'>b</a>",
        "a/index.html": "<a href='../c'>c</a><a href='https://elsewhere.example/'>x</a>",
        "b.html": "<link rel=alternate type=application/rss+xml href=/paper/feed.xml>",
        "c.html": "c",
        "feed.xml": "<rss><item><link>https://press.github.io/paper/d/</link></item></rss>",
        "d/index.html": "d",
        "sitemap.xml": "<urlset><url><loc>https://press.github.io/paper/e.html</loc></url></urlset>",
        "e.html": "e",
        "nobody-links-here.html": "f",
        "picture.png": "no page",
    }.items():
        file = tmp_path / "press+paper" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (tmp_path / "secret.html").write_text("not of the site")
    (found,) = copies_in(tmp_path)
    return found


def test_a_walk_over_a_copy_finds_what_its_own_links_lead_to(copy: WebCopy) -> None:
    names = {str(file.relative_to(copy.root.resolve())) for file in reached(copy)}

    pages = {"index.html", "a/index.html", "b.html", "c.html", "d/index.html", "e.html"}
    assert names == pages | {"feed.xml", "sitemap.xml"}


@pytest.mark.parametrize("path", ["/paper/../secret.html", "/paper/%2e%2e/secret.html", "/nothing", "/paper/a/x"])
def test_a_copy_answers_with_its_own_files_alone(copy: WebCopy, path: str) -> None:
    assert copy.file_of(path) is None


def test_a_served_copy_leads_to_itself_and_says_what_has_not_changed(copy: WebCopy) -> None:
    with served_copy(copy) as server:
        asked = Request(f"{server.address}/paper/")  # noqa: S310  (a loopback address of the test)
        with urlopen(asked) as answer:  # noqa: S310
            assert f"{server.address}/paper/b.html" in answer.read().decode()
            asked.add_header("If-None-Match", answer.headers["ETag"])
        with pytest.raises(HTTPError, match="304"):
            urlopen(asked)  # noqa: S310

        assert server.statuses == {200: 1, 304: 1}


def test_a_site_crawled_to_its_end_is_remembered_as_it_was(tmp_path: Path) -> None:
    labelled = frozenset({Path("/copies/a/甲.html"), Path("/copies/a/乙.html")})
    missed = {Path("/copies/a/乙.html"): "duplicate"}
    asked = (Counter({200: 5, 404: 1}), Counter({304: 1}))
    one = Crawled("press+paper", 6, labelled, labelled - set(missed), missed, 3.0, 190.5, *asked)
    kept_in = tmp_path / "crawled.jsonl"
    assert crawled_before(kept_in) == {}

    kept_in.write_text(one.as_line() + "\n", "utf-8")

    assert crawled_before(kept_in) == {"press+paper": one}
    assert (one.kept, one.row.split()) == (
        1,
        ["press+paper", "6", "2.0", "190", "1", "2", "1", "0.500", "6", "1", "(1)"],
    )
