"""Feeds and sitemaps."""

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.dates import time_zone_of
from crawler.feeds import MAX_SITEMAP_BYTES, Entry, Sitemap, read_feed, read_sitemap
from crawler.refusals import Refusal
from storage.records import Declared
from storage.types import DateOrigin, Precision

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ZONE = time_zone_of("Asia/Shanghai")
BASE = "http://news.example/sitemap.xml"


def sitemap(body: bytes) -> Sitemap | Refusal:
    return read_sitemap(body, url=BASE, zone=ZONE, now=NOW)


def feed(body: str) -> tuple[Entry, ...] | Refusal:
    return read_feed(body.encode(), url="http://news.example/feed", zone=ZONE, now=NOW)


PAGE = b"<url><loc> http://news.example/1?utm_source=s </loc><lastmod>2026-11-02</lastmod></url>"
DATED = Declared(datetime(2026, 11, 1, 16, tzinfo=UTC), Precision.DAY, DateOrigin.SITEMAP)


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + PAGE + b"</urlset>",
        b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' + PAGE + b"</urlset>",
        gzip.compress(b"<urlset>" + PAGE + b"</urlset>"),
        b"<urlset>" + PAGE + b"<url><loc>",  # cut off
    ],
)
def test_a_sitemap_names_pages(body: bytes) -> None:
    assert sitemap(body) == Sitemap(pages=(Entry("http://news.example/1", DATED),))


def test_an_index_names_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>http://news.example/s1.xml</loc></sitemap></sitemapindex>"
    assert sitemap(body) == Sitemap(sitemaps=("http://news.example/s1.xml",))


def test_a_news_sitemap_dates_its_pages() -> None:
    news = b"<news:news><news:publication_date>2026-11-02T08:00:00+08:00</news:publication_date></news:news>"
    body = b'<urlset xmlns:news="n"><url><loc>http://news.example/1</loc>' + news + b"</url></urlset>"
    found = sitemap(body)
    assert isinstance(found, Sitemap)
    assert found.pages[0].declared.precision is Precision.SECOND


def test_lines_are_a_sitemap_too() -> None:
    assert sitemap(b"http://news.example/1\nhttp://news.example/2\n") == Sitemap(
        pages=(Entry("http://news.example/1"), Entry("http://news.example/2"))
    )


def test_a_bomb_and_nonsense_are_refused_by_name() -> None:
    assert sitemap(gzip.compress(b" " * (MAX_SITEMAP_BYTES + 1))) is Refusal.TOO_LARGE
    assert sitemap(b"\x1f\x8b nonsense") is Refusal.BROKEN_RESPONSE
    assert sitemap(b"nothing here") is Refusal.BROKEN_MARKUP


def test_no_entity_of_a_sitemap_is_expanded() -> None:
    body = b'<!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://a.example/&f;</loc></url></urlset>'
    found = sitemap(body)
    assert found is Refusal.BROKEN_MARKUP or "root" not in str(found)


def test_rss_and_atom_name_pages_with_their_dates() -> None:
    item = "<item><link>/1</link><pubDate>Mon, 02 Nov 2026 08:00:00 +0800</pubDate></item>"
    rss = f"<rss version='2.0'><channel>{item}</channel></rss>"
    atom = (
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='http://news.example/1'/>"
        "<published>2026-11-02T08:00:00+08:00</published></entry></feed>"
    )
    dated = Declared(datetime(2026, 11, 2, tzinfo=UTC), Precision.SECOND, DateOrigin.FEED)
    assert feed(rss) == feed(atom) == (Entry("http://news.example/1", dated),)


def test_what_is_no_feed_is_refused_by_name() -> None:
    assert feed("<html><body>404</body></html>") is Refusal.BROKEN_MARKUP
    assert feed("/etc/passwd") is Refusal.BROKEN_MARKUP


@given(st.binary(max_size=300))
def test_no_bytes_raise(body: bytes) -> None:
    sitemap(body)
    sitemap(b"<urlset>" + body)
