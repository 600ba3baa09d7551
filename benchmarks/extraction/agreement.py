"""Whether metadata that a reader states agree with a label: the same rules for all readers. Pure."""

import html
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_FIGURES: Final = re.compile(r"\d+")
_MONTHS: Final = 12
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
    want, have = _letters(label), _letters(said)
    if not want or not have:
        return False
    return want in have or (have in want and len(have) >= LEAST_SHARE * len(want))


def is_same_author(label: str, said: str) -> bool:
    """Whether the same people are named, in any order, or one side names some of the other's and nobody else."""
    want, have = _names(label), _names(said)
    if not want or not have:
        return False
    is_whole = _is_held(_letters(label), _letters(said))
    return is_whole or (_each_in(want, have) and _each_in(have, want))


def is_same_day(label: str, said: str) -> bool:
    """`label` and `said`: YYYY-MM-DD, a time after it is ignored. A label with day and month exchanged, or with other
    marks between them, is read as it is meant.
    """
    year, month, day = (*_FIGURES.findall(label)[:3], "", "")[:3]
    if month.isdigit() and int(month) > _MONTHS:
        month, day = day, month
    return bool(said) and said[:10] == f"{year}-{month}-{day}"


def is_same_language(label: str, said: str) -> bool:
    """By the first subtag: zh-Hant is zh."""
    return bool(said) and said.lower().replace("_", "-").partition("-")[0] == label.lower().partition("-")[0]


def _names(text: str) -> Sequence[str]:
    parts = (_BEFORE_NAME.sub("", part.strip()) for part in _BETWEEN_NAMES.split(html.unescape(text)))
    return tuple(filter(None, map(_letters, parts)))


def _each_in(names: Sequence[str], others: Sequence[str]) -> bool:
    return all(any(_is_held(name, other) for other in others) for name in names)


def _is_held(one: str, other: str) -> bool:
    return bool(one) and bool(other) and (one in other or other in one)


def _letters(text: str) -> str:
    """Letters and digits without case and accents: typographic quotes, dashes and spaces are no difference."""
    plain = unicodedata.normalize("NFKD", html.unescape(text))
    return "".join(filter(str.isalnum, plain)).casefold()
