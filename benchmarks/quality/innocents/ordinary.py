"""Held-out articles as they are: any of them, and those that are nearest in subject to a stored one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Builder, Language, Material, Scenario
from benchmarks.corpus.shares import unstored
from benchmarks.disguises.segmentation import word_places
from benchmarks.quality.innocents.pages import innocent

SUBJECT_CHARS: Final = 1_500
"""The subject of an article shows in its beginning."""
MIN_WORD_CHARS: Final = {Language.CHINESE: 2, Language.ENGLISH: 4}
RARE_SHARE: Final = 0.01
"""Largest share of the stored articles that contain a rare word (at least five articles)."""


def ordinary(family: str) -> Builder:
    """As many different articles as wanted, or all."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        known = unstored(material)
        chosen = rng.sample(known, min(len(known), wanted))
        return _scenario(family, material, chosen)

    return build


def same_subject(family: str) -> Builder:
    """The articles that share most rare words with any one stored article, best first; not random."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        known = unstored(material)
        nearness = overlaps(known, material.stored, material.language)
        order = sorted(range(len(known)), key=lambda number: (-nearness[number], number))
        return _scenario(family, material, [known[number] for number in order[:wanted]])

    return build


def overlaps(articles: tuple[Article, ...], stored: tuple[Article, ...], language: Language) -> list[float]:
    """For each article the largest share of its words that are rare and also in one stored article, in [0, 1]."""
    words = [_words(article, language) for article in stored]
    frequencies = Counter(word for found in words for word in found)
    most = max(5, round(RARE_SHARE * len(stored)))
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for number, found in enumerate(words):
        for word in found:
            if frequencies[word] <= most:
                holders[word].append(number)
    return [_best_overlap(_words(article, language), holders) for article in articles]


def _best_overlap(words: frozenset[str], holders: Mapping[str, Iterable[int]]) -> float:
    shared = Counter(number for word in words for number in holders.get(word, ()))
    return max(shared.values(), default=0) / max(1, len(words))


def _words(article: Article, language: Language) -> frozenset[str]:
    text = article.text[:SUBJECT_CHARS].lower()
    places = word_places(text, language)
    return frozenset(text[start:end] for start, end in places if end - start >= MIN_WORD_CHARS[language])


def _scenario(family: str, material: Material, chosen: list[Article]) -> Scenario:
    return Scenario(
        tuple(
            innocent(family, number, material.language, article.text, title=article.title)
            for number, article in enumerate(chosen)
        )
    )
