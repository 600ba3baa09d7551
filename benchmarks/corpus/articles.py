"""Real articles from import files, by language, split at random into stored and held-out ones."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Language, Material
from crawler.importers.files import ImportedArticle, read_articles

STORED_SHARE: Final = 0.83
"""Of the articles of a language; the others are hosts of embedded passages, and innocents."""
HAN_SHARE: Final = 0.1
"""Least share of Han characters of a Chinese article; such articles may contain much program code."""
FEWEST: Final = 60
"""Least number of articles of a language for which families are built."""

_WORD_CHARACTER: Final = re.compile(r"\w")
_HAN: Final = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The articles read, in the order of the files."""

    by_language: Mapping[Language, tuple[Article, ...]]
    refused: int
    """Records that an import would refuse: too short, not an article, not JSON."""
    repeated: int
    """Articles whose text was read before."""

    @property
    def count(self) -> int:
        return sum(map(len, self.by_language.values()))

    @property
    def is_enough(self) -> bool:
        """Whether any language has enough articles."""
        return any(len(articles) >= FEWEST for articles in self.by_language.values())


def read_corpus(paths: Iterable[Path]) -> Corpus:
    """Reads every article in `paths` as `zhiwen import` does, each text once.

    Raises ImportNotReadable if a path does not exist.
    """
    articles: dict[Language, list[Article]] = {language: [] for language in Language}
    texts: set[str] = set()
    refused = repeated = 0
    for outcome in read_articles(paths, now=datetime.now(UTC)):
        if not isinstance(outcome, ImportedArticle):
            refused += 1
        elif outcome.article.text in texts:
            repeated += 1
        else:
            found = outcome.article
            texts.add(found.text)
            articles[language_of(found.text)].append(Article(found.url, found.title, found.text))
    return Corpus({language: tuple(items) for language, items in articles.items()}, refused, repeated)


def language_of(text: str) -> Language:
    """Chinese if at least a tenth of the word characters are Han, else English."""
    words = len(_WORD_CHARACTER.findall(text))
    return Language.CHINESE if words and len(_HAN.findall(text)) >= HAN_SHARE * words else Language.ENGLISH


def split(articles: Sequence[Article], language: Language, *, seed: int) -> Material:
    """Splits articles into stored and held-out ones, alike for the same seed; both keep the order of the corpus."""
    chance = Random(f"{seed}/split/{language}")  # a benchmark, not a secret
    order = list(range(len(articles)))
    chance.shuffle(order)
    stored = set(order[: round(STORED_SHARE * len(order))])
    return Material(
        language=language,
        stored=tuple(article for number, article in enumerate(articles) if number in stored),
        held=tuple(article for number, article in enumerate(articles) if number not in stored),
    )
