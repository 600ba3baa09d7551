"""The forms in which dates are written: figures, Chinese numerals, English months, and how long ago. Pure.

Each function answers with a moment in the zone given and its precision, or None. None of them judges whether the moment
can be a date of publishing.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from typing import Final, TypeAlias

from storage.types import Precision

Moment: TypeAlias = tuple[datetime, Precision]

REACH: Final = 2_000
"""Characters searched for a date."""
RELATIVE_REACH: Final = 500

_TIME: Final = r"""
    (?:(?P<half>上午|中午|下午|傍晚|晚上?|凌晨|早上|早)\s?)?
    (?P<hour>2[0-3]|[01]?\d) [:：时時點点] (?P<minute>[0-5]\d)               # 08:30, 8时30
    (?: [:：分] (?P<second>[0-5]\d) (?:\.\d{1,9})? )?
    (?: \s?(?P<meridian>[ap]\.?m\b\.?) )?
    (?P<zone> \s?(?:Z|UTC|GMT)(?![A-Za-z]) | \s?[+-]\d\d:?\d\d )?
"""
_NUMERIC: Final = re.compile(
    rf"""(?<!\d)
    (?: (?P<year>(?:19|20)\d\d) | (?:民國|民国)\s?(?P<minguo>\d{{2,3}})\s?(?=年) )
    \s?[-/.年]\s? (?P<month>1[0-2]|0?[1-9]) (?!\d|\s?[:：]\d)                # 2026-11; in 2026 - 14:45 there is none
    (?: \s?[-/.月]\s? (?P<day>3[01]|[12]\d|0?[1-9]) (?!\d) (?:\s?[日号號])?    # -02, 月2日
        (?: [T\s,，]{{0,3}} (?: [(（]?(?:星期|周|週|礼拜)[一二三四五六日天][)）]?\s? )? {_TIME} )?
    | 月 )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_COMPACT: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY_FIRST_IN_ADDRESS: Final = re.compile(r"(?<!\d)(0[1-9]|[12]\d|3[01])([-_.]?)(0[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)")
_IN_ADDRESS: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?!\d)")
_FOLDERS_IN_ADDRESS: Final = re.compile(r"/((?:19|20)\d\d)/(1[0-2]|0?[1-9])/(3[01]|[12]\d|0?[1-9])/")
_NUMERALS: Final = re.compile(
    r"([一二][〇○零九一二三四五六七八]{3})年([元一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日"
)
_FIGURES: Final[Mapping[str, int]] = {**{figure: number for number, figure in enumerate("〇一二三四五六七八九")}} | {
    "零": 0,
    "○": 0,
    "元": 1,
}
_YEARLESS: Final = re.compile(
    rf"(?<![\d.-]) (?P<month>1[0-2]|0?[1-9]) [-/月] (?P<day>3[01]|[12]\d|0?[1-9]) [日号號]? \s{{1,3}} {_TIME}",
    re.VERBOSE,
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_ENGLISH_TIME: Final = rf"(?: ,? \s? (?:at\s|-\s|\|\s)? {_TIME} )?"
_MONTH_FIRST: Final = re.compile(
    rf"\b{_MONTH}\s(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?,?\s(?P<year>(?:19|20)\d\d){_ENGLISH_TIME}",
    re.VERBOSE | re.IGNORECASE,
)
_DAY_FIRST: Final = re.compile(
    rf"\b(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?[\s-]{_MONTH}[\s,-]{{1,2}}(?P<year>(?:19|20)\d\d){_ENGLISH_TIME}",
    re.VERBOSE | re.IGNORECASE,
)
_AGO: Final = re.compile(r"(\d{1,3}|半|[一两几])\s?个?(秒钟?|分钟|分鐘|小时|小時|天|周|週|星期|月)(?:之|以)?前")
_ENGLISH_AGO: Final = re.compile(r"\b(\d{1,3}|an?)\s(second|minute|min|hour|day|week|month)s?\sago\b", re.IGNORECASE)
_NOW: Final = re.compile(r"刚刚|剛剛|\bjust now\b", re.IGNORECASE)
_NAMED_DAY: Final = re.compile(
    r"""(今天|今日|昨天|昨日|前天|(?:^|(?<=:\s)|(?<=on\s))(?:today|yesterday)\b)   # not “USA Today”
        [\s,，]{0,3} (?:at\s)? (?:([01]?\d|2[0-3])[:：]([0-5]\d))?""",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED_DAYS: Final = {"今天": 0, "今日": 0, "today": 0, "昨天": 1, "昨日": 1, "yesterday": 1, "前天": 2}
_NOON: Final = 12
_AFTERNOON: Final = frozenset({"下午", "傍晚", "晚", "晚上"})
_MINGUO_BEGINS: Final = 1911
_UNITS: Final = {
    "秒": (timedelta(seconds=1), Precision.SECOND),
    "second": (timedelta(seconds=1), Precision.SECOND),
    "分": (timedelta(minutes=1), Precision.MINUTE),
    "min": (timedelta(minutes=1), Precision.MINUTE),
    "小": (timedelta(hours=1), Precision.DAY),
    "hour": (timedelta(hours=1), Precision.DAY),
    "天": (timedelta(days=1), Precision.DAY),
    "day": (timedelta(days=1), Precision.DAY),
    "周": (timedelta(days=7), Precision.MONTH),
    "週": (timedelta(days=7), Precision.MONTH),
    "星": (timedelta(days=7), Precision.MONTH),
    "week": (timedelta(days=7), Precision.MONTH),
    "月": (timedelta(days=30), Precision.MONTH),
    "month": (timedelta(days=30), Precision.MONTH),
}
"""By the first characters of the unit. “Three hours ago” was rounded: no more than the day is sure."""


def numeric(text: str, zone: tzinfo) -> Moment | None:
    """2026-11-02T08:30:07+08:00, 2026年11月2日 下午3:05, 民國115年11月2日, 2026年11月, 20261102, 二〇二六年十一月."""
    for found in _NUMERIC.finditer(text[:REACH]):
        year = int(found["year"]) if found["year"] else int(found["minguo"]) + _MINGUO_BEGINS
        if found["day"]:
            moment = _moment(found, year, int(found["month"]), zone)
        else:
            is_month = found[0].endswith("月") or "-" in found[0]
            moment = day_at(year, int(found["month"]), 1, zone, Precision.MONTH) if is_month else None
        if moment:
            return moment
    return _compact(_COMPACT, text, zone) or _in_numerals(text, zone)


def in_address(url: str, zone: tzinfo) -> Moment | None:
    """/2026/11/02/, /2026/11/2/, /20261102/, /2026-11-02-, /02-11-2026-."""
    found = _DAY_FIRST_IN_ADDRESS.search(url[:REACH])
    day_first = day_at(int(found[4]), int(found[3]), int(found[1]), zone, Precision.DAY) if found else None
    return _compact(_IN_ADDRESS, url, zone) or day_first or _compact(_FOLDERS_IN_ADDRESS, url, zone)


def english(text: str, zone: tzinfo) -> Moment | None:
    """November 2, 2026 at 8:30 am; 2 Nov 2026; Mon, 02 Nov 2026 08:30:00 GMT."""
    for pattern in (_MONTH_FIRST, _DAY_FIRST):
        found = pattern.search(text[:REACH])
        if found:
            month = _MONTHS.index(found["name"][:3].lower()) + 1
            return _moment(found, int(found["year"]), month, zone)
    return None


def rfc2822(text: str) -> Moment | None:
    """What feeds and servers write; without a zone it is UTC."""
    try:
        moment = parsedate_to_datetime(text.strip()[:60])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)), Precision.SECOND


def relative(text: str, zone: tzinfo, now: datetime) -> Moment | None:
    """3小时前, 半小时前, 昨天 21:05, 刚刚, 5 days ago, yesterday."""
    stretch = text[:RELATIVE_REACH]
    ago = _AGO.search(stretch) or _ENGLISH_AGO.search(stretch)
    if ago:
        return _ago(ago[1].lower(), ago[2].lower(), now)
    named = _NAMED_DAY.search(stretch)
    if named:
        day = (now.astimezone(zone) - timedelta(days=_NAMED_DAYS[named[1].lower()])).replace(second=0, microsecond=0)
        if named[2]:
            return day.replace(hour=int(named[2]), minute=int(named[3])), Precision.MINUTE
        return day.replace(hour=0, minute=0), Precision.DAY
    return (now, Precision.MINUTE) if _NOW.search(stretch) else None


def without_year(text: str, zone: tzinfo, now: datetime) -> Moment | None:
    """11-02 08:30, 11月2日 08:30: on the last such day. Only with a time: a bare 11-02 may be anything."""
    found = _YEARLESS.search(text[:RELATIVE_REACH])
    if found is None:
        return None
    year = now.astimezone(zone).year
    this_year = _moment(found, year, int(found["month"]), zone)
    if this_year and this_year[0] <= now + timedelta(days=1):
        return this_year
    return _moment(found, year - 1, int(found["month"]), zone)


def _ago(count: str, unit: str, now: datetime) -> Moment | None:
    span, precision = next(known for name, known in _UNITS.items() if unit.startswith(name))
    if count == "半":
        return now - span / 2, precision
    if count == "几":
        return now - span, max(precision, Precision.DAY, key=list(Precision).index)
    number = {"一": 1, "两": 2, "a": 1, "an": 1}.get(count)
    return now - (int(count) if number is None else number) * span, precision


def _moment(found: re.Match[str], year: int, month: int, zone: tzinfo) -> Moment | None:
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    half, meridian = found["half"], (found["meridian"] or "")[:1].lower()
    if (half in _AFTERNOON or meridian == "p") and hour < _NOON:
        hour += _NOON
    elif meridian == "a" and hour == _NOON:
        hour = 0
    try:
        moment = datetime(year, month, int(found["day"]), hour, minute, second, tzinfo=_zone(found["zone"], zone))
    except ValueError:
        return None
    if not found["hour"]:
        return moment, Precision.DAY
    return moment, Precision.SECOND if found["second"] else Precision.MINUTE


def _compact(pattern: re.Pattern[str], text: str, zone: tzinfo) -> Moment | None:
    found = pattern.search(text[:REACH])
    return day_at(int(found[1]), int(found[2]), int(found[3]), zone, Precision.DAY) if found else None


def _in_numerals(text: str, zone: tzinfo) -> Moment | None:
    found = _NUMERALS.search(text[:REACH])
    if found is None:
        return None
    year = int("".join(str(_FIGURES[figure]) for figure in found[1]))
    return day_at(year, _number(found[2]), _number(found[3]), zone, Precision.DAY)


def _number(numeral: str) -> int:
    """一 to 三十一."""
    tens, ten, ones = numeral.rpartition("十")
    return (10 * (_FIGURES.get(tens, 1)) if ten else 0) + (_FIGURES.get(ones, 0) if ones else 0)


def day_at(year: int, month: int, day: int, zone: tzinfo, precision: Precision = Precision.DAY) -> Moment | None:
    """The beginning of a day; None if the calendar has no such day."""
    try:
        return datetime(year, month, day, tzinfo=zone), precision
    except ValueError:
        return None


def _zone(written: str | None, default: tzinfo) -> tzinfo:
    if not written:
        return default
    stripped = written.strip()
    if stripped.upper() in ("Z", "UTC", "GMT"):
        return UTC
    digits = stripped[1:].replace(":", "")
    if timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) >= timedelta(hours=24):
        return default
    return datetime.strptime(stripped.replace(":", ""), "%z").tzinfo or default
