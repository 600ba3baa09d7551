"""Feeds and sitemaps: bytes in, addresses with their dates out. Pure."""

import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

import feedparser
from lxml import etree

from crawler.blocks import Element
from crawler.dates import parse_date
from crawler.refusals import Refusal
from crawler.urls import joined_url
from storage.records import Declared
from storage.types import DateOrigin

MAX_SITEMAP_BYTES: Final = 52_428_800
"""What sitemaps.org allows, uncompressed."""

MAX_SITEMAP_ENTRIES: Final = 50_000
"""The same protocol's bound on one file."""

MAX_FEED_ENTRIES: Final = 5_000

_GZIP_MAGIC: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS
_DATE_NAMES: Final = ("publication_date", "lastmod")


_UNDATED: Final = Declared()


@dataclass(frozen=True, slots=True)
class Entry:
    """A page that a feed or sitemap names."""

    url: str
    declared: Declared = _UNDATED
    modified_at: datetime | None = None
    """When it says that the page last changed."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """`sitemaps` are the further ones that an index names."""

    pages: tuple[Entry, ...] = ()
    sitemaps: tuple[str, ...] = ()


def read_sitemap(body: bytes, *, url: str, zone: tzinfo, now: datetime) -> Sitemap | Refusal:
    """A sitemap or an index of them, plain or gzipped, as XML or as lines of addresses."""
    plain = _unpacked(body)
    if isinstance(plain, Refusal):
        return plain
    if not plain.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _lines(plain, url)
    found: list[Entry] = []
    further: list[str] = []
    try:
        for kind, values in _elements(plain):
            target = joined_url(url, values.get("loc", ""))
            if target and kind == "sitemap":
                further.append(target)
            elif target:
                found.append(Entry(target, _declared(values, zone, now)))
            if len(found) + len(further) >= MAX_SITEMAP_ENTRIES:
                break
    except etree.XMLSyntaxError:
        if not found and not further:
            return Refusal.BROKEN_MARKUP
    return Sitemap(tuple(found), tuple(dict.fromkeys(further)))


def read_feed(body: bytes, *, url: str, zone: tzinfo, now: datetime) -> tuple[Entry, ...] | Refusal:
    """The entries of an RSS or Atom feed, in its order."""
    # As a stream: of a string, the library would try whether it is an address or a file name.
    parsed = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    if not parsed.get("version"):
        return Refusal.BROKEN_MARKUP
    entries: dict[str, Entry] = {}
    for entry in parsed.entries[:MAX_FEED_ENTRIES]:
        target = joined_url(url, str(entry.get("link") or ""))
        if target and target not in entries:
            written = str(entry.get("published") or entry.get("updated") or "")
            entries[target] = Entry(target, _dated(written, DateOrigin.FEED, zone, now))
    return tuple(entries.values())


def _unpacked(body: bytes) -> bytes | Refusal:
    if not body.startswith(_GZIP_MAGIC):
        return body if len(body) <= MAX_SITEMAP_BYTES else Refusal.TOO_LARGE
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        plain = unpacker.decompress(body, MAX_SITEMAP_BYTES + 1)
    except zlib.error:
        return Refusal.BROKEN_RESPONSE
    return plain if len(plain) <= MAX_SITEMAP_BYTES else Refusal.TOO_LARGE


def _elements(body: bytes) -> Iterator[tuple[str, dict[str, str]]]:
    """Each <url> or <sitemap> with its children's texts, freed as it goes."""
    parsed = etree.iterparse(
        io.BytesIO(body), recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    for _, element in parsed:
        name = _local_name(element)
        if name not in ("url", "sitemap"):
            continue
        values: dict[str, str] = {}
        for child in element.iterdescendants():
            values.setdefault(_local_name(child), (child.text or "").strip())
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
        yield name, values


def _local_name(element: Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _lines(body: bytes, url: str) -> Sitemap | Refusal:
    lines = body.decode("utf-8", "replace").split()[:MAX_SITEMAP_ENTRIES]
    targets = (joined_url(url, line) for line in lines if line.startswith(("http://", "https://")))
    found = tuple(Entry(target) for target in targets if target)
    return Sitemap(found) if found else Refusal.BROKEN_MARKUP


def _declared(values: dict[str, str], zone: tzinfo, now: datetime) -> Declared:
    written = next((values[name] for name in _DATE_NAMES if values.get(name)), "")
    return _dated(written, DateOrigin.SITEMAP, zone, now)


def _dated(written: str, origin: DateOrigin, zone: tzinfo, now: datetime) -> Declared:
    parsed = parse_date(written, zone=zone, now=now) if written else None
    return Declared(parsed[0], parsed[1], origin) if parsed else Declared()
