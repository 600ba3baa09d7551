"""When a page says it was published. Pure: the time of the fetch and the site's time zone are given."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from crawler.blocks import Element
from storage.records import Declared
from storage.types import DateOrigin, Precision

OLDEST_YEAR: Final = 1990
"""There was no web before; a template's 1970-01-01 is not a date."""

CLOCK_TOLERANCE: Final = timedelta(days=1)
"""A date later than the fetch is wrong, but for clocks and time zones told badly."""

JSON_LD_LIMIT: Final = 200_000
VISIBLE_BLOCKS_SEARCHED: Final = 400
VISIBLE_LINE_LENGTH: Final = 120
"""A publishing date stands in a short line; the dates in long paragraphs are the story's."""

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
    "date",
    "og:release_date",
    "article:modified_time",
)

_NUMERIC: Final = re.compile(
    r"""(?<!\d)
    (?P<year>(?:19|20)\d\d) \s?[-/.年]\s? (?P<month>1[0-2]|0?[1-9])             # 2026-11, 2026年11
    (?: \s?[-/.月]\s? (?P<day>3[01]|[12]\d|0?[1-9]) (?!\d) (?:\s?[日号號])?     # -02, 月2日
        (?: [T\s,，]{0,3} (?:(?P<half>上午|下午|晚上?|凌晨|早上)\s?)?
            (?P<hour>2[0-3]|[01]?\d) [:：时點点] (?P<minute>[0-5]\d)            # 08:30
            (?: [:：分] (?P<second>[0-5]\d) (?:\.\d{1,9})? )?
            (?P<zone> \s?(?:Z|UTC|GMT)(?![A-Za-z]) | \s?[+-]\d\d:?\d\d )?
        )?
    | 月 )?
    """,
    re.VERBOSE,
)
_COMPACT: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_IN_URL: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?!\d)")
_AGO: Final = re.compile(r"(\d{1,3})\s?(秒|分钟|分鐘|小时|小時|天|周|週)(?:之)?前")
_NAMED_DAY: Final = re.compile(r"(今天|昨天|前天)\s{0,3}(?:([01]?\d|2[0-3])[:：]([0-5]\d))?")
_NOON: Final = 12
_AFTERNOON: Final = frozenset({"下午", "晚", "晚上"})
_AGO_UNITS: Final = {
    "秒": (timedelta(seconds=1), Precision.SECOND),
    "分钟": (timedelta(minutes=1), Precision.MINUTE),
    "分鐘": (timedelta(minutes=1), Precision.MINUTE),
    "小时": (timedelta(hours=1), Precision.DAY),
    "小時": (timedelta(hours=1), Precision.DAY),
    "天": (timedelta(days=1), Precision.DAY),
    "周": (timedelta(days=7), Precision.MONTH),
    "週": (timedelta(days=7), Precision.MONTH),
}
_NAMED_DAYS: Final = {"今天": 0, "昨天": 1, "前天": 2}
_PUBLISHED_WORDS: Final = re.compile(
    r"发布|發布|发表|發表|刊登|日期|时间|時間|来源|來源|作者|更新于|编辑|posted|published", re.I
)


def time_zone_of(name: str) -> tzinfo:
    """The zone of that name; UTC where the system does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def parse_date(text: str, *, zone: tzinfo, now: datetime) -> tuple[datetime, Precision] | None:
    """The first date in `text`, in UTC: ISO 8601, RFC 2822, Chinese forms, and forms relative to `now`."""
    found = _numeric(text, zone) or _relative(text, zone, now) or _rfc2822(text)
    if found is None or found[0].year < OLDEST_YEAR or found[0] > now + CLOCK_TOLERANCE:
        return None
    return found[0].astimezone(UTC), found[1]


def declared_date(root: Element, lines: Iterator[str], *, url: str, zone: tzinfo, now: datetime) -> Declared:
    """The surest date a page states: JSON-LD, meta, a <time> or a visible line, then its address."""
    sources = (
        (DateOrigin.JSON_LD, _json_ld_dates(root)),
        (DateOrigin.META, _meta_dates(root)),
        (DateOrigin.VISIBLE, _time_elements(root)),
        (DateOrigin.VISIBLE, _visible_lines(lines)),
    )
    for origin, texts in sources:
        for text in texts:
            parsed = parse_date(text, zone=zone, now=now)
            if parsed:
                return Declared(parsed[0], parsed[1], origin)
    return _from_url(url, zone=zone, now=now)


def _numeric(text: str, zone: tzinfo) -> tuple[datetime, Precision] | None:
    for found in _NUMERIC.finditer(text[:2_000]):
        moment = _moment(found, zone)
        if moment:
            return moment
    compact = _COMPACT.search(text[:2_000])
    if compact:
        year, month, day = map(int, compact.groups())
        try:
            return datetime(year, month, day, tzinfo=zone), Precision.DAY
        except ValueError:
            return None
    return None


def _moment(found: re.Match[str], zone: tzinfo) -> tuple[datetime, Precision] | None:
    year, month = int(found["year"]), int(found["month"])
    if not found["day"]:
        is_month = found[0].endswith("月") or "-" in found[0]
        return (datetime(year, month, 1, tzinfo=zone), Precision.MONTH) if is_month else None
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if found["half"] in _AFTERNOON and hour < _NOON:
        hour += 12
    try:
        moment = datetime(year, month, int(found["day"]), hour, minute, second, tzinfo=_zone(found["zone"], zone))
    except ValueError:
        return None
    if not found["hour"]:
        return moment, Precision.DAY
    return moment, Precision.SECOND if found["second"] else Precision.MINUTE


def _zone(written: str | None, default: tzinfo) -> tzinfo:
    if not written:
        return default
    stripped = written.strip()
    if stripped in ("Z", "UTC", "GMT"):
        return UTC
    digits = stripped[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if offset >= timedelta(hours=24):
        return default
    return datetime.strptime(stripped.replace(":", ""), "%z").tzinfo or default


def _relative(text: str, zone: tzinfo, now: datetime) -> tuple[datetime, Precision] | None:
    ago = _AGO.search(text[:500])
    if ago:
        unit, precision = _AGO_UNITS[ago[2]]
        return now - int(ago[1]) * unit, precision
    named = _NAMED_DAY.search(text[:500])
    if named:
        day = (now.astimezone(zone) - timedelta(days=_NAMED_DAYS[named[1]])).replace(second=0, microsecond=0)
        if named[2]:
            return day.replace(hour=int(named[2]), minute=int(named[3])), Precision.MINUTE
        return day.replace(hour=0, minute=0), Precision.DAY
    return None


def _rfc2822(text: str) -> tuple[datetime, Precision] | None:
    try:
        moment = parsedate_to_datetime(text.strip()[:60])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)), Precision.SECOND


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


def _visible_lines(lines: Iterator[str]) -> Iterator[str]:
    """Short lines that hold a date, those that say what it is a date of first."""
    short = [line for line in islice(lines, VISIBLE_BLOCKS_SEARCHED) if len(line) <= VISIBLE_LINE_LENGTH]
    yield from (line for line in short if _PUBLISHED_WORDS.search(line))
    yield from (line for line in short if len(_NUMERIC.sub("", line)) <= len(line) // 2)


def _from_url(url: str, *, zone: tzinfo, now: datetime) -> Declared:
    found = _IN_URL.search(url)
    if not found:
        return Declared()
    try:
        moment = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=zone)
    except ValueError:
        return Declared()
    if moment.year < OLDEST_YEAR or moment > now + CLOCK_TOLERANCE:
        return Declared()
    return Declared(moment.astimezone(UTC), Precision.DAY, DateOrigin.URL)
