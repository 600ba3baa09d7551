"""The particulars of a sentence: what a writer does not find without a source, in a form that survives rewording.

Names, figures, terms, links. Independent texts on one subject share the words of the subject, so a particular counts by
how few other texts on it have it. Those texts are the contrast: the nearest texts to the query text by meaning.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import log
from typing import Final

from fingerprint.normalize import canonicalize
from matcher.meaning.numbers.figures import figures_in

_RUN: Final = re.compile(
    r"[\u3400-\u9fff]{2,}"
    r"|https?://[^\s\"'<>）)]{4,200}"
    # A word in letters ends where Han characters begin: Chinese is often written without a space between them.
    r"|[^\W\d_\u3400-\u9fff](?:(?![\u3400-\u9fff])[\w+.-]){0,60}(?![\u3400-\u9fff])[^\W_]"
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def particulars_of(sentence: str) -> frozenset[str]:
    """Return the particulars of a sentence or text. Never raises.

    Two Han characters in a row stand for names and terms: a segmenter cuts unknown names in different ways in different
    sentences. Numbers are plain decimals, whatever their script; script and case are folded.
    """
    text = canonicalize(sentence).text
    found = [key for _, _, key in (*named_in(text), *figures_in(text))]
    return frozenset((*found, *(key for _, key in han_pairs(text))))


def named_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the words in letters and the links of a canonical text as (start, end, key)."""
    for match in _RUN.finditer(text):
        run = match[0]
        if not _HAN.match(run):
            yield match.start(), match.end(), run.split("://", 1)[1].rstrip("/") if "://" in run else run


def han_pairs(text: str) -> Iterator[tuple[int, str]]:
    """Yield every two Han characters in a row of a canonical text, with their place."""
    for match in _RUN.finditer(text):
        if _HAN.match(match[0]):
            yield from ((start, text[start : start + 2]) for start in range(match.start(), match.end() - 1))


@dataclass(frozen=True, slots=True)
class Contrast:
    """How many of `texts` other texts have each particular. `left_out`: the particulars of one that was counted."""

    texts: int
    counts: Mapping[str, int]
    left_out: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Contrast":
        return cls.of_particulars(map(particulars_of, texts))

    @classmethod
    def of_particulars(cls, particulars: Iterable[frozenset[str]]) -> "Contrast":
        """The same from the particulars of each text."""
        counts: Counter[str] = Counter()
        number = 0
        for own in particulars:
            counts.update(own)
            number += 1
        return cls(number, counts)

    def without(self, particulars: frozenset[str]) -> "Contrast":
        """Return the same without one of the texts, which has these particulars; counting again takes 5 ms."""
        return replace(self, texts=self.texts - 1, left_out=particulars)

    def rarity(self, particular: str) -> float:
        """Return minus the logarithm of the share of the texts that have it; 0 if every text has."""
        count = self.counts.get(particular, 0) - (particular in self.left_out)
        return max(0.0, log((self.texts + 1) / (count + 0.5)))

    @property
    def rarest(self) -> float:
        """Rarity of a particular that no text has."""
        return log((self.texts + 1) / 0.5)
