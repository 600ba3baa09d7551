"""Sentences with the same wording in both texts, which the literal proof has and the proof by meaning leaves out."""

from functools import lru_cache
from typing import Final

from fingerprint.normalize import canonicalize
from matcher.meaning.encoded_text import EncodedText

GRAM: Final = 8
"""Characters in a row that independent texts on one subject seldom share; letters come three to a Han character."""
SAME_SHARE: Final = 0.3
"""Share of the grams of a sentence that the other text has, from which its wording is the same."""


def same_wording(text: EncodedText, other: EncodedText) -> list[int]:
    """Return the numbers of the sentences of a text whose wording the other text has."""
    theirs = {gram for number in range(len(other)) for gram in _grams(other.sentence(number))}
    same = []
    for number in range(len(text)):
        grams = _grams(text.sentence(number))
        if grams and sum(gram in theirs for gram in grams) > SAME_SHARE * len(grams):
            same.append(number)
    return same


@lru_cache(maxsize=1024)
def _grams(sentence: str) -> tuple[str, ...]:
    """Return the grams of a sentence. Kept, since a query text is compared with dozens of others: some 5 kB each."""
    letters = "".join(char for char in canonicalize(sentence).text if char.isalnum())
    return tuple(letters[start : start + GRAM] for start in range(len(letters) - GRAM + 1))
