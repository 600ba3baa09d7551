"""The particulars of a sentence: what a writer does not find without a source, in a form that survives rewording.

Names, figures, terms, links. Independent texts on one subject share the words of the subject, so a particular counts by
how few other texts on it have it. Those texts are the contrast: the nearest texts to the query text by meaning.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from fingerprint.normalize import canonicalize
from matcher.meaning.numbers.figures import figures_in

_RUN: Final = re.compile(r"[\u3400-\u9fff]{2,}|https?://[^\s\"'<>）)]{4,200}|[^\W\d_\u3400-\u9fff][\w+.-]{0,60}[^\W_]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def particulars_of(sentence: str) -> frozenset[str]:
    """Return the particulars of a sentence or text. Never raises.

    Two Han characters in a row stand for names and terms: a segmenter cuts unknown names in different ways in different
    sentences. Numbers are plain decimals, whatever their script; script and case are folded.
    """
    text = canonicalize(sentence).text
    return frozenset((*_words(text), *(key for _, _, key in figures_in(text))))


def _words(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text):
        run = match[0]
        if _HAN.match(run):
            yield from (run[start : start + 2] for start in range(len(run) - 1))
        elif "://" in run:
            yield run.split("://", 1)[1].rstrip("/")
        else:
            yield run


@dataclass(frozen=True, slots=True)
class Contrast:
    """How many of `texts` other texts have each particular."""

    texts: int
    counts: Mapping[str, int]

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

    def rarity(self, particular: str) -> float:
        """Return minus the logarithm of the share of the texts that have it; 0 if every text has."""
        return max(0.0, log((self.texts + 1) / (self.counts.get(particular, 0) + 0.5)))

    @property
    def rarest(self) -> float:
        """Rarity of a particular that no text has."""
        return log((self.texts + 1) / 0.5)


def spelled_out(particulars: Iterable[str], sentence: str) -> list[str]:
    """Return particulars as they read in a sentence that has them: neighbouring pairs of characters as one string."""
    keys = set(particulars)
    text = canonicalize(sentence).text
    found = [key for key in sorted(keys) if not (len(key) == 2 and _HAN.match(key))]  # noqa: PLR2004  (pairs)
    start = None
    for at in range(len(text)):
        if text[at : at + 2] in keys and _HAN.match(text[at]):
            start = at if start is None else start
        elif start is not None:
            found.append(text[start : at + 1])
            start = None
    return list(dict.fromkeys(found))
