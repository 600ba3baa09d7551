"""Chinese in its other script, character by character: most search services compare characters as they are. Pure."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from fingerprint.normalize import canonicalize

_HAN: Final = re.compile(r"[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]+")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
"""Japanese has its own forms."""


def in_both_scripts(query: str, *, most: int) -> str:
    """Return a query with its Chinese words repeated in the other script, as far as they fit into `most` characters.

    Words that are the same in both are not repeated.

    >>> in_both_scripts("Redis 体会 中文", most=20)
    'Redis 体会 中文 體會'
    """
    if _KANA.search(query):
        return query
    words = _HAN.findall(query)
    for word in dict.fromkeys(_other_script(words)):
        if word not in words and len(query) + 1 + len(word) <= most:
            query = f"{query} {word}"
    return query


def _other_script(words: list[str]) -> list[str]:
    """Return words in simplified script if most of their characters that have two forms are traditional, and else in
    traditional script.
    """
    table = _traditional()
    simplified = ["".join(map(_simplified, word)) for word in words]
    pairs = zip("".join(words), "".join(simplified), strict=True)
    is_traditional = sum(char != other for char, other in pairs) > sum(char in table for word in words for char in word)
    return simplified if is_traditional else ["".join(table.get(char, char) for char in word) for word in words]


def _simplified(char: str) -> str:
    folded = canonicalize(char).text
    return folded if len(folded) == 1 else char


@cache
def _traditional() -> dict[str, str]:
    """The first traditional form of each simplified character of GB 2312 that has another one."""
    stored = files("crawler.web_search").joinpath("data", "traditional.txt").read_text("utf-8")
    return {pair[0]: pair[1] for pair in stored.split()}
