"""Which of three texts on one story stands between the other two, by the phrases that only two of them share. Pure.

Two retellings of one source share with each other what the source has, and little else. So the two texts that share the
fewest phrases without the third are those that do not descend from each other (a three-taxon statement).
"""

import re
from functools import lru_cache
from typing import Final

from fingerprint.normalize import canonicalize

WORDS: Final = 3
"""Words of a phrase, a Han character being one. With three, the source stood between in 4 of 4 pairs of independent
retellings; with two in 2 of 4, with four in 3 of 4."""
LONGEST_LEAD: Final = 1.1
"""Factor by which a text is favoured that has the most phrases: of a source something is always left out."""
FEWEST: Final = 12
"""Phrases that only two of the three share, over all pairs, without which nothing can be told."""
MOST_CHARS: Final = 60_000

_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


def is_between(one: str, other: str, third: str, *, is_first: bool = False) -> bool:
    """Return whether the third text stands between the others; if it `is_first` for sure, whether it may."""
    phrases = [phrases_of(text) for text in (one, other, third)]
    most = max(map(len, phrases))
    pairs = ((0, 1, 2), (0, 2, 1), (1, 2, 0))
    shared = [
        len((phrases[left] & phrases[right]) - phrases[out]) * (1.0 if len(phrases[out]) == most else LONGEST_LEAD)
        for left, right, out in pairs
    ]
    if is_first:
        return shared[0] <= max(shared[1:])
    return sum(shared) >= FEWEST and shared[0] < min(shared[1:])


@lru_cache(maxsize=8)
def phrases_of(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of `WORDS` words of a text."""
    words = _WORD.findall(canonicalize(text[:MOST_CHARS]).text)
    return frozenset(tuple(words[start : start + WORDS]) for start in range(len(words) - WORDS + 1))
