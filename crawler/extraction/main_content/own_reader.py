"""Reads the article of a page from one walk over it: which blocks belong to it, by weighted features. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import is_code
from crawler.extraction.main_content import element_names as names
from crawler.extraction.main_content.article_region import Region, region_of
from crawler.extraction.main_content.block_features import features_of
from crawler.extraction.main_content.block_markup import Features
from crawler.extraction.main_content.block_weights import WEIGHTS
from crawler.extraction.main_content.clutter import is_gutter, is_site_column
from crawler.extraction.main_content.lines_above import captions_in, lines_above
from crawler.extraction.main_content.page_words import PageWords
from crawler.extraction.main_content.stray_lines import (
    below_comments,
    far_above_headline,
    headings_of_nothing,
    labels_in,
    pointers_in,
)

NEARLY: Final = 1.5
"""Below the threshold: enough for a heading directly over text that is taken."""
SURELY: Final = 2.0
"""Above the threshold: enough for a paragraph that is nothing but a link into the site."""
LINK_BYTES: Final = 40
"""Of such a paragraph. Shorter ones are words."""

ENDING: Final = 2.0
"""Below the threshold: enough for a note or a reference below the text."""

LEAST_CORE: Final = 300
"""Bytes of whole sentences that the reader must have, to be sure of a text that is not most of its page."""
LEAST_CORE_SHARE: Final = 0.15
LEAST_TAKEN_SHARE: Final = 0.25
"""Of the page's text that is in no link. Below them the page is a list, a listing, or built of short lines, as 49 of
506 pages of the web at large are: on these trafilatura has F1 .91 and this reader .83, on the others .917 and .935.
"""
SHORT_CORE: Final = 100
SHORT_CORE_SHARE: Final = 0.25
SHORT_TAKEN_SHARE: Final = 0.6
"""The same for a short text, which is most of what its page says."""
BELOW_LISTINGS: Final = 20
"""Blocks below the last text in which lines of a listing are looked for."""
_NEVER_CODE: Final = names.COMMENTS | names.NAV_TAG | names.FOOTER_TAG


@dataclass(frozen=True, slots=True)
class OwnReading:
    """Indexes of the blocks that belong to the article, in reading order. `core` are whole sentences among them.
    `is_sure`: whether they are enough, and enough of the page, not to ask another reader.
    """

    places: tuple[int, ...] = ()
    core: frozenset[int] = frozenset()
    is_sure: bool = False


def own_reading(tree: PageTree, said: PageWords, *, weights: Mapping[str, float] = WEIGHTS) -> OwnReading:
    region = region_of(tree, title=said.title)
    if region is None:
        return OwnReading()
    if _is_in_column(tree, region):
        return OwnReading()
    found = features_of(tree, region, said)
    scores = scored(found, weights)
    kept = (scores > 0) & (_within(region) | _said_elsewhere(found, region))
    kept &= ~(found["all into site"] & (np.array(region.sizes) > LINK_BYTES) & (scores < SURELY))
    kept &= ~captions_in(region, found) & ~lines_above(tree, region, found, said.title)
    _add_listings(tree, region, kept)
    _add_endings(tree, region, scores, found, kept)
    _add_headings(found, scores, kept)
    kept &= ~labels_in(tree, found, kept) & ~pointers_in(found) & ~below_comments(tree, region)
    kept &= ~headings_of_nothing(region, found, kept) & ~far_above_headline(region, kept)
    places = tuple(int(place) for place in np.flatnonzero(kept) if tree.blocks[place].words)
    return OwnReading(
        places, frozenset(place for place in places if region.prose[place]), _is_sure(tree, region, places)
    )


def _is_in_column(tree: PageTree, region: Region) -> bool:
    """Whether the region is in a column, a menu or the footer of the site, and the headline is not: an empty page."""
    column, element = None, region.element
    while element >= 0 and tree.elements[element].tag != "body":
        if is_site_column(tree.elements[element]):
            column = element
        element = tree.parents[element]
    return column is not None and not tree.firsts[column] <= region.headline < tree.lasts[column]


def scored(found: Features, weights: Mapping[str, float]) -> np.ndarray:
    """The sum of each block's features by their weights; above 0 it belongs to the article."""
    total = np.zeros(len(found["bias"]))
    for name, weight in weights.items():
        total += weight * found[name]
    return total


def _within(region: Region) -> np.ndarray:
    """The blocks of the region, and those between the headline and it: pictures and leads are often outside."""
    places = np.arange(len(region.sizes))
    begin = region.first if region.headline < 0 else min(region.first, region.headline + 1)
    return (places >= begin) & (places < region.last)


def _said_elsewhere(found: Features, region: Region) -> np.ndarray:
    """Blocks that the page's data or its description hold, wherever they are: ingredients, steps, a summary."""
    is_free = (np.array(region.flags) & (names.FURNITURE | names.ASIDE_TAG)) == 0
    return np.asarray((found["stated"] | found["described"]) & is_free & ~found["title"])


def _is_sure(tree: PageTree, region: Region, places: tuple[int, ...]) -> bool:
    """Comments, menus and the like count for nothing, however long they are."""
    total = sum(
        size
        for size, block, flags in zip(region.sizes, tree.blocks, region.flags, strict=True)
        if 2 * block.linked < block.words and not flags & names.FURNITURE
    )
    core = sum(region.sizes[place] for place in places if region.prose[place])
    taken = sum(region.sizes[place] for place in places)
    if core < LEAST_CORE:
        return core >= max(SHORT_CORE, SHORT_CORE_SHARE * total) and taken >= SHORT_TAKEN_SHARE * total
    return core >= LEAST_CORE_SHARE * total and taken >= LEAST_TAKEN_SHARE * total


def _add_headings(found: Features, scores: np.ndarray, kept: np.ndarray) -> None:
    near = found["heading"] & ~found["all linked"] & found["between core"] & (scores > -NEARLY)
    near[:-1] &= kept[1:]
    near[-1:] = False
    kept |= near


def _add_endings(tree: PageTree, region: Region, scores: np.ndarray, found: Features, kept: np.ndarray) -> None:
    """Notes and references below the last sentence, in the box that holds most of the text; links into the site if they
    are among others. Where they are notices, they are cut later.
    """
    if not any(region.core):
        return
    first = {one: place for place, one in reversed(list(enumerate(region.boxes)))}
    box = max(set(region.boxes), key=lambda one: found["share of box"][first[one]])
    leads_on = found["asks"] | found["points"] | found["credit"]
    below = found["after core"] & found["in region"] & (np.array(region.boxes) == box) & ~leads_on
    elsewhere = below & ~found["linked into site"].astype(bool) & ~found["heading"] & (scores > -ENDING)
    reach = np.flatnonzero(elsewhere)
    if len(reach):
        kept |= below & (np.arange(len(kept)) <= reach[-1])


def _add_listings(tree: PageTree, region: Region, kept: np.ndarray) -> None:
    """Code between what is taken and shortly below: it is no prose, and its lines repeat by nature."""
    held = np.flatnonzero(kept)
    if not len(held):
        return
    end = min(region.last, int(held[-1]) + BELOW_LISTINGS)
    for place in range(max(region.first, int(held[0])), end):
        block = tree.blocks[place]
        if not kept[place] and not region.flags[place] & _NEVER_CODE and is_code(block):
            parent = block.element.getparent()
            kept[place] = not is_gutter(block.element) and (parent is None or not is_gutter(parent))
