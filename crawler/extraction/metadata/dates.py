"""Publishing dates that a page declares. Pure: the time of the fetch and the site's time zone are given."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.date_formats import (
    Moment,
    english,
    in_address,
    numeric,
    relative,
    rfc2822,
    without_year,
)
from crawler.extraction.metadata.european_dates import day_first, short_year, slashed, slashed_readings, with_century
from crawler.extraction.metadata.marked_dates import (
    bare_datelines,
    called_dates,
    datelines,
    marked_dates,
    said_dates,
    script_dates,
    time_elements,
)
from crawler.extraction.metadata.visible_dates import only_one, visible_lines
from storage.records.pages import Declared
from storage.time_zones import zone_named
from storage.types import DateOrigin, Precision

OLDEST_YEAR: Final = 1990
"""There was no web before; a template's 1970-01-01 is not a date."""

CLOCK_TOLERANCE: Final = timedelta(days=1)
"""Tolerated beyond the time of the fetch, for wrong clocks and time zones; later dates are wrong."""

JSON_LD_LIMIT: Final = 200_000
VISIBLE_BLOCKS_SEARCHED: Final = 400
VISIBLE_LINE_LENGTH: Final = 120
"""A publishing date is in a short line; dates in long paragraphs belong to the story."""

MARKED_SEARCHED: Final = 5
DATED_LINE: Final = 60
"""Characters of a line below the headline that holds a date beside a name or a place."""
MOST_OFFSET: Final = timedelta(hours=14)
"""Of a place's clock from UTC."""

_CLOCK: Final = re.compile(r"(?<![\d:.])([0-2]?\d)[:h]([0-5]\d)(?!\d)")
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


def time_zone_of(name: str) -> tzinfo:
    """The zone of that name; UTC if the system does not know it."""
    return zone_named(name)


def parse_date(text: str, *, zone: tzinfo, now: datetime) -> Moment | None:
    """The first date in `text`, in UTC: see `crawler.extraction.metadata.date_formats`. None if it cannot be a date
    of publishing.
    """
    found = _first_date(text, zone, now)
    return (found[0].astimezone(UTC), found[1]) if found else None


def _first_date(text: str, zone: tzinfo, now: datetime) -> Moment | None:
    """The first possible date, in the time zone that the text states, else in `zone`."""
    found = numeric(text, zone) or relative(text, zone, now) or english(text, zone)
    found = found or day_first(text, zone) or rfc2822(text)
    return _possible(found, now)


def date_in(text: str, origin: DateOrigin, *, zone: tzinfo, now: datetime) -> Declared | None:
    """The first date in `text`, as one that `origin` declares."""
    found = _first_date(text, zone, now) if text else None
    return _declared(found, origin) if found else None


def _declared(found: Moment, origin: DateOrigin) -> Declared:
    return Declared(found[0].astimezone(UTC), found[1], origin)


@dataclass(frozen=True, slots=True)
class PageDate:
    """The date that a page declares. `day`: the day as the page writes it, in its own time zone."""

    declared: Declared = field(default_factory=Declared)
    day: date | None = None


def _dated(found: Moment, origin: DateOrigin) -> PageDate:
    return PageDate(_declared(found, origin), found[0].date())


def _possible(found: Moment | None, now: datetime) -> Moment | None:
    if found is None or found[0].year < OLDEST_YEAR or found[0] > now + CLOCK_TOLERANCE:
        return None
    return found


def stated_date(text: str, *, zone: tzinfo, now: datetime) -> Declared | None:
    """The date in what a site's own rule found on a page."""
    found = _first_date(text, zone, now) or _possible(without_year(text, zone, now), now)
    return _declared(found, DateOrigin.VISIBLE) if found else None


def declared_date(root: Element, lines: Iterator[str], *, url: str, zone: tzinfo, now: datetime) -> Declared:
    """As `page_date`, without the day as it is written."""
    return page_date(root, lines, url=url, zone=zone, now=now).declared


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
        moment = _first_date(text, zone, now) if text else None
        if moment is not None and moment[1] is Precision.MONTH:
            rough = rough or _dated(moment, origin)
        elif moment is not None:
            stated = _dated(moment, origin)
            is_elsewhere = moment[0].utcoffset() == timedelta() and origin is not DateOrigin.VISIBLE
            if not is_elsewhere:
                return stated
            return _on_its_clock(stated, short, zone) or _with_local_day(stated, head, url, zone=zone, now=now)
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
    yearless = next(filter(None, (_possible(without_year(line, zone, now), now) for line in short)), None)
    expected = [
        *islice(marked_dates(root, above), MARKED_SEARCHED),
        *head,
        *islice(called_dates(root, above), MARKED_SEARCHED),
    ]
    in_url = _possible(in_address(url, zone), now)
    in_scripts = (_first_date(text, zone, now) for text in script_dates(root))
    return (
        (_dated(yearless, DateOrigin.VISIBLE) if yearless else None)
        or _doubted(root, expected, zone=zone, now=now)
        or rough
        or (_dated(in_url, DateOrigin.URL) if in_url else None)
        or next((_dated(found, DateOrigin.META) for found in in_scripts if found), PageDate())
    )


def _doubted(root: Element, texts: Iterable[str], *, zone: tzinfo, now: datetime) -> PageDate | None:
    """A date in figures that may be read in two ways, or in a line that says more, where a date is expected."""
    is_english = (root.get("lang") or "").lower().partition("-")[0] in ("", "en")
    for text in texts:
        found = (
            slashed(text, zone, is_month_first=is_english)
            or short_year(text, zone)
            or (_first_date(text, zone, now) if _names_a_day(text) else None)
        )
        possible = _possible(found, now)
        if possible is not None:
            return _dated(possible, DateOrigin.VISIBLE)
    return None


def _names_a_day(text: str) -> bool:
    """Whether a text may hold a whole date: a year, and other figures beside it."""
    return len(_NUMBER.findall(text)) > 1 and _YEAR.search(text) is not None


def _with_local_day(stated: PageDate, shown: Iterable[str], url: str, *, zone: tzinfo, now: datetime) -> PageDate:
    """A date in UTC, which hides the day of its place, with the day that the page shows or its address has, if that is
    the day before or after; else with that of the site if it was midnight there.
    """
    at = stated.declared.at
    if at is None:
        return stated
    lines = list(shown)
    in_figures = (day for line in lines for day in slashed_readings(line, zone))
    beside = (day for day in in_figures if abs((day[0].date() - at.date()).days) <= 1)
    for moment in (*(_shown_day(line, zone) for line in lines), *beside, in_address(url, zone)):
        possible = _possible(moment, now)
        if possible is not None and possible[1] is not Precision.MONTH:
            is_beside = abs((possible[0].date() - at.date()).days) == 1
            return replace(stated, day=possible[0].date()) if is_beside else stated
    local = at.astimezone(zone)
    return replace(stated, day=local.date()) if not (local.hour or local.minute) else stated


def _on_its_clock(stated: PageDate, lines: Iterable[str], zone: tzinfo) -> PageDate | None:
    """A date in UTC with the day of a line that shows the same moment by another clock: its minutes are the same, and
    its hour is that of some zone.
    """
    at = stated.declared.at
    if at is None or not (at.hour or at.minute):
        return None
    for line in lines:
        for hour, minute in _CLOCK.findall(line):
            if int(minute) != at.minute:
                continue
            for moment in filter(None, (_shown_day(line, zone), *slashed_readings(line, zone))):
                day = moment[0].date()
                shown = datetime(day.year, day.month, day.day, int(hour) % 24, int(minute), tzinfo=UTC)
                if timedelta() < abs(shown - at) <= MOST_OFFSET:
                    return replace(stated, day=day)
    return None


def _shown_day(line: str, zone: tzinfo) -> Moment | None:
    return numeric(line, zone) or english(line, zone) or day_first(line, zone)


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


def json_ld(root: Element) -> Sequence[dict[str, object]]:
    """Every object in the page's JSON-LD blocks, nested ones included; broken blocks are passed over. Callers only read
    them: those of the last page are kept, since several readers of metadata ask for them.
    """
    return _json_ld_of(root)


@lru_cache(maxsize=1)
def _json_ld_of(root: Element) -> tuple[dict[str, object], ...]:
    return tuple(_parsed_json_ld(root))


def _parsed_json_ld(root: Element) -> Iterator[dict[str, object]]:
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
