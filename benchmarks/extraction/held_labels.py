"""Whether a page holds what its label says, in any writing: what it does not hold no reader can find. Pure."""

import html
import re
from datetime import UTC, date, datetime
from typing import Final

from benchmarks.extraction.agreement import label_day, letters_of, names_of

HELD_FIELDS: Final = ("title", "author", "date")
_STAMP: Final = re.compile(r"(?<!\d)(1\d{9})(?:\d{3})?(?!\d)")
_MARK: Final = r"[-./年月\s]{1,3}"


def is_held(name: str, label: str, source: str, *, url: str) -> bool:
    """Of a field's `name`: `source` is the page as it was sent, decoded. One of several authors is enough."""
    text = html.unescape(source)
    if name == "date":
        return _holds_day(label, f"{url}\n{text}")
    if name in ("title", "author"):
        letters = letters_of(text)
        parts = names_of(label) if name == "author" else (letters_of(label),)
        return any(part in letters for part in parts)
    return True


def _holds_day(label: str, text: str) -> bool:
    day = label_day(label)
    if day is None:
        return False
    return re.search(_writings(day), text) is not None or any(
        abs((datetime.fromtimestamp(int(stamp), UTC).date() - day).days) <= 1 for stamp in _STAMP.findall(text)
    )


def _writings(day: date) -> str:
    """In figures, in either order of day and month, with two figures of the year; or with any word for the month."""
    year, short, month, date_of_month = day.year, f"{day.year % 100:02}", f"0?{day.month}", f"0?{day.day}"
    long = rf"(?:{year}|{short})"
    forms = (
        rf"{year}{_MARK}{month}{_MARK}{date_of_month}(?!\d)",
        rf"(?<!\d){date_of_month}{_MARK}{month}{_MARK}{long}(?!\d)",
        rf"(?<!\d){month}{_MARK}{date_of_month}{_MARK}{long}(?!\d)",
        rf"{year}{day.month:02}{day.day:02}",
        rf"(?<!\d){date_of_month}[^\w]{{0,3}}(?:st|nd|rd|th|de|of|er)?[^\w]{{0,3}}[^\W\d]{{3,12}}[^\d]{{1,6}}{year}",
        rf"[^\W\d]{{3,12}}[^\w]{{1,3}}{date_of_month}(?:st|nd|rd|th)?[^\w]{{1,3}}{year}",
    )
    return "|".join(forms)
