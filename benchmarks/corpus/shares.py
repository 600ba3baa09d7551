"""Assigns the articles of the corpus to families, so that families do not spoil each other's ground truth.

A story that one family stores a hundred times must not be another family's source, and an article that is
stored with a disclaimer below it must not be an innocent probe. The assignment depends on the index of an article only,
not on chance: families are built one by one, each with its own seed.
"""

from enum import Enum
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Material

MIN_CHARS: Final = 400
"""Least length of a source: a quarter of a shorter article is too short to be judged."""
STORIES_EVERY: Final = 25
"""One in 25 stored articles for each size of popularity."""
BEARERS_EVERY: Final = 10
"""One or two in 10 held-out articles for each kind of page that is stored beside the corpus."""


class Bearers(Enum):
    """Held-out articles that are stored: their indexes out of every ten, and their greatest number."""

    DISCLAIMER = ((0, 1), 64)
    STATEMENT = ((2,), 48)
    FOOTER = ((5, 6), 32)
    WIRE = ((7,), 12)


def sources(material: Material) -> tuple[Article, ...]:
    """Stored articles that are copied once: of MIN_CHARS characters and more, none of them a popular story."""
    long = _long_enough(material.stored)
    found = tuple(article for place, article in enumerate(long) if place % STORIES_EVERY >= _POPULARITIES)
    return _at_least_one(found, "stored", _POPULARITIES + 1)


def stories(material: Material, popularity: int) -> tuple[Article, ...]:
    """Stored articles that are copied often; `popularity` numbers the sizes from 0."""
    if not 0 <= popularity < _POPULARITIES:
        message = (
            f"there are {_POPULARITIES} sizes of popularity, numbered from 0: there is none with number {popularity}"
        )
        raise ValueError(message)
    return _at_least_one(_long_enough(material.stored)[popularity::STORIES_EVERY], "stored", popularity + 1)


def bearers(material: Material, kind: Bearers) -> tuple[Article, ...]:
    """Held-out articles that a family may store."""
    long = _long_enough(material.held)
    places, most = kind.value
    found = tuple(article for place, article in enumerate(long) if place % BEARERS_EVERY in places)[:most]
    return _at_least_one(found, "held-out", min(places) + 1)


def hosts(material: Material) -> tuple[Article, ...]:
    """Held-out articles that no family stores, of MIN_CHARS characters and more."""
    return _at_least_one(tuple(a for a in unstored(material) if len(a.text) >= MIN_CHARS), "held-out", 10)


def unstored(material: Material) -> tuple[Article, ...]:
    """All held-out articles that no family stores."""
    long = _long_enough(material.held)
    taken = {
        article.id
        for kind in Bearers
        for article in (bearers(material, kind) if len(long) > max(kind.value[0]) else ())
    }
    return tuple(article for article in material.held if article.id not in taken)


def drawn(articles: tuple[Article, ...], wanted: int, rng: Random) -> list[Article]:
    """Draws so many of the articles; each once before any comes a second time."""
    chosen: list[Article] = []
    while len(chosen) < wanted:
        chosen += rng.sample(articles, min(len(articles), wanted - len(chosen)))
    return chosen


_POPULARITIES: Final = 4


def _long_enough(articles: tuple[Article, ...]) -> tuple[Article, ...]:
    return tuple(article for article in articles if len(article.text) >= MIN_CHARS)


def _at_least_one(found: tuple[Article, ...], kind: str, wanted: int) -> tuple[Article, ...]:
    if not found:
        message = (
            f"the corpus has too few {kind} articles of {MIN_CHARS} characters and more: {wanted} are needed at least"
        )
        raise ValueError(message)
    return found
