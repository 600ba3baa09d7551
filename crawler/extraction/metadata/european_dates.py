"""Dates with the day before the month, and with names of months in the languages of Europe. Pure."""

import re
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Final

from crawler.extraction.metadata.date_formats import REACH, Moment, day_at

_MONTHS_OF_YEAR: Final = 12
_CENTURY: Final = 2000
_DOTTED: Final = re.compile(
    r"(?<![\d.-])(3[01]|[12]\d|0?[1-9])(?P<mark>\.\s?|-)(1[0-2]|0?[1-9])(?P=mark)((?:19|20)\d\d)(?!\d)"
)
_SHORT_YEAR: Final = re.compile(r"(?<![\d.])(3[01]|[12]\d|0?[1-9])\.(1[0-2]|0?[1-9])\.([0-2]\d)(?![\d.a-zA-Z])")
_SLASHED: Final = re.compile(r"(?<![\d/])(3[01]|[12]\d|0?[1-9])/(3[01]|[12]\d|0?[1-9])/((?:19|20)\d\d)(?![\d/])")
_EUROPEAN: Final = re.compile(
    r"(?<!\d)(?P<day>3[01]|[12]\d|0?[1-9])(?:\.|er|º)?\s(?:de\s)?(?P<name>[^\W\d_]{3,12})\.?,?\s(?:de\s|del\s)?(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_EUROPEAN_MONTH_FIRST: Final = re.compile(
    r"""\b(?P<name> enero | febrero | marzo | abril | mayo | junio | julio | agosto | septiembre | octubre | noviembre
        | diciembre | janeiro | fevereiro | março | maio | junho | julho | setembro | outubro | novembro | dezembro )
        \s(?P<day>3[01]|[12]\d|0?[1-9]),?\s(?:de\s)?(?P<year>(?:19|20)\d\d)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_MONTHS_OF_EUROPE: Final[Mapping[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "jan jän ene gen sty янв tam oca led",
            "feb fév fev lut фев hel şub úno",
            "mär mar mrt мар maa bře",
            "apr avr abr kwi апр huh nis dub",
            "mai may mei maj mag мая май tou kvě",
            "jun juin giu cze июн kes haz",
            "jul juil lug lip июл hei tem",
            "aug aoû ago sie авг elo ağu srp",
            "sep set wrz сен syy eyl zář",
            "okt oct ott out paź окт lok eki říj",
            "nov lis ноя marr kas",
            "dez dec déc dic gru дек jou ara pro",
        ),
        start=1,
    )
    for name in names.split()
}
"""By the first three or four letters, in German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian,
Finnish, Turkish and Czech; English and Nordic ones are among them."""


def day_first(text: str, zone: tzinfo) -> Moment | None:
    """21.03.2026, 21-03-2026, 21. März 2026, 4 de mayo de 2026, 16 août 2026, 3 мая 2026, mayo 4, 2026."""
    found = _DOTTED.search(text[:REACH])
    if found:
        return day_at(int(found[4]), int(found[3]), int(found[1]), zone)
    for pattern in (_EUROPEAN, _EUROPEAN_MONTH_FIRST):
        for named in pattern.finditer(text[:REACH]):
            month = _month_of(named["name"].lower())
            if month:
                return day_at(int(named["year"]), month, int(named["day"]), zone)
    return None


def _month_of(name: str) -> int | None:
    return _MONTHS_OF_EUROPE.get(name[:4]) or _MONTHS_OF_EUROPE.get(name[:3])


def slashed(text: str, zone: tzinfo, *, is_month_first: bool) -> Moment | None:
    """21/03/2026 and 03/21/2026; which of both 03/04/2026 is, `is_month_first` says."""
    found = _SLASHED.search(text[:REACH])
    if found is None:
        return None
    first, second, year = int(found[1]), int(found[2]), int(found[3])
    is_month_first = second > _MONTHS_OF_YEAR or (is_month_first and first <= _MONTHS_OF_YEAR)
    month, day = (first, second) if is_month_first else (second, first)
    return day_at(year, month, day, zone)


def slashed_readings(text: str, zone: tzinfo) -> Iterator[Moment]:
    """What 03/04/2026 may be: one day or two."""
    for is_month_first in (False, True):
        found = slashed(text, zone, is_month_first=is_month_first)
        if found is not None:
            yield found


def short_year(text: str, zone: tzinfo) -> Moment | None:
    """21.03.26, in a place where a date is expected: elsewhere it may be a version."""
    found = _SHORT_YEAR.search(text[:REACH])
    return day_at(_CENTURY + int(found[3]), int(found[2]), int(found[1]), zone) if found else None


def with_century(text: str) -> str:
    """21.03.26 as 21.03.2026, in a place where a date is expected."""
    return _SHORT_YEAR.sub(rf"\1.\2.{_CENTURY // 100}\3", text[:REACH])
