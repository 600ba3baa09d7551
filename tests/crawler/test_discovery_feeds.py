"""Feeds and sitemaps."""

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.discovery.feeds import (
    MAX_SITEMAP_BYTES,
    MAX_SITEMAP_ENTRIES,
    Entry,
    Unreadable,
    feed_entries,
    kind_of,
    sitemap_entries,
)
from crawler.outcomes.refusals import Refusal
from storage.records.crawl import UrlKind
from storage.records.pages import Declared
from storage.time_zones import zone_named
from storage.types import DateOrigin, Precision

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ZONE = zone_named("Asia/Shanghai")
BASE = "http://news.example/sitemap.xml"


def sitemap(body: bytes) -> list[Entry] | Refusal:
    try:
        return list(sitemap_entries(body, url=BASE, zone=ZONE, now=NOW))
    except Unreadable as error:
        return error.refusal


def feed(body: str) -> tuple[Entry, ...] | Refusal:
    try:
        return feed_entries(body.encode(), url="http://news.example/feed", zone=ZONE, now=NOW)
    except Unreadable as error:
        return error.refusal


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
    assert sitemap(body) == [Entry("http://news.example/1", DATED, DATED.at)]


def test_an_index_names_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>http://news.example/s1.xml</loc></sitemap></sitemapindex>"
    assert sitemap(body) == [Entry("http://news.example/s1.xml", is_sitemap=True)]


def test_a_news_sitemap_dates_its_pages() -> None:
    news = b"<news:news><news:publication_date>2026-11-02T08:00:00+08:00</news:publication_date></news:news>"
    body = b'<urlset xmlns:news="n"><url><loc>http://news.example/1</loc>' + news + b"</url></urlset>"
    found = sitemap(body)
    assert isinstance(found, list)
    assert found[0].declared.precision is Precision.SECOND
    assert found[0].modified_at is None


def test_pictures_and_films_of_a_page_are_not_the_page() -> None:
    picture = b"<image:image><image:loc>http://news.example/1.jpg</image:loc></image:image>"
    film = b"<video:video><video:publication_date>2020-01-01</video:publication_date></video:video>"
    body = (
        b'<urlset xmlns:image="i" xmlns:video="v"><url>'
        + picture
        + film
        + b"<loc>http://news.example/1</loc></url></urlset>"
    )
    assert sitemap(body) == [Entry("http://news.example/1")]


def test_a_sitemap_is_read_as_it_comes() -> None:
    def pages(count: int) -> bytes:
        return b"".join(b"<url><loc>http://news.example/%d</loc></url>" % number for number in range(count))

    body = gzip.compress(b"<urlset>" + pages(MAX_SITEMAP_ENTRIES + 10) + b"</urlset>")
    entries = sitemap_entries(body[: len(body) // 2], url=BASE, zone=ZONE, now=NOW)
    assert next(entries) == Entry("http://news.example/0")
    assert len(list(entries)) > 10_000
    assert len(list(sitemap_entries(body, url=BASE, zone=ZONE, now=NOW))) == MAX_SITEMAP_ENTRIES


def test_lines_are_a_sitemap_too() -> None:
    assert sitemap(b"http://news.example/1\nhttp://news.example/2\n") == [
        Entry("http://news.example/1"),
        Entry("http://news.example/2"),
    ]


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
    assert feed('{"version": "1.0", "items": []}') is Refusal.BROKEN_MARKUP
    assert feed("{" * 100_000) is Refusal.BROKEN_MARKUP


def test_a_json_feed_names_pages_with_their_dates() -> None:
    item = '{"url": "/1", "date_published": "2026-11-02T08:00:00+08:00", "date_modified": "2026-11-03T08:00:00+08:00"}'
    found = feed('{"version": "https://jsonfeed.org/version/1.1", "items": [' + item + ', {"id": "7"}, 8]}')
    declared = Declared(datetime(2026, 11, 2, tzinfo=UTC), Precision.SECOND, DateOrigin.FEED)
    assert found == (Entry("http://news.example/1", declared, datetime(2026, 11, 3, tzinfo=UTC)),)


@given(st.binary(max_size=300))
def test_no_bytes_raise(body: bytes) -> None:
    sitemap(body)
    sitemap(b"<urlset>" + body)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>", UrlKind.FEED),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a --><?xml-stylesheet href='a'?>\n<feed xmlns='a'>", UrlKind.FEED),
        (b"<rdf:RDF xmlns:rdf='a'>", UrlKind.FEED),
        (b"<urlset>", UrlKind.SITEMAP),
        (b"<sm:sitemapindex xmlns:sm='a'>", UrlKind.SITEMAP),
        (b"<!doctype html><html><body><rss>", None),
        (b"<html><body>feed</body></html>", None),
        (b"<feedback>", None),
        (b"", None),
        (b"<!--" * 20_000, None),
        (b"<?xml " + b"<!---->" * 5_000, None),
    ],
)
def test_feeds_and_sitemaps_are_known_by_their_first_element(body: bytes, kind: UrlKind | None) -> None:
    assert kind_of(body) is kind
