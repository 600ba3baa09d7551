"""Features of a block by its words: what the page's data state, what it asks for, what it points to. Pure."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import letters_of
from crawler.extraction.main_content.article_region import Region
from crawler.extraction.main_content.block_markup import Features
from crawler.extraction.main_content.block_phrases import (
    CREDIT,
    CREDIT_AT_END,
    CREDIT_END,
    LOOKED_AT,
    POINTING,
    is_asking,
)
from crawler.extraction.main_content.page_words import PageWords

STATED_LETTERS: Final = 12
"""Of a block that is compared with the text in the page's data."""
LEAST_STATED: Final = 0.5
"""Of the core. Where the data hold less, they state a part of the article, or another text."""
LONGEST_REQUEST: Final = 600
LONGEST_LINE: Final = 300
"""Bytes of a block whose words are looked at. Longer ones may speak of subscriptions."""
POINTING_LINKED: Final = 0.2


def features_of_words(tree: PageTree, region: Region, said: PageWords, found: Features) -> Features:
    """`found`: those of the block's text and links."""
    heads = [block.text[:LOOKED_AT].lower() for block in tree.blocks]
    sizes = np.array(region.sizes)
    lines = sizes < LONGEST_LINE
    # Most blocks of a page are menus, or outside what can be taken: searching them would take longer than the rest.
    near = found["in region"] | found["below headline"]
    is_read = near & (sizes < LONGEST_REQUEST) & ~found["all linked"]
    asks = np.array([bool(one) and is_asking(head) for one, head in zip(is_read, heads, strict=True)])
    credit = np.array([bool(one) and CREDIT.search(head) is not None for one, head in zip(is_read, heads, strict=True)])
    tails = [
        block.text[-CREDIT_AT_END:].lower() if one else "" for one, block in zip(is_read, tree.blocks, strict=True)
    ]
    credit |= np.array([CREDIT_END.search(tail) is not None for tail in tails], dtype=bool)
    points = lines & np.array([POINTING.match(head) is not None for head in heads], dtype=bool)
    named = [bool(one) and _names(head, said.site_names) for one, head in zip(asks, heads, strict=True)]
    return _of_stated(tree, region, said) | {
        "credit": credit,
        "asks": asks,
        "asks, names site": asks & np.array(named, dtype=bool),
        "points": points,
        "points, linked": points & (found["linked"] > POINTING_LINKED),
        "points, colon": points & found["colon"],
    }


def _names(text: str, names: Sequence[str]) -> bool:
    letters = letters_of(text).lower()
    return any(name in letters for name in names)


def _of_stated(tree: PageTree, region: Region, said: PageWords) -> Features:
    """Whether the page's data hold a block; and, where they hold most of the article, whether they do not."""
    nowhere = np.zeros(len(tree.blocks), dtype=bool)
    if not said.stated:
        return {"stated": nowhere, "unstated": nowhere}
    letters = [block.letters for block in tree.blocks]
    comparable = np.array([len(own) >= STATED_LETTERS for own in letters], dtype=bool)
    stated = comparable & np.array([own in said.stated for own in letters], dtype=bool)
    core = np.array(region.core)
    is_whole = 0 < core.sum() * LEAST_STATED <= core[stated].sum()
    return {"stated": stated, "unstated": comparable & ~stated if is_whole else nowhere}
