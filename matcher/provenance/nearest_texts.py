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
LONGER: Final = 0.5
"""What a phrase of one word more adds: the longer, the less it is chance."""
FEWEST: Final = 12
"""Phrases that only two of the three share, over all pairs, without which nothing can be said."""
MOST_CHARS: Final = 60_000

_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


def is_between(one: str, other: str, third: str, *, is_first: bool = False) -> bool:
    """Return whether the third text stands between the others; if it `is_first` for sure, whether it may."""
    texts = one, other, third
    longest = max(map(len, texts))
    # Of a source something is always left out, so a text is the likelier between the others the longer it is.
    shared = [
        _shared(texts[left], texts[right], texts[out]) * longest / max(1, len(texts[out]))
        for left, right, out in ((0, 1, 2), (0, 2, 1), (1, 2, 0))
    ]
    if is_first:
        return shared[0] <= max(shared[1:])
    return sum(shared) >= FEWEST and shared[0] < min(shared[1:])


def _shared(one: str, other: str, out: str) -> float:
    """Return the number of phrases that two texts share and the third lacks."""
    short, long = (
        len((phrases_of(one, words) & phrases_of(other, words)) - phrases_of(out, words))
        for words in (WORDS, WORDS + 1)
    )
    return short + LONGER * long


@lru_cache(maxsize=16)
def phrases_of(text: str, words: int = WORDS) -> frozenset[tuple[str, ...]]:
    """Return the runs of so many words of a text."""
    found = _WORD.findall(canonicalize(text[:MOST_CHARS]).text)
    return frozenset(tuple(found[start : start + words]) for start in range(len(found) - words + 1))
