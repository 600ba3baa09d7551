"""Feeds and sitemaps: bytes in, addresses with their dates out, as they are read. Pure.

Their parsers fail on hostile bytes with errors of any kind, and some take for ever: call `read_list` in a reader
process (`crawler.extraction.reader_pool.ReaderPool.call`).
"""

import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

import feedparser
from lxml import etree

from crawler.extraction.html.charset import decode
from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.one_date import date_in
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import joined_url
from storage.records.crawl import UrlKind
from storage.records.pages import Declared
from storage.types import DateOrigin

MAX_SITEMAP_BYTES: Final = 52_428_800
"""What sitemaps.org allows, uncompressed."""

MAX_SITEMAP_ENTRIES: Final = 50_000
"""The same protocol's bound on one file. A site of millions of pages has an index of many."""

MAX_FEED_ENTRIES: Final = 5_000

CHUNK: Final = 65_536
"""Bytes read and unpacked at a time: a sitemap is never in memory as a whole but packed."""

ROOT_REACH: Final = 32_000
"""Bytes searched for a document's first element, which comments and style sheets may precede."""

_GZIP_MAGIC: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS
_SPACE: Final = b"\xef\xbb\xbf \t\r\n"

_UNDATED: Final = Declared()


# Nothing is taken back once it is matched: of comments in a row there are as many readings as ways to part them.
_ROOT: Final = re.compile(
    rb"""(?:\xef\xbb\xbf)? \s{0,100}+ (?: <\?xml (?:(?!\?>)[^>]){0,300}+ \?> )?+
        (?: \s{0,1000}+ (?: <!-- (?:(?!-->).){0,2000}+ --> | <\? (?:(?!\?>)[^>]){0,500}+ \?> ) ){0,10}+
        \s{0,1000}+ < (?: [\w.-]{1,20}: )? (?P<name>rss|feed|rdf|urlset|sitemapindex) [\s>:]""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_DECLARATION: Final = re.compile(r"\s{0,100}<\?xml[^>]{0,1000}\?>")
"""The XML declaration of a feed. An own one replaces it: the library's search for the encoding in a declaration without
an end takes time quadratic in its length.
"""
_OWN_DECLARATION: Final = '<?xml version="1.0" encoding="utf-8"?>\n'
_SITEMAPS: Final = frozenset({b"urlset", b"sitemapindex"})


def kind_of(body: bytes) -> UrlKind | None:
    """Whether a document is a feed or a sitemap, by its first element; None for anything else."""
    found = _ROOT.match(body[:ROOT_REACH])
    if found is None:
        return None
    return UrlKind.SITEMAP if found["name"].lower() in _SITEMAPS else UrlKind.FEED


class Unreadable(Exception):
    """The bytes are no feed or sitemap; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Entry:
    """A page that a feed or sitemap names, or a further sitemap."""

    url: str
    declared: Declared = _UNDATED
    modified_at: datetime | None = None
    """When it says that the page last changed."""
    is_sitemap: bool = False


@dataclass(frozen=True, slots=True)
class ReadList:
    """What a feed or sitemap names; with a `refusal` if it could not be read to its end."""

    entries: tuple[Entry, ...] = ()
    refusal: Refusal | None = None


def read_list(kind: UrlKind, body: bytes, *, url: str, content_type: str, zone: tzinfo, now: datetime) -> ReadList:
    """A feed or sitemap, whatever its bytes are. Never raises."""
    entries: list[Entry] = []
    try:
        if kind is UrlKind.SITEMAP:
            entries.extend(sitemap_entries(body, url=url, zone=zone, now=now))
        else:
            entries.extend(feed_entries(body, url=url, content_type=content_type, zone=zone, now=now))
    except Unreadable as error:
        return ReadList(tuple(entries), error.refusal)
    except Exception:  # lxml and feedparser raise whatever comes up where markup is hostile
        return ReadList(tuple(entries), Refusal.BROKEN_MARKUP)
    return ReadList(tuple(entries))


def parsed_feed(body: bytes, *, content_type: str = "") -> Any:
    """The result of feedparser, for RSS and Atom. Raises Unreadable if the bytes are neither.

    The library gets UTF-8 that is declared as such: its own charset detection takes time quadratic in the length of a
    word.
    """
    try:
        decoded = decode(body, content_type=content_type)
    except (LookupError, UnicodeError) as error:
        raise Unreadable(Refusal.UNDECODABLE) from error
    if decoded is None:
        raise Unreadable(Refusal.UNDECODABLE)
    declared = _DECLARATION.match(decoded.text)
    text = _OWN_DECLARATION + decoded.text[declared.end() if declared else 0 :]
    try:
        # As a stream: of a string, the library would try whether it is an address or a file name.
        parsed = feedparser.parse(
            io.BytesIO(text.encode("utf-8", "replace")),
            response_headers={"content-type": "application/xml; charset=utf-8"},
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except Exception as error:  # KeyError, AttributeError, ValueError and others
        raise Unreadable(Refusal.BROKEN_MARKUP) from error
    if not parsed.get("version"):
        raise Unreadable(Refusal.BROKEN_MARKUP)
    return parsed


def sitemap_entries(body: bytes, *, url: str, zone: tzinfo, now: datetime) -> Iterator[Entry]:
    """The entries of a sitemap or an index of them, plain or gzipped, as XML or as lines of addresses.

    Raises Unreadable if there is none. A truncated or broken one yields what was readable before.
    """
    plain = _plain(body)
    first = b""
    while not first.strip(_SPACE) and (chunk := next(plain, b"")):
        first = chunk
    is_markup = first.lstrip(_SPACE).startswith(b"<")
    entries = _of_markup(first, plain, url, zone, now) if is_markup else _of_lines(first, plain, url)
    found = 0
    for found, entry in enumerate(entries, 1):
        yield entry
        if found == MAX_SITEMAP_ENTRIES:
            return
    if not found:
        raise Unreadable(Refusal.BROKEN_MARKUP)


def feed_entries(body: bytes, *, url: str, zone: tzinfo, now: datetime, content_type: str = "") -> tuple[Entry, ...]:
    """The entries of an RSS, Atom or JSON feed, in its order. Raises Unreadable if there is none."""
    if body.lstrip(_SPACE).startswith(b"{"):
        stated = _of_json(body)
    else:
        parsed = parsed_feed(body, content_type=content_type)
        # Not by the library's own `get`: for a missing date it returns the other one, with a warning.
        own: Any = dict.get
        stated = [(own(one, "link"), own(one, "published"), own(one, "updated")) for one in parsed.entries]
    entries: dict[str, Entry] = {}
    for link, published, updated in stated[:MAX_FEED_ENTRIES]:
        target = joined_url(url, str(link or ""))
        if target and target not in entries:
            declared = _dated(str(published or updated or ""), DateOrigin.FEED, zone, now)
            modified = _dated(str(updated or ""), DateOrigin.FEED, zone, now).at
            entries[target] = Entry(target, declared, modified)
    return tuple(entries.values())


def _of_json(body: bytes) -> list[tuple[Any, Any, Any]]:
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unreadable(Refusal.BROKEN_MARKUP) from error
    items = feed.get("items")
    if "jsonfeed.org" not in str(feed.get("version"))[:100] or not isinstance(items, list):
        raise Unreadable(Refusal.BROKEN_MARKUP)
    kept = [item for item in items if isinstance(item, dict)]
    return [
        (item.get("url") or item.get("external_url"), item.get("date_published"), item.get("date_modified"))
        for item in kept
    ]


def _plain(body: bytes) -> Iterator[bytes]:
    """The bytes in chunks, unpacked if they were packed, up to the bound."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW) if body.startswith(_GZIP_MAGIC) else None
    view, size = memoryview(body), 0
    for start in range(0, len(body), CHUNK):
        pending = bytes(view[start : start + CHUNK])
        while pending:
            try:
                chunk = unpacker.decompress(pending, CHUNK) if unpacker else pending
            except zlib.error as error:
                raise Unreadable(Refusal.BROKEN_RESPONSE) from error
            pending = unpacker.unconsumed_tail if unpacker else b""
            size += len(chunk)
            if size > MAX_SITEMAP_BYTES:
                raise Unreadable(Refusal.TOO_LARGE)
            yield chunk


def _of_markup(first: bytes, rest: Iterator[bytes], url: str, zone: tzinfo, now: datetime) -> Iterator[Entry]:
    parser: Any = etree.XMLPullParser(
        events=("end",), recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        for chunk in _with(first, rest):
            parser.feed(chunk)
            yield from _finished(parser, url, zone, now)
        parser.close()
        yield from _finished(parser, url, zone, now)
    except etree.XMLSyntaxError:
        return


def _with(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first.lstrip(_SPACE)
    yield from rest


def _finished(parser: Any, url: str, zone: tzinfo, now: datetime) -> Iterator[Entry]:
    """Each <url> or <sitemap> that is complete, freed as it goes."""
    for _, element in parser.read_events():
        kind = _local_name(element)
        if kind not in ("url", "sitemap"):
            continue
        entry = _entry(element, url, zone, now, is_sitemap=kind == "sitemap")
        element.clear()
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]
        if entry is not None:
            yield entry


def _entry(element: Element, url: str, zone: tzinfo, now: datetime, *, is_sitemap: bool) -> Entry | None:
    # Of its own children only: pictures and films have a <loc> and dates, too.
    own = {_local_name(child): (child.text or "").strip() for child in element}
    target = joined_url(url, own.get("loc", ""))
    if target is None:
        return None
    modified = _dated(own.get("lastmod", ""), DateOrigin.SITEMAP, zone, now)
    news = next((one.text or "" for one in element.iterdescendants() if _is_news_date(one)), "").strip()
    declared = _dated(news, DateOrigin.SITEMAP, zone, now) if news else modified
    return Entry(target, declared, modified.at, is_sitemap)


def _is_news_date(element: Element) -> bool:
    parent = element.getparent()
    is_date = _local_name(element) == "publication_date"
    return is_date and parent is not None and _local_name(parent) == "news"


def _local_name(element: Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _of_lines(first: bytes, rest: Iterator[bytes], url: str) -> Iterator[Entry]:
    pending = b""
    for chunk in _with(first, rest):
        *lines, pending = (pending + chunk).split(b"\n")
        pending = pending[-CHUNK:]
        yield from _of_some_lines(lines, url)
    yield from _of_some_lines([pending], url)


def _of_some_lines(lines: list[bytes], url: str) -> Iterator[Entry]:
    for line in lines:
        written = line.decode("utf-8", "replace").strip()
        target = joined_url(url, written) if written.startswith(("http://", "https://")) else None
        if target:
            yield Entry(target)


def _dated(written: str, origin: DateOrigin, zone: tzinfo, now: datetime) -> Declared:
    return date_in(written, origin, zone=zone, now=now) or _UNDATED
