"""English words without their endings, so that "kernels" is the word that a list calls "kernel"."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]{2,40}")
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "es", "ed", "ly", "s", "e", "y")
_SHORTEST: Final = 3
_COMMON: Final = frozenset(
    """
    the of and to in is that for it was with as on be this are from have not an or by sb sth one etc esp lit fig also
    used see variant old old-fashioned classifier abbr abbreviation surname given name chinese who which what when at
    into out up off can may some any other two so very more most no non such about over has had were been will would
    could should their they them his her its our your you she him he we do does did just only than then there here
    these those all each every both if but how why where while because being before after again own same too don make
    get go come take give put use thing way person people kind time year day
    """.split()  # noqa: SIM905  # read more easily
)
"""Words that say nothing, many of them in explanations of the word list."""


def stems_of(text: str) -> set[str]:
    """Return the stems of the English words of a text, without the commonest."""
    return {stem for _, _, stem in placed_stems(text)}


def placed_stems(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the same with their places, as (start, end, stem)."""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word not in _COMMON:
            yield match.start(), match.end(), _stem(word)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    word = word.replace("'s", "").strip("'-")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word
