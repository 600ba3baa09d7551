"""Published dates: the date marked by an article's theme beside the date that was extracted.

A label is made from the one element that the template of a page has for the date of publishing, found by its name;
labels made by hand override it. Only the date is compared, in the sites' time zone.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from benchmarks.extraction.corpus import LabelledPage
from benchmarks.extraction.readers import ZONE, article_of
from crawler.extraction.article import Article
from crawler.extraction.html.charset import decode
from crawler.extraction.html.parsing import parse

_MARKED: Final = (
    "//time[contains(@class, 'post-meta-date-created')]/@datetime",
    "//time[contains(@class, 'dt-published')]/@datetime",
    "//time[contains(@class, 'datePublished') or @itemprop='datePublished']/@datetime",
    "//time[@pubdate]/@datetime",
    "//time[contains(@class, 'vp-meta-info')]/@datetime",
    "//text()[contains(., '发表于')]/following::time[1]/@datetime",
    "//*[contains(@class, 'post-date')]",
    "//*[contains(@class, 'post-time')]",
    "//*[contains(@class, 'post_title')]//text()[contains(., '编写于')]",
    "//*[@id='ptime' or @id='pubtime_baidu' or @id='pubtime']",
    "//*[contains(@class, 'time fix')]/span",
    "//*[contains(@class, 'post_info') or contains(@class, 'post_time_source')]",
)
_DAY: Final = re.compile(r"(20[012]\d|199\d)\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})")
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class DateResult:
    page: LabelledPage
    stated: date
    read: date | None
    """The extracted date; None if the reader found none, or no article."""


def checked(pages: Iterable[LabelledPage], *, by_hand: Mapping[str, date]) -> Iterator[DateResult]:
    """The pages that state a date, with the extracted one. `by_hand`: dates by the end of a page's path."""
    for page in pages:
        stated = next((day for name, day in by_hand.items() if str(page.path).endswith(name)), None) or marked(page)
        if stated is not None:
            yield DateResult(page, stated, _read(page))


def hand_labels(path: Path) -> dict[str, date]:
    """Reads JSON lines: `path` (its end is enough) and `published` (YYYY-MM-DD)."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
    return {row["path"]: date.fromisoformat(row["published"]) for row in rows}


def marked(page: LabelledPage) -> date | None:
    """The date in the element that the page's theme has for it."""
    decoded = decode(page.body)
    root = parse(decoded.text) if decoded else None
    for selector in () if root is None else _MARKED:
        for found in root.xpath(selector):  # type: ignore[union-attr]  # the loop is empty without a root
            text = str(found) if isinstance(found, str) else "".join(map(str, found.itertext()))
            day = _day(text)
            if day:
                return day
    return None


def _day(text: str) -> date | None:
    exact = _ISO.search(text)
    if exact:
        return datetime.fromisoformat(exact[0]).astimezone(ZoneInfo(ZONE)).date()
    found = _DAY.search(text)
    return date(*map(int, found.groups())) if found else None


def _read(page: LabelledPage) -> date | None:
    found = article_of(page)
    at = found.declared.at if isinstance(found, Article) else None
    return at.astimezone(ZoneInfo(ZONE)).date() if at else None
