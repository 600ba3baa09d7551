"""Feeds, sitemaps and robots.txt of a site that wants to stop its crawl, or to be unread without a word."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import feedparser
import pytest

from crawler.discovery.feeds import ReadList, kind_of, read_list
from crawler.extraction.reader_pool import ReaderPool
from crawler.importers.files import read_articles
from crawler.importers.model import ImportedArticle, ImportProblem
from crawler.outcomes.refusals import Refusal
from storage.records.crawl import UrlKind
from tests.fake_web.pages import article
from tests.flow.test_crawl import add_site, stored
from tests.hostile.site import crawled, log_of, serving
from tests.support.factories import story

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HEAD = b'<?xml version="1.0"?><rss version="2.0"><channel>'

ONE_WORD = HEAD + b"<title>\xe9 " + b"a" * 300_000 + b" </title><item><link>/news/1</link></item></channel></rss>"
"""H1: no UTF-8, and one long word: chardet takes a time with the square of its length, under the interpreter's lock."""

RAISING: dict[str, tuple[type[Exception], bytes]] = {
    "a surrogate": (UnicodeEncodeError, HEAD + b"<title>&#xD800;</title></channel>"),
    "no character": (ValueError, HEAD + b"<title>&#x110000;</title></channel>"),
    "no number": (OverflowError, HEAD + b"<title>&#99999999999;</title></channel>"),
    "an end without a beginning": (
        KeyError,
        HEAD + b"</creativecommons:license></title><image><geo:lat>",
    ),
    "ends in another order": (
        IndexError,
        HEAD + b"<entry><media:group><source><comments></comments><image><link/><enclosure url='x'/><author>"
        b'<creativecommons:license><link href="a"/></x:link>',
    ),
}
"""M7: feeds on which feedparser raises, by what it raises."""

LOC = b"<url><loc>http://a.example/1</loc></url>"
SITEMAPS = {
    "a surrogate in a text": b"<urlset>" + LOC + b"<url><loc>http://a.example/2&#xD800;</loc></url></urlset>",
    "a surrogate after what is cut": b'<urlset><url xmlns="\xff"><loc>http://a.example/1</loc><urlset>-->&#xD800;',
    "a name in no encoding": b"<urlset><loc>http://a.example/1<news:news><a:b:c>&#xD800;</a\xe9b>--><url><a:b:c>&#xD800;<!--",
}


def listed(kind: UrlKind, body: bytes) -> tuple[int, Refusal | None]:
    read = read_list(kind, body, url="http://a.example/", content_type="", zone=UTC, now=NOW)
    return len(read.entries), read.refusal


def test_h1_a_feed_of_one_long_word_is_read_and_the_crawl_goes_on(clean_database_url: str) -> None:
    answers = {"/feed": ("application/xml", ONE_WORD), "/news/1": ("text/html; charset=utf-8", article(1).encode())}
    with serving(answers) as web:
        add_site(clean_database_url, web, start_urls=(), feeds=(f"{web}/feed",))
        run = crawled(clean_database_url)

    assert run.exit_reason == "finished"
    assert run.counters["feeds/read"] == 1
    assert list(stored(clean_database_url)) == ["/news/1"]


def test_h1_a_feed_of_one_long_word_is_imported(tmp_path: Path) -> None:
    body = ONE_WORD.replace(b"<item>", f"<item><content:encoded>{story()}</content:encoded>".encode())
    (tmp_path / "long.rss").write_bytes(body.replace(b"<link>", b"<link>https://a.example"))

    (found,) = read_articles([tmp_path], now=NOW)

    assert isinstance(found, ImportedArticle | ImportProblem)
    assert found.path.endswith("long.rss")


def turns_for_ever(seed: int) -> int:
    while True:
        seed += 1


def test_h1_a_declaration_without_an_end_is_read_in_time() -> None:
    """Fuzzing found it: the library looks for each `encoding=` behind each other one."""
    body = b'<?xml version="1.0" ' + b'encoding="utf-8" ' * 12_000
    work = partial(read_list, UrlKind.FEED, body, url="http://a.example/", content_type="", zone=UTC, now=NOW)
    readers = ReaderPool(size=1)
    try:
        read = readers.call(work)
    finally:
        readers.close()

    assert read == ReadList((), Refusal.BROKEN_MARKUP)


def test_h1_whatever_takes_for_ever_in_a_reader_is_ended_by_name() -> None:
    readers = ReaderPool(size=1, deadline_s=0.5)
    try:
        assert readers.call(partial(turns_for_ever, 1)) is Refusal.PARSE_DEADLINE
        assert readers.call(partial(int, "7")) == 7
    finally:
        readers.close()


@pytest.mark.parametrize("what", RAISING)
def test_m7_a_feed_on_which_the_parser_raises_is_refused_by_name(what: str) -> None:
    kind, body = RAISING[what]
    with pytest.raises(kind):
        feedparser.parse(body, sanitize_html=False, resolve_relative_uris=False)

    assert listed(UrlKind.FEED, body) == (0, Refusal.BROKEN_MARKUP)


@pytest.mark.parametrize("what", SITEMAPS)
def test_m7_a_sitemap_on_which_the_parser_raises_keeps_what_came_before_and_is_refused_by_name(what: str) -> None:
    count, refusal = listed(UrlKind.SITEMAP, SITEMAPS[what])

    assert refusal is Refusal.BROKEN_MARKUP
    assert count == (1 if what == "a surrogate in a text" else 0)


def test_m7_a_crawl_counts_feeds_and_sitemaps_that_cannot_be_read(clean_database_url: str) -> None:
    answers = {f"/feed/{number}": ("application/xml", body) for number, (_, body) in enumerate(RAISING.values())}
    answers |= {f"/map/{number}": ("application/xml", body) for number, body in enumerate(SITEMAPS.values())}
    with serving(answers) as web:
        feeds = tuple(f"{web}{path}" for path in answers if path.startswith("/feed/"))
        sitemaps = tuple(f"{web}{path}" for path in answers if path.startswith("/map/"))
        add_site(clean_database_url, web, start_urls=(), feeds=feeds, sitemaps=sitemaps)
        run = crawled(clean_database_url)

    assert run.exit_reason == "finished"
    assert run.counters["refused/broken-markup"] == len(answers)
    assert sorted(run.refusal_samples["broken-markup"]) == sorted((*feeds, *sitemaps))
    assert "Traceback" not in log_of(clean_database_url, run)


def test_m7_a_broken_feed_among_files_is_named_and_the_rest_is_imported(tmp_path: Path) -> None:
    for number, (_, body) in enumerate(RAISING.values()):
        (tmp_path / f"{number}.rss").write_bytes(body)
    (tmp_path / "z.txt").write_text(story(), encoding="utf-8")

    *broken, whole = read_articles([tmp_path], now=NOW)

    assert {one.refusal for one in broken if isinstance(one, ImportProblem)} == {Refusal.BROKEN_MARKUP}
    assert len(broken) == len(RAISING)
    assert isinstance(whole, ImportedArticle)


NEVER_ENDING: dict[str, Callable[[], bytes]] = {
    "comments in a row": lambda: b"<!---->" * 4_000,
    "comments that open": lambda: b"<!--" * 8_000,
    "instructions in a row": lambda: b"<?a?>" * 6_000,
    "comments and blanks": lambda: b" <!-- --> " * 3_000,
}


@pytest.mark.parametrize("what", NEVER_ENDING)
def test_the_kind_of_a_document_is_found_for_any_bytes(what: str) -> None:
    # The first of these took longer than anybody waited, in the crawl's own thread.
    body = NEVER_ENDING[what]()
    assert kind_of(body + b"x") is None


def test_l10_a_sitemap_that_is_no_web_address_is_refused_by_name(clean_database_url: str) -> None:
    robots = b"User-agent: *\nSitemap: file:///etc/passwd\nSitemap: ftp://a.example/\nSitemap: http://\n"
    answers = {
        "/robots.txt": ("text/plain", robots),
        "/news/1": ("text/html; charset=utf-8", article(1).encode()),
    }
    with serving(answers) as web:
        add_site(clean_database_url, web, start_urls=(f"{web}/news/1",), allow=("/news/",))
        run = crawled(clean_database_url)

    assert run.exit_reason == "finished"
    assert run.counters["refused/unusable-url"] == 3
    assert run.refusal_samples["unusable-url"][0] == "file:///etc/passwd"
    assert "error of ours" not in log_of(clean_database_url, run)


def test_l10_the_sitemaps_that_one_robots_txt_names_are_bounded(clean_database_url: str) -> None:
    lines = "".join(f"Sitemap: ftp://a.example/{number}\n" for number in range(700))
    answers = {
        "/robots.txt": ("text/plain", f"User-agent: *\n{lines}".encode()),
        "/news/1": ("text/html; charset=utf-8", article(1).encode()),
    }
    with serving(answers) as web:
        add_site(clean_database_url, web, start_urls=(f"{web}/news/1",), allow=("/news/",))
        run = crawled(clean_database_url)

    assert (run.counters["refused/unusable-url"], run.counters["refused/beyond-bound"]) == (500, 200)
