"""Finds the blocks that two readers take for the article, and by their differences which of them to follow. Pure.

trafilatura loses little but takes navigation and related links along; our own reader is clean but in doubt on pages
built of lists and code. Neither decides where the article ends: see `crawler.extraction.main_content.article_element`.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import trafilatura

from crawler.extraction.html.page_tree import blocks
from crawler.extraction.html.text_blocks import Block, Element

GRAM: Final = 5
"""Word characters compared at once, to measure how much of one reading the other holds."""

HELD_SHARE: Final = 0.8
"""Of a block's grams that a reading must have for the block to be in it: readers join and cut blocks."""

INSIDE_SHARE: Final = 0.85
"""Share of the shorter reading that the longer one must hold: else they chose different parts of the page."""

SMALLEST_SHARE: Final = 0.25
"""A reading shorter than this beside the other missed the article, however clean it is."""

LINKED_SHARE: Final = 0.5
"""Of what the longer reading adds: that much in links, or joined from several blocks, is navigation."""

SAME_LENGTH_SHARE: Final = 0.95
"""Readings that differ by less are the same article: the cleaner is taken."""

MOST_GROWTH: Final = 1.3
"""Our own reader may find that much more than trafilatura (code, lists); beyond, it took the comments."""

MOST_LINKS_IN_GROWTH: Final = 0.05

STANDING_SHARE: Final = 0.3
"""Of the words read that must be in blocks of the page. Below, the reader gave up and joined whatever the page says:
archives and tag pages come out so, labelled articles never (lowest of 260: .5)."""

# Both libraries report every odd page; what matters is counted as a refusal.
for _name in ("trafilatura", "htmldate", "justext"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Opinions:
    """Places among the blocks of a page."""

    chosen: frozenset[int]
    """The blocks chosen by the reader that is followed."""
    agreed: frozenset[int]
    """The blocks that both chose; the same as `chosen` where only one found anything."""
    generous: frozenset[int] = frozenset()
    """Those that trafilatura chose, which loses little."""


@dataclass(frozen=True, slots=True)
class _Reading:
    words: int
    doubtful: int
    """Word characters in links, or in blocks that the page does not have as they are."""
    grams: frozenset[str]
    keys: frozenset[str]

    def places(self, page: Sequence[Block]) -> frozenset[int]:
        return frozenset(place for place, block in enumerate(page) if block.words and self._holds(key(block.text)))

    def _holds(self, letters: str) -> bool:
        if len(letters) < 2 * GRAM:
            return letters in self.keys
        own = _grams(letters)
        return len(own & self.grams) >= HELD_SHARE * len(own)


def opinions(markup: str, page: Sequence[Block], own: Iterable[int]) -> Opinions:
    """The blocks of `page` that trafilatura and our own reader chose; none if the page does not hold their text.

    `own`: the places that ours chose.
    """
    by_key = {key(block.text): block for block in page}
    generous = _reading(_trafilatura_blocks(markup), by_key)
    strict = _reading([page[place] for place in own], by_key)
    order = (strict, generous) if _prefers_strict(strict, generous) else (generous, strict)
    for followed, other in (order, order[::-1]):
        chosen = followed.places(page)
        # A reader that gave up joins whatever the page says; the other may have found the article.
        if sum(page[place].words for place in chosen) >= STANDING_SHARE * followed.words > 0:
            return Opinions(chosen, (chosen & other.places(page)) or chosen, generous.places(page))
    return Opinions(frozenset(), frozenset())


def key(text: str) -> str:
    """The part of a block that is compared: its word characters."""
    return "".join(filter(str.isalnum, text))


def _prefers_strict(strict: _Reading, generous: _Reading) -> bool:
    if not generous.words or not strict.grams:
        return bool(strict.words) and not generous.words
    shared = len(strict.grams & generous.grams)
    if strict.words >= generous.words:
        return (
            shared >= SAME_LENGTH_SHARE * len(generous.grams)
            and strict.words <= MOST_GROWTH * generous.words
            and strict.doubtful <= MOST_LINKS_IN_GROWTH * strict.words
        )
    if shared < INSIDE_SHARE * len(strict.grams) or strict.words < SMALLEST_SHARE * generous.words:
        return False
    added, doubtful = generous.words - strict.words, generous.doubtful - strict.doubtful
    return strict.words >= SAME_LENGTH_SHARE * generous.words or doubtful >= LINKED_SHARE * added


def _reading(found: Iterable[Block], page: Mapping[str, Block]) -> _Reading:
    kept = tuple(block for block in found if block.words)
    doubtful = 0
    for block in kept:
        original = page.get(key(block.text))
        doubtful += block.words if original is None else min(block.words, original.linked)
    keys = [key(block.text) for block in kept]
    return _Reading(sum(block.words for block in kept), doubtful, _grams("".join(keys)), frozenset(keys))


def _grams(letters: str) -> frozenset[str]:
    return frozenset(letters[start : start + GRAM] for start in range(len(letters) - GRAM + 1))


def _trafilatura_blocks(markup: str) -> Iterable[Block]:
    # Its own deduplication makes the fourth copy of a page empty.
    found = trafilatura.bare_extraction(markup, fast=True, include_comments=False, deduplicate=False)
    body: Element | None = getattr(found, "body", None)
    return blocks(body) if body is not None else ()
