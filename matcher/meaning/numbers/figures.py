"""Figures of a text in a form that survives rewording and translation: numbers, percentages, amounts, dates.

A number of two digits and more tells by itself, whatever its unit, which is often left out or said in another way. A
single digit tells only with a unit that is rare enough: 5%, 8 dollars, 3 kilometres.
"""

import re
from typing import Final

from matcher.meaning.numbers.dates import dates_in
from matcher.meaning.numbers.english_numerals import ONES
from matcher.meaning.numbers.numerals import numbers_in

_DATE: Final = "--"
_CHINESE_DIGITS: Final = {char: value for value, char in enumerate("一二三四五六七八九", start=1)} | {"两": 2}
_ENGLISH_DIGITS: Final = {word: value for value, word in enumerate(ONES, start=1)}
_DIGITS: Final = {**_CHINESE_DIGITS, **_ENGLISH_DIGITS}
_DIGIT: Final = (
    r"(?<![\d.,a-z〇零一二两三四五六七八九十百千万亿点-])"
    rf"(?P<digit>[1-9]|[一二两三四五六七八九]|{'|'.join(_ENGLISH_DIGITS)})"
)
_UNITS: Final = {
    "usd": r"(?:美元|美金|(?:us )?dollars?\b)",
    "eur": r"(?:欧元|euros?\b)",
    "gbp": r"(?:英镑|pounds?\b)",
    "jpy": r"(?:日元|yen\b)",
    "cny": r"(?:元|人民币|块钱|yuan\b|rmb\b)",
    "km": r"(?:公里|千米|km\b|kilomet(?:er|re)s?\b)",
    "cm": r"(?:厘米|cm\b|centimet(?:er|re)s?\b)",
    "mm": r"(?:毫米|mm\b|millimet(?:er|re)s?\b)",
    "kg": r"(?:公斤|千克|kg\b|kilos?\b|kilograms?\b)",
    "t": r"(?:吨|tons?\b|tonnes?\b)",
    "gb": r"(?:gb\b|gigabytes?\b)",
    "mb": r"(?:mb\b|megabytes?\b)",
    "h": r"(?:个?小时|hours?\b|h\b)",
    "y.o.": r"(?:岁|years? old\b|-year-old\b)",
}
_AMOUNT: Final = re.compile(
    _DIGIT + "[ -]?(?:" + "|".join(f"(?P<u{number}>{unit})" for number, unit in enumerate(_UNITS.values())) + ")"
)
_UNIT_NAMES: Final = tuple(_UNITS)
_SIGNS: Final = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny"}
_SIGNED: Final = re.compile(r"([$€£¥]) ?([1-9])(?![\d.,]*\d)")
_PERCENT: Final = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,4})?) ?(?:%|percent\b|per cent\b|个百分点)")
_CHINESE_PERCENT: Final = re.compile(r"百分之([一二两三四五六七八九十百]{1,6})(?:点([〇零一二三四五六七八九]{1,4}))?")
_TENTHS: Final = re.compile(
    r"(?<![一二两三四五六七八九十百])([一二两三四五六七八九])成(?:([一二三四五六七八九])(?!成))?"
)


def figures_in(text: str) -> list[tuple[int, int, str]]:
    """Return the figures of a canonical text in order as (start, end, key). Never raises.

    Keys: plain decimals, percentages with a sign, single digits with a unit, dates as `--MM-DD` or `YYYY-MM`.

    >>> [key for _, _, key in figures_in("3月5日有三千万人，增长30%，即三成，花了8美元")]
    ['--03-05', '30000000', '30%', '30%', '8 usd']
    """
    dates = dates_in(text)
    percentages = _percentages(text)
    # The month of a date and the value of a percentage are said by these already.
    taken = {at for date in dates for at in range(*date.month)}
    taken.update(at for start, end, _ in percentages for at in range(start, end))
    numbers = [found for found in numbers_in(text) if found[0] not in taken]
    return sorted([*((date.start, date.end, date.key) for date in dates), *percentages, *numbers, *_amounts(text)])


def is_figure(key: str) -> bool:
    """Return whether a particular is a figure."""
    return key[:1].isdecimal() or key.startswith(_DATE)


def _amounts(text: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _AMOUNT.finditer(text):
        digit = match["digit"]
        unit = _UNIT_NAMES[next(number for number in range(len(_UNIT_NAMES)) if match[f"u{number}"])]
        found.append((match.start(), match.end(), f"{_DIGITS.get(digit, digit)} {unit}"))
    return found + [(match.start(), match.end(), f"{match[2]} {_SIGNS[match[1]]}") for match in _SIGNED.finditer(text)]


def _percentages(text: str) -> list[tuple[int, int, str]]:
    found = [(match.start(), match.end(), f"{float(match[1]):g}%") for match in _PERCENT.finditer(text)]
    for match in _CHINESE_PERCENT.finditer(text):
        whole = _small(match[1])
        tenths = "".join(str(_CHINESE_DIGITS.get(char, 0)) for char in match[2] or "")
        found.append((match.start(), match.end(), f"{float(f'{whole}.{tenths or 0}'):g}%"))
    for match in _TENTHS.finditer(text):
        value = _CHINESE_DIGITS[match[1]] * 10 + _CHINESE_DIGITS.get(match[2] or "", 0)
        found.append((match.start(), match.end(), f"{value}%"))
    return found


def _small(written: str) -> int:
    """Return the value of Chinese numerals up to a hundred."""
    if "百" in written:
        return 100
    tens, ten, ones = written.rpartition("十")
    return (_CHINESE_DIGITS.get(tens, 1) * 10 if ten else 0) + _CHINESE_DIGITS.get(ones, 0)
