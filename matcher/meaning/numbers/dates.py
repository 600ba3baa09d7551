"""Dates as written in Chinese and English, as one key: 3月5日, 三月五日, March 5, 5th of March, 2021-03-05."""

import re
from typing import Final, NamedTuple

_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_NUMERALS: Final = {
    **{char: value for value, char in enumerate("一二三四五六七八九", start=1)},
    "十": 10,
}

_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # 2021 年 3 月 5 日, 三月五号; without a day only with a year
        r"(?<![\d一二三四五六七八九十])(?P<month>\d{1,2}|十?[一二]|[三四五六七八九十]) ?月 ?"
        r"(?P<day>\d{1,2}|[二三]?十?[一二三四五六七八九]|[二三]?十) ?[日号]",
        r"(?P<year>\d{4}) ?年 ?(?P<month>\d{1,2}|十?[一二]|[三四五六七八九十]) ?月(?! ?[\d一二三四五六七八九十])",
        # 2021-03-05
        r"(?<![\d./-])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?![\d./-]*\d)",
        # march 5, 5th of march; without a day only with a year
        rf"\b{_MONTH} {_DAY}\b(?![:.]\d)",
        rf"(?<![\d.:]){_DAY} (?:of )?{_MONTH}",
        rf"\b{_MONTH},? (?P<year>\d{{4}})\b",
    )
)
_MOST_MONTHS: Final = 12
_MOST_DAYS: Final = 31


class Date(NamedTuple):
    """`text[start:end]`. `key`: --MM-DD, or YYYY-MM without a day, as in ISO 8601. A year beside a day is no part: it
    is a number of its own, and often left out.
    """

    start: int
    end: int
    key: str
    month: tuple[int, int]
    """Start and end of the month."""


def dates_in(text: str) -> list[Date]:
    """Return the dates of a canonical text (lower case, simplified) in order. Never raises.

    >>> [date.key for date in dates_in("于3月5日；march 5, 2021; 5th of march; 2021年12月")]
    ['--03-05', '--03-05', '--03-05', '2021-12']
    """
    found: list[Date] = []
    seen: set[int] = set()
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            month = _month(groups["month"])
            day = _numeral(groups["day"]) if groups.get("day") else None
            if not 1 <= month <= _MOST_MONTHS or (day is not None and not 1 <= day <= _MOST_DAYS):
                continue
            # Of "5 march 2021" the last pattern sees a month of a year.
            if day is None and match.start("month") in seen:
                continue
            seen.add(match.start("month"))
            key = f"{groups['year']}-{month:02}" if day is None else f"--{month:02}-{day:02}"
            found.append(Date(match.start(), match.end(), key, match.span("month")))
    return sorted(found)


def _month(written: str) -> int:
    return _MONTHS.index(written[:3]) + 1 if written[0].isascii() and written[0].isalpha() else _numeral(written)


def _numeral(written: str) -> int:
    """Return the value of one or two digits, or of Chinese numerals up to 39."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (_NUMERALS.get(tens, 1) * 10 if ten else 0) + _NUMERALS.get(ones, 0)
