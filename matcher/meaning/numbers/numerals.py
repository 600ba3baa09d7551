"""Numbers as written in Chinese and other languages, as one value: 3000万, 三千万, 3,000 万 and 30 million."""

import re
from typing import Final

from matcher.meaning.numbers.english_numerals import english_numbers_in

_DIGITS: Final = {
    **dict(zip("〇一二三四五六七八九", range(10), strict=True)),
    **dict(zip("零壹贰叁肆伍陆柒捌玖", range(10), strict=True)),
    "两": 2,
}
_UNITS: Final = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_MYRIADS: Final = {"万": 10**4, "亿": 10**8}
_SCALES: Final = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "bn": 10**9,
    "百万": 10**6,
    "千万": 10**7,
    "万亿": 10**12,
    **_MYRIADS,
    "千": 10**3,
    "百": 10**2,
}
_ARABIC: Final = re.compile(
    r"(?<![a-z0-9.])(\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,6})?)(?![.,]?\d)"
    r"(?: ?(thousand|million|billion|trillion|bn)\b| ?[多余]?(万亿|百万|千万|[万亿千百]))?"
)
_CHINESE: Final = re.compile(
    r"[〇零一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]{1,20}(?:[多余](?:万亿|[万亿]))?"
)
_APPROXIMATE: Final = re.compile("[多余]")
_SAID: Final = re.compile(r"[〇零一二三四五六七八九]{3,}")


def numbers_in(text: str) -> list[tuple[int, int, str]]:
    """Return the numbers of a canonical text as (start, end, value), the value as a plain decimal. Single digits and
    single Chinese numerals are left out: everybody writes them.

    >>> numbers_in("共3000万元，即三千万 or 30 million")
    [(1, 6, '30000000'), (9, 12, '30000000'), (16, 26, '30000000')]
    """
    found = []
    for match in _ARABIC.finditer(text):
        scale = match[2] or match[3]
        value = float(match[1].replace(",", "")) * _SCALES.get(scale or "", 1)
        if scale or len(match[1]) > 1:
            found.append((match.start(), match.end(), _plain(value)))
    for match in _CHINESE.finditer(text):
        chinese = _chinese(_APPROXIMATE.sub("", match[0]))
        if chinese is not None:
            found.append((match.start(), match.end(), _plain(chinese)))
    found += [(start, end, str(value)) for start, end, value in english_numbers_in(text)]
    return sorted(found)


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _chinese(text: str) -> int | None:
    """Return the value of Chinese numerals: digit by digit as in years, or by units; None if they are no number."""
    if _SAID.fullmatch(text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total = section = digit = 0
    seen = False
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _UNITS:
            section += (digit or 1) * _UNITS[char]
            digit, seen = 0, True
        else:
            total = (total + section + digit) * _MYRIADS[char] if total + section + digit else 0
            section = digit = 0
            seen = True
    value = total + section + digit
    return value if seen and value > 9 else None  # noqa: PLR2004  (single numerals are left out)
