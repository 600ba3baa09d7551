"""Selects the article of a page: the blocks that our own reader takes, or, where it is in doubt, the element on which
two other readers agree, taken whole, less clutter. Pure.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import Block, Element, is_code
from crawler.extraction.main_content.clutter import (
    MOST_ARTICLE_INSIDE,
    clutter_in,
    is_gutter,
    is_in_site_column,
    places_outside,
)
from crawler.extraction.main_content.container import container_of
from crawler.extraction.main_content.own_reader import own_reading
from crawler.extraction.main_content.page_words import words_of_page
from crawler.extraction.main_content.reader_consensus import Opinions, opinions
from crawler.extraction.main_content.trimming import trimmed

PROSE_LINKED_SHARE: Final = 0.3
"""Of a paragraph that may be in links."""
PROSE_WORDS: Final = 12
"""Word characters of a paragraph that ends as a sentence does."""

LEAST_CORE: Final = 0.25
"""Least share of the text without code and links that a reader found. Notes and lists have less in whole sentences;
where the other reader has less of it, the two chose different parts of the page."""

LEAST_TEXT: Final = 0.15
"""Of what a reader found that is no code and no link. Below, the page is a listing, and its code is the article."""

LEAST_OF_GENEROUS: Final = 0.75
"""Of the words that trafilatura took. Below, the element is one of several sections."""

_SENTENCE_END: Final = re.compile(r"[。！？；…：!?;:.][”’」』）)\]\"'*]{0,3}$")


def article_places(
    tree: PageTree, markup: Callable[[], str], *, title: str, description: str, base: str, url: str
) -> list[int]:
    """Indexes into the blocks of `tree` of the article's, in reading order; empty if there is no article.

    `markup`: returns the page that the tree is of. It is called only if our own reader is in doubt.
    """
    own = own_reading(tree, words_of_page(tree.elements[0], title=title, description=description, url=url))
    if own.is_sure:
        return trimmed(own.places, tree.blocks, core=own.core, title=title, base=base, url=url)
    found = _by_others(tree, markup(), own.places, title=title, base=base, url=url)
    if found or not own.core:
        return found
    return trimmed(own.places, tree.blocks, core=own.core, title=title, base=base, url=url)


def _by_others(tree: PageTree, markup: str, own: Sequence[int], *, title: str, base: str, url: str) -> list[int]:
    """What two other readers agree on; or what the one that loses little took, if the element they chose has too little
    of it.
    """
    page = tree.blocks
    said = opinions(markup, page, own)
    if not said.chosen:
        return []
    places = _of_element(tree, said, title=title, base=base, url=url)
    if places is None:
        return []
    if _words(page, places) >= LEAST_OF_GENEROUS * _words(page, said.generous):
        return places
    generous = sorted(said.generous)
    core = _prose(page, generous) or said.generous
    return trimmed(generous, page, core=core, title=title, base=base, url=url)


def _of_element(tree: PageTree, said: Opinions, *, title: str, base: str, url: str) -> list[int] | None:
    """The blocks of the element on which they agree; None if that is a column or a menu of the site."""
    page, root = tree.blocks, tree.elements[0]
    core = _core(page, said)
    # Readers drop listings from the middle of articles: a dropped listing says nothing about the element.
    rest = [place for place, block in enumerate(page) if place not in said.chosen and not is_code(block)]
    container = container_of(root, page, core=core, chosen=said.chosen, rest=rest)
    if is_in_site_column(container):
        return None
    within = set(container.iter())
    inside = [place for place, block in enumerate(page) if block.words and block.element in within]
    # Running text only: the article may repeat a short line, “25” or a heading of a table of contents.
    outside = [place for place in _prose(page, core & said.agreed) if page[place].element not in within]
    places = sorted(places_outside(_clutter(container, page, core), page, inside) + outside)
    return trimmed(places, page, core=core, title=title, base=base, url=url)


def places_below(elements: Collection[Element], page: Sequence[Block]) -> list[int]:
    """Places of all blocks in `elements`, less the numbers beside listings."""
    within = {inner for element in elements for inner in element.iter()}
    places = [place for place, block in enumerate(page) if block.words and block.element in within]
    gutters = [inner for inner in within if isinstance(inner.tag, str) and is_gutter(inner)]
    return places_outside(gutters, page, places)


def is_prose(block: Block) -> bool:
    """Whether a block is a paragraph of running text."""
    return (
        block.words >= PROSE_WORDS
        and block.linked_share <= PROSE_LINKED_SHARE
        and _SENTENCE_END.search(block.text) is not None
        and not is_code(block)
    )


def _core(page: Sequence[Block], said: Opinions) -> frozenset[int]:
    """The certain part of the article: paragraphs on which the readers agree, if they are more than a scrap of it."""
    read = frozenset(
        place for place in said.chosen if page[place].linked_share <= PROSE_LINKED_SHARE and not is_code(page[place])
    )
    if _words(page, read) < LEAST_TEXT * _words(page, said.chosen):
        return said.chosen
    least = LEAST_CORE * _words(page, read)
    for paragraphs in (_prose(page, said.agreed), _prose(page, said.chosen), read):
        if paragraphs and _words(page, paragraphs) >= least:
            return paragraphs
    return said.chosen


def _prose(page: Sequence[Block], places: Collection[int]) -> frozenset[int]:
    return frozenset(place for place in places if is_prose(page[place]))


def _words(page: Sequence[Block], places: Collection[int]) -> int:
    return sum(page[place].words for place in places)


def _clutter(container: Element, page: Sequence[Block], core: Collection[int]) -> list[Element]:
    most = MOST_ARTICLE_INSIDE * sum(page[place].words for place in core)
    found = []
    for element in clutter_in(container):
        below = set(element.iter())
        if sum(page[place].words for place in core if page[place].element in below) <= most:
            found.append(element)
    return found
