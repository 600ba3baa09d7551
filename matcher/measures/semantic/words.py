"""Text → its words in order, as the measures of meaning read them."""

from functools import cache
from typing import Final

import rjieba

from fingerprint.normalize import canonicalize

LONGEST_TEXT: Final = 20_000
"""Characters read of a text: enough to know what it is about."""
SHORTEST_WORD: Final = 2
"""As for the simhash: single characters say little of what a text is about."""


@cache
def _segmenter() -> rjieba.Jieba:
    return rjieba.Jieba()


def words_of(text: str) -> list[str]:
    """The words of two letters and more among the first 20,000 characters, in canonical form."""
    words = _segmenter().cut(canonicalize(text[:LONGEST_TEXT]).text, False)
    return [word for word in words if len(word) >= SHORTEST_WORD and word.isalpha()]
