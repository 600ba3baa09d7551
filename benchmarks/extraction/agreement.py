"""Whether metadata that a reader states agree with a label: the same rules for all readers. Pure."""

import html
import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Final

_FIGURES: Final = re.compile(r"\d+")
_MONTHS: Final = 12
_PARTS: Final = 3
LEAST_SHARE: Final = 0.5
"""Of the letters of a labelled title, in a shorter one that is part of it."""
_BETWEEN_NAMES: Final = re.compile(
    r"[,;/&|、，；·•\n\t]|(?<=\s)(?:and|und|et|y|e|en|i|och|og|mit|with|avec)(?=\s)", re.IGNORECASE
)
_BEFORE_NAME: Final = re.compile(
    r"^(?:(?:written|posted|text|story|fotos?|words)\s)?(?:by|von|par|por|di|door|autor(?:in)?|author|作者|文)\b[\s:：]*",
    re.IGNORECASE,
)


def is_same_title(label: str, said: str) -> bool:
    """Whether titles are the same by their letters. A site's name may stand with the title in either, and the part of
    a title that precedes a colon or follows it may be missing.
    """
    want, have = letters_of(label), letters_of(said)
    if not want or not have:
        return False
    return want in have or (have in want and len(have) >= LEAST_SHARE * len(want))


def is_same_author(label: str, said: str) -> bool:
    """Whether the same people are named, in any order, or one side names some of the other's and nobody else."""
    want, have = names_of(label), names_of(said)
    if not want or not have:
        return False
    is_whole = _is_held(letters_of(label), letters_of(said))
    return is_whole or (_each_in(want, have) and _each_in(have, want))


def is_same_day(label: str, said: str) -> bool:
    """`label` and `said`: YYYY-MM-DD, a time after it is ignored. A label with day and month exchanged, or with other
    marks between them, is read as it is meant.
    """
    day = label_day(label)
    return day is not None and said[:10] == day.isoformat()


def label_day(label: str) -> date | None:
    """The day that a label means."""
    figures = list(map(int, _FIGURES.findall(label)[:_PARTS]))
    if len(figures) == _PARTS and figures[1] > _MONTHS:
        figures = [figures[0], figures[2], figures[1]]
    try:
        return date(*figures) if len(figures) == _PARTS else None
    except ValueError:
        return None


def is_same_language(label: str, said: str) -> bool:
    """By the first subtag: zh-Hant is zh."""
    return bool(said) and said.lower().replace("_", "-").partition("-")[0] == label.lower().partition("-")[0]


def names_of(text: str) -> Sequence[str]:
    """The names in a line, by their letters."""
    parts = (_BEFORE_NAME.sub("", part.strip()) for part in _BETWEEN_NAMES.split(html.unescape(text)))
    return tuple(filter(None, map(letters_of, parts)))


def _each_in(names: Sequence[str], others: Sequence[str]) -> bool:
    return all(any(_is_held(name, other) for other in others) for name in names)


def _is_held(one: str, other: str) -> bool:
    return bool(one) and bool(other) and (one in other or other in one)


def letters_of(text: str) -> str:
    """Letters and digits without case and accents: typographic quotes, dashes and spaces are no difference."""
    plain = unicodedata.normalize("NFKD", html.unescape(text))
    return "".join(filter(str.isalnum, plain)).casefold()
