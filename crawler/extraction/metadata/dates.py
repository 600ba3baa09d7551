"""Publishing dates that a page declares. Pure: the time of the fetch and the site's time zone are given."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.date_formats import (
    Moment,
    day_first,
    english,
    in_address,
    numeric,
    relative,
    rfc2822,
    without_year,
)
from storage.records.pages import Declared
from storage.time_zones import zone_named
from storage.types import DateOrigin

OLDEST_YEAR: Final = 1990
"""There was no web before; a template's 1970-01-01 is not a date."""

CLOCK_TOLERANCE: Final = timedelta(days=1)
"""Tolerated beyond the time of the fetch, for wrong clocks and time zones; later dates are wrong."""

JSON_LD_LIMIT: Final = 200_000
VISIBLE_BLOCKS_SEARCHED: Final = 400
VISIBLE_LINE_LENGTH: Final = 120
"""A publishing date is in a short line; dates in long paragraphs belong to the story."""

LONGEST_BARE_DATE: Final = 30
"""“November 2, 2026”, “昨天 21:05”: a line with not much else."""

_BARE: Final = re.compile(
    r"""(?:19|20)\d\d | ^\W*[今昨前][天日]\s{0,3}\d
      | \d\s?(?:秒|分钟|分鐘|小时|小時|天|周|週|个月) | \d\s(?:minute|hour|day|week|month)s?\sago""",
    re.VERBOSE,
)

_META_NAMES: Final = (
    "article:published_time",
    "og:published_time",
    "bytedance:published_time",
    "datepublished",
    "pubdate",
    "publishdate",
    "publish_date",
    "publish-date",
    "pub_date",
    "weibo: article:create_at",
    "weibo:article:create_at",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "parsely-pub-date",
    "sailthru.date",
    "apub:time",
    "og:time",
    "date",
    "og:release_date",
    "article:modified_time",
)

_PUBLISHED_WORDS: Final = re.compile(
    r"发布|發布|发表|發表|刊登|日期|时间|時間|来源|來源|作者|更新于|编辑|posted|published", re.I
)


def time_zone_of(name: str) -> tzinfo:
    """The zone of that name; UTC if the system does not know it."""
    return zone_named(name)


def parse_date(text: str, *, zone: tzinfo, now: datetime) -> Moment | None:
    """The first date in `text`, in UTC: see `crawler.extraction.metadata.date_formats`. None if it cannot be a date
    of publishing.
    """
    found = numeric(text, zone) or relative(text, zone, now) or english(text, zone)
    found = found or day_first(text, zone) or rfc2822(text)
    return _possible(found, now)


def date_in(text: str, origin: DateOrigin, *, zone: tzinfo, now: datetime) -> Declared | None:
    """The first date in `text`, as one that `origin` declares."""
    return _declared(parse_date(text, zone=zone, now=now) if text else None, origin)


def _declared(found: Moment | None, origin: DateOrigin) -> Declared | None:
    return None if found is None else Declared(found[0], found[1], origin)


def _possible(found: Moment | None, now: datetime) -> Moment | None:
    if found is None or found[0].year < OLDEST_YEAR or found[0] > now + CLOCK_TOLERANCE:
        return None
    return found[0].astimezone(UTC), found[1]


def stated_date(text: str, *, zone: tzinfo, now: datetime) -> Declared | None:
    """The date in what a site's own rule found on a page."""
    found = parse_date(text, zone=zone, now=now) or _possible(without_year(text, zone, now), now)
    return _declared(found, DateOrigin.VISIBLE)


def declared_date(root: Element, lines: Iterator[str], *, url: str, zone: tzinfo, now: datetime) -> Declared:
    """The most reliable date of a page: from JSON-LD, meta, a <time> or a visible line, then from its address."""
    short = [line for line in islice(lines, VISIBLE_BLOCKS_SEARCHED) if len(line) <= VISIBLE_LINE_LENGTH]
    sources = (
        (DateOrigin.JSON_LD, _json_ld_dates(root)),
        (DateOrigin.META, _meta_dates(root)),
        (DateOrigin.VISIBLE, _time_elements(root)),
        (DateOrigin.VISIBLE, _visible_lines(short)),
    )
    found = (date_in(text, origin, zone=zone, now=now) for origin, texts in sources for text in texts)
    undoubted = next(filter(None, found), None)
    if undoubted is not None:
        return undoubted
    yearless = next(filter(None, (_possible(without_year(line, zone, now), now) for line in short)), None)
    in_url = _declared(_possible(in_address(url, zone), now), DateOrigin.URL)
    return _declared(yearless, DateOrigin.VISIBLE) or in_url or Declared()


def _json_ld_dates(root: Element) -> Iterator[str]:
    for value in json_ld(root):
        for name in ("datePublished", "uploadDate", "dateCreated"):
            date = value.get(name)
            if isinstance(date, str):
                yield date


def json_ld(root: Element) -> Iterator[dict[str, object]]:
    """Every object in the page's JSON-LD blocks, nested ones included; broken blocks are passed over."""
    for script in islice(root.iter("script"), 200):
        if "ld+json" not in (script.get("type") or "") or not script.text or len(script.text) > JSON_LD_LIMIT:
            continue
        try:
            yield from _objects(json.loads(script.text, strict=False))
        except (ValueError, RecursionError):
            continue


def types_of(stated: object) -> Iterable[str]:
    """The names in `@type` of JSON-LD, which is one or a list of them, in small letters."""
    values = stated if isinstance(stated, list) else [stated]
    return (value.lower() for value in values[:20] if isinstance(value, str))


def _objects(value: object) -> Iterator[dict[str, object]]:
    waiting = [value]
    for _ in range(1_000):
        if not waiting:
            return
        current = waiting.pop(0)
        if isinstance(current, dict):
            yield current
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)


def _meta_dates(root: Element) -> Iterator[str]:
    stated: dict[str, str] = {}
    for meta in islice(root.iter("meta"), 500):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        stated.setdefault(name, meta.get("content") or "")
    yield from (stated[name] for name in _META_NAMES if stated.get(name))


def _time_elements(root: Element) -> Iterator[str]:
    for time in islice(root.iter("time"), 20):
        if not _is_beside_the_article(time):
            yield time.get("datetime") or "".join(map(str, time.itertext()))[:VISIBLE_LINE_LENGTH]


def _is_beside_the_article(element: Element) -> bool:
    return any(str(above.tag) in ("aside", "footer", "nav") for above in element.iterancestors())


def _visible_lines(short: Sequence[str]) -> Iterator[str]:
    """Short lines that hold a date; lines that name the kind of date come first."""
    yield from (line for line in short if _PUBLISHED_WORDS.search(line))
    yield from (line for line in short if sum(map(str.isdigit, line)) * 2 >= sum(map(str.isalnum, line)))
    yield from (line for line in short if len(line) <= LONGEST_BARE_DATE and _BARE.search(line))
