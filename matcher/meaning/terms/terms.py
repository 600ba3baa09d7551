"""What a Chinese sentence names in the words of an English one, and the reverse.

Each language gets the same keys: an English word its stem, a Chinese word the stems of its meanings, and a name of two
or three characters its reading, as it is written in Latin letters (李明, "Li Ming").
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from fingerprint.normalize import canonicalize
from fingerprint.tokens import tokens_of
from matcher.meaning.terms.stems import placed_stems
from matcher.meaning.terms.word_list import WordList, word_list

TERM: Final = "~"
NAME: Final = "="
"""What keys begin with: they are no particulars of one language."""
IS: Final = " = "
"""Stands between the two words of a term as it is shown."""
LONGEST_WORD: Final = 6
NAME_LENGTHS: Final = (2, 3)
SHORTEST_READING: Final = 5

_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_NAME: Final = re.compile(r"\b([A-Z][a-z]{1,11})(?= ([A-Z][a-z]{1,11}(?:-[a-z]{1,5})?)\b)")
"""A name in two words, family name first or last, as readings of Chinese names are written."""
_HAN_SHARE: Final = 0.2


def is_term(key: str) -> bool:
    return key.startswith((TERM, NAME))


def terms_of(text: str) -> frozenset[str]:
    """Return the keys of a text, Chinese or English; empty without a word list. Never raises."""
    words = word_list()
    if not words.meanings:
        return frozenset()
    placed = _han_terms(text, words) if _is_han(text) else _english_terms(text)
    return frozenset(key for _, key in placed)


def shown_terms(keys: Iterable[str], left: str, right: str) -> tuple[str, ...]:
    """Return these keys, which both sentences have, as both read: `内核 = kernel`; the left one first."""
    words = word_list()
    wanted = set(keys)
    one, other = (
        _first(wanted, _han_terms(text, words) if _is_han(text) else _english_terms(text)) for text in (left, right)
    )
    shown: dict[str, None] = {}
    taken: set[str] = set()
    for key, word in one.items():
        if key in other and word not in taken:
            taken.add(word)
            shown[f"{word}{IS}{other[key]}"] = None
    return tuple(shown)


def _first(wanted: set[str], placed: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the first word of each wanted key."""
    found: dict[str, str] = {}
    for word, key in placed:
        if key in wanted:
            found.setdefault(key, word)
    return found


def _is_han(text: str) -> bool:
    return sum(map(len, _HAN.findall(text))) > _HAN_SHARE * len(text)


def _english_terms(text: str) -> Iterator[tuple[str, str]]:
    """Yield (word, key)."""
    for start, end, stem in placed_stems(text):
        yield text[start:end], TERM + stem
    for match in _NAME.finditer(text):
        one, other = match[1].lower(), match[2].lower().replace("-", "")
        yield f"{match[1]} {match[2]}", NAME + one + other
        yield f"{match[1]} {match[2]}", NAME + other + one


def _han_terms(text: str, words: WordList) -> Iterator[tuple[str, str]]:
    """Yield (word, key) in simplified characters."""
    plain = canonicalize(text).text
    for token in dict.fromkeys(tokens_of(plain.replace("\n", " ")).split("\n")):
        if _HAN.match(token):
            for word in (token,) if token in words.meanings else _known_words(token, words):
                yield from ((word, TERM + stem) for stem in words.meanings[word])
    for run in _HAN.findall(plain):
        yield from _readings(run, words)


def _known_words(token: str, words: WordList) -> Iterator[str]:
    """Yield the words of the list that a token consists of, the longest first."""
    start = 0
    while start < len(token):
        lengths = range(min(LONGEST_WORD, len(token) - start), 1, -1)
        length = next((one for one in lengths if token[start : start + one] in words.meanings), 0)
        if length:
            yield token[start : start + length]
        start += max(1, length)


def _readings(run: str, words: WordList) -> Iterator[tuple[str, str]]:
    read = [words.readings.get(char) for char in run]
    for length in NAME_LENGTHS:
        for start in range(len(run) - length + 1):
            parts = read[start : start + length]
            reading = "".join(part or "" for part in parts)
            if run[start] in words.surnames and None not in parts and len(reading) >= SHORTEST_READING:
                yield run[start : start + length], NAME + reading
