"""Publishing dates that a page declares. Pure: the time of the fetch and the site's time zone are given."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.date_formats import in_address, without_year
from crawler.extraction.metadata.european_dates import short_year, slashed, with_century
from crawler.extraction.metadata.json_ld import json_ld, types_of
from crawler.extraction.metadata.marked_dates import (
    bare_datelines,
    called_dates,
    datelines,
    marked_dates,
    said_dates,
    script_dates,
    time_elements,
)
from crawler.extraction.metadata.one_date import first_date, if_possible
from crawler.extraction.metadata.visible_dates import only_one, visible_lines
from crawler.extraction.metadata.written_days import PageDate, dated, on_its_clock, with_local_day
from storage.types import DateOrigin, Precision

VISIBLE_BLOCKS_SEARCHED: Final = 400
VISIBLE_LINE_LENGTH: Final = 120
"""A publishing date is in a short line; dates in long paragraphs belong to the story."""

MARKED_SEARCHED: Final = 5
DATED_LINE: Final = 60
"""Characters of a line below the headline that holds a date beside a name or a place."""

_ARTICLES: Final = ("article", "posting", "recipe", "report", "review", "webpage")
_NUMBER: Final = re.compile(r"\d+")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
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


def page_date(
    root: Element,
    lines: Iterator[str],
    *,
    url: str,
    zone: tzinfo,
    now: datetime,
    below: Sequence[str] = (),
    inside: Element | None = None,
    first: Sequence[str] = (),
    everywhere: Iterable[str] = (),
) -> PageDate:
    """The most reliable date of a page: from JSON-LD, meta, an element for it or a visible line, then from its address.

    `lines`: those of the article and around it; `below`: those below its headline, in order; `inside`: the element of
    its first lines; `first`: these; `everywhere`: all lines of the page.
    """
    short = [line for line in islice(lines, VISIBLE_BLOCKS_SEARCHED) if len(line) <= VISIBLE_LINE_LENGTH]
    head = [line for line in below if len(line) <= VISIBLE_LINE_LENGTH]
    above = frozenset(() if inside is None else inside.iterancestors())
    articles, others = _json_ld_dates(root)
    sources = (
        (DateOrigin.JSON_LD, articles),
        (DateOrigin.META, _meta_dates(root)),
        (DateOrigin.JSON_LD, others),
        (DateOrigin.VISIBLE, islice(marked_dates(root, above), MARKED_SEARCHED)),
        (DateOrigin.VISIBLE, time_elements(root, above)),
        (DateOrigin.VISIBLE, visible_lines(head)),
        (DateOrigin.VISIBLE, (line for line in head if len(line) <= DATED_LINE and _names_a_day(line))),
        (DateOrigin.VISIBLE, islice(called_dates(root, above), MARKED_SEARCHED)),
        (DateOrigin.VISIBLE, map(with_century, islice(called_dates(root, above), MARKED_SEARCHED))),
        (DateOrigin.VISIBLE, datelines(first)),
        (DateOrigin.VISIBLE, bare_datelines(short)),
        (DateOrigin.VISIBLE, visible_lines(short)),
        (DateOrigin.VISIBLE, only_one(said_dates(everywhere))),
    )
    rough = None
    for origin, text in ((origin, text) for origin, texts in sources for text in texts):
        moment = first_date(text, zone, now) if text else None
        if moment is not None and moment[1] is Precision.MONTH:
            rough = rough or dated(moment, origin)
        elif moment is not None:
            stated = dated(moment, origin)
            is_elsewhere = moment[0].utcoffset() == timedelta() and origin is not DateOrigin.VISIBLE
            if not is_elsewhere:
                return stated
            return on_its_clock(stated, short, zone) or with_local_day(stated, head, url, zone=zone, now=now)
    return _less_sure(root, short, head, above, url=url, zone=zone, now=now, rough=rough)


def _less_sure(
    root: Element,
    short: Sequence[str],
    head: Sequence[str],
    above: frozenset[Element],
    *,
    url: str,
    zone: tzinfo,
    now: datetime,
    rough: PageDate | None,
) -> PageDate:
    """The date of a page that states no whole day in a common form; `rough`: a month that it states."""
    yearless = next(filter(None, (if_possible(without_year(line, zone, now), now) for line in short)), None)
    expected = [
        *islice(marked_dates(root, above), MARKED_SEARCHED),
        *head,
        *islice(called_dates(root, above), MARKED_SEARCHED),
    ]
    in_url = if_possible(in_address(url, zone), now)
    in_scripts = (first_date(text, zone, now) for text in script_dates(root))
    return (
        (dated(yearless, DateOrigin.VISIBLE) if yearless else None)
        or _doubted(root, expected, zone=zone, now=now)
        or rough
        or (dated(in_url, DateOrigin.URL) if in_url else None)
        or next((dated(found, DateOrigin.META) for found in in_scripts if found), PageDate())
    )


def _doubted(root: Element, texts: Iterable[str], *, zone: tzinfo, now: datetime) -> PageDate | None:
    """A date in figures that may be read in two ways, or in a line that says more, where a date is expected."""
    is_english = (root.get("lang") or "").lower().partition("-")[0] in ("", "en")
    for text in texts:
        found = (
            slashed(text, zone, is_month_first=is_english)
            or short_year(text, zone)
            or (first_date(text, zone, now) if _names_a_day(text) else None)
        )
        possible = if_possible(found, now)
        if possible is not None:
            return dated(possible, DateOrigin.VISIBLE)
    return None


def _names_a_day(text: str) -> bool:
    """Whether a text may hold a whole date: a year, and other figures beside it."""
    return len(_NUMBER.findall(text)) > 1 and _YEAR.search(text) is not None


def _json_ld_dates(root: Element) -> tuple[list[str], list[str]]:
    """Dates of articles, or of what has no type, and of other things on the page."""
    articles: list[str] = []
    others: list[str] = []
    for value in json_ld(root):
        types = list(types_of(value.get("@type")))
        found = articles if not types or any(name.endswith(_ARTICLES) for name in types) else others
        stated = (value.get(name) for name in ("datePublished", "uploadDate", "dateCreated"))
        found.extend(date for date in stated if isinstance(date, str))
    return articles, others


def _meta_dates(root: Element) -> Iterator[str]:
    stated: dict[str, str] = {}
    for meta in islice(root.iter("meta"), 500):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        stated.setdefault(name, meta.get("content") or "")
    yield from (stated[name] for name in _META_NAMES if stated.get(name))
