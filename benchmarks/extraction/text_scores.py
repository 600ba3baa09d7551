"""Scores of texts against labels, each as its evaluation suite counts. Pure."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from benchmarks.extraction.web_pages import WebPage

SHINGLE: Final = 4
"""Words."""
_WORD: Final = re.compile(r"\w+")


class TextScore(ABC):
    """Precision, recall and F1 of the texts added so far."""

    @abstractmethod
    def add(self, page: WebPage, text: str) -> None: ...

    @property
    @abstractmethod
    def precision(self) -> float: ...

    @property
    @abstractmethod
    def recall(self) -> float: ...

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(slots=True)
class Sentences(TextScore):
    """Labelled sentences of all pages together: those that must be in texts, found and missed, and those that must not,
    as in trafilatura's evaluation.
    """

    found: int = 0
    missed: int = 0
    extra: int = 0

    def add(self, page: WebPage, text: str) -> None:
        found = _held(page.wanted, text)
        self.found += found
        self.missed += len(page.wanted) - found
        self.extra += _held(page.unwanted, text)

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.extra)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.found + self.missed)


@dataclass(slots=True)
class WholeTexts(TextScore):
    """Mean precision and recall of pages by runs of four words, as in the article-extraction benchmark. Precision is
    that of the pages with a text.
    """

    precisions: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)

    def add(self, page: WebPage, text: str) -> None:
        want, have = _shingles(page.article), _shingles(text)
        shared = (want & have).total()
        if have:
            self.precisions.append(shared / have.total())
        if want:
            self.recalls.append(shared / want.total())

    @property
    def precision(self) -> float:
        return _mean(self.precisions)

    @property
    def recall(self) -> float:
        return _mean(self.recalls)


def score_for(pages: Iterable[WebPage]) -> TextScore:
    """An empty score of the kind of the pages' labels."""
    return WholeTexts() if any(page.article for page in pages) else Sentences()


def _held(sentences: Iterable[str], text: str) -> int:
    return sum(sentence in text for sentence in sentences)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    count = max(1, len(words) - SHINGLE + 1) if words else 0
    return Counter(tuple(words[start : start + SHINGLE]) for start in range(count))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
