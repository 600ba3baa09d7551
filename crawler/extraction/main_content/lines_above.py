"""Finds lines that are none of the text, whatever their weights: captions, and what is between headline and text. Pure.

Labels of pages are samples of sentences: they hold few names, dates and buttons, so weights fitted to them say little
about these.
"""

import re
from typing import Final

import numpy as np

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.main_content import element_names as names
from crawler.extraction.main_content.article_region import Region
from crawler.extraction.main_content.block_markup import Features

SHORT: Final = 60
"""Bytes of a line between headline and text that says who, when, or share."""
MOST_CAPTIONS: Final = 0.5
"""Of the sentences. Where captions hold more, they are the article: a picture story."""
SAME_WORDS: Final = 0.5
"""Of the words of two headlines, of which one is the other in another spelling."""
FEWEST_WORDS: Final = 3
_AROUND: Final = (
    names.SHARING | names.AUTHOR | names.ASKING | names.MENU | names.FOOTER | names.FOOTER_TAG | names.FORM_TAG
)
_ADDRESS: Final = "://"
"""Many hold a date."""
_WORD: Final = re.compile(r"\w+")


def captions_in(region: Region, found: Features) -> np.ndarray:
    """Captions of pictures, unless they are most of the text."""
    captions = np.asarray((found["caption tag"] & found["with picture"]) | found["pictured credit"])
    core = np.array(region.core)
    return captions if core[captions].sum() <= MOST_CAPTIONS * core.sum() else np.zeros_like(captions)


def lines_above(tree: PageTree, region: Region, found: Features, title: str) -> np.ndarray:
    """Lines above the first sentence of the region: names, dates, buttons, and the headline said again."""
    core = np.flatnonzero(np.array(region.core))
    above = np.arange(len(tree.blocks)) < (core[0] if len(core) else 0)
    sizes, flags = np.array(region.sizes), np.array(region.flags)
    is_line = (
        (sizes < SHORT)
        & ~np.array(region.prose, dtype=bool)
        & ~found["stated"]
        & ~found["described"]
        & ~found["heading"]
    )
    named = (flags & _AROUND) > 0
    again, dated = np.zeros_like(above), np.zeros_like(above)
    for place in np.flatnonzero(above):
        text = tree.blocks[place].text
        again[place] = found["heading"][place] and not found["title"][place] and _says_the_same(text, title)
        dated[place] = found["date"][place] and _ADDRESS not in text
    return np.asarray(above & ((is_line & (named | dated)) | again))


def _says_the_same(text: str, title: str) -> bool:
    own, stated = (frozenset(_WORD.findall(one[:300].lower())) for one in (text, title))
    return min(len(own), len(stated)) >= FEWEST_WORDS and len(own & stated) > SAME_WORDS * len(own | stated)
