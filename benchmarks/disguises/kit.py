"""Material for disguises, a vocabulary and host texts, and their application to a copy."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from benchmarks.corpus.model import Article, Language, Material
from benchmarks.corpus.shares import hosts
from benchmarks.disguises.blocks import Block
from benchmarks.disguises.segmentation import word_places

VOCABULARY_ARTICLES: Final = 80
"""Held-out articles from which new words are drawn, as running words: common ones are frequent."""


@dataclass(frozen=True, slots=True)
class Kit:
    """Material passed to every disguise. All its texts are held out: added words must not match stored texts."""

    language: Language
    words: Mapping[int, tuple[str, ...]]
    """Running words by their length in characters."""
    hosts: tuple[Article, ...]

    def word(self, length: int, rng: Random) -> str:
        """A word of about this length."""
        known = self.words.get(length) or self.words[min(self.words, key=lambda other: (abs(other - length), other))]
        return rng.choice(known)


Disguise: TypeAlias = Callable[[Block, Kit, Random], Block]
Arrangement: TypeAlias = Callable[[Block, Kit, Random], tuple[Block, ...]]
"""Arranges a copy as the blocks of a page: moved parts and words that are not copied are blocks of their own."""


def kit_for(material: Material) -> Kit:
    words: defaultdict[int, list[str]] = defaultdict(list)
    own_texts = hosts(material)
    for article in own_texts[:VOCABULARY_ARTICLES]:
        for start, end in word_places(article.text, material.language):
            words[end - start].append(article.text[start:end])
    known = {length: tuple(found) for length, found in words.items()}
    return Kit(material.language, known, own_texts)


def disguised(*disguises: Disguise) -> Arrangement:
    """Applies the disguises one after another to the whole copy."""

    def arrange(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
        for disguise in disguises:
            block = disguise(block, kit, rng)
        return (block,)

    return arrange
