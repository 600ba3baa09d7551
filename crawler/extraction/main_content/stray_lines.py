"""Finds lines between an article's paragraphs that are none of it, whatever their weights: labels of advertisements,
calls to click, links to other articles, headings of boxes of which nothing else is taken, comments below. Pure.
"""

from collections import Counter
from typing import Final

import numpy as np

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.main_content.article_region import Region
from crawler.extraction.main_content.block_markup import Features
from crawler.extraction.main_content.block_phrases import LABEL, OVER_COMMENTS

LONGEST_LABEL: Final = 60
"""Characters."""
LONGEST_LINE: Final = 220
"""Characters of a line over the comments, which may name the article."""
NEAR_HEADLINE: Final = 5
"""Lines above the headline in which a lead or the name of a series may stand."""
MOSTLY_BELOW: Final = 0.8
FEWEST_SHOUTED: Final = 3
"""Words in capitals of a paragraph that is a link. Fewer are names."""


def labels_in(tree: PageTree, found: Features, kept: np.ndarray) -> np.ndarray:
    """Of `kept`, lines that are nothing but a label, and paragraphs that are a link in capitals: “CLICK HERE FOR THE
    APP”.
    """
    labels = np.zeros(len(kept), dtype=bool)
    linked = found["all linked"] & ~found["heading"]
    for place in np.flatnonzero(kept):
        text = tree.blocks[place].text
        labels[place] = _is_label(text) or (bool(linked[place]) and _is_shouted(text))
    return labels


def pointers_in(found: Features) -> np.ndarray:
    """Links into the site directly below a line such as “More on this”, with it."""
    pointing = np.zeros(len(found["points"]), dtype=bool)
    into_site = found["all into site"]
    for place in np.flatnonzero(found["points"] & (found["heading"] | found["colon"]) & ~found["all linked"]):
        end = int(place) + 1
        while end < len(pointing) and into_site[end]:
            end += 1
        pointing[place:end] |= end > place + 1
    return pointing


def headings_of_nothing(region: Region, found: Features, kept: np.ndarray) -> np.ndarray:
    """Headings in boxes of which nothing else is taken, though there is something below them: “Our newsletter”."""
    nothing = np.zeros(len(kept), dtype=bool)
    taken = {box for box, one in zip(region.boxes, kept & ~found["heading"], strict=True) if one}
    for place in np.flatnonzero(kept & found["heading"]):
        following = int(place) + 1
        if following < len(kept) and not kept[following] and region.boxes[place] not in taken:
            nothing[place] = region.boxes[place] == region.boxes[following]
    return nothing


def far_above_headline(region: Region, kept: np.ndarray) -> np.ndarray:
    """What is some lines above the headline, if nearly all of `kept` is below it: notices of the site."""
    here, sizes = np.arange(len(kept)), np.array(region.sizes)
    if region.headline < 0 or sizes[kept & (here > region.headline)].sum() < MOSTLY_BELOW * sizes[kept].sum():
        return np.zeros(len(kept), dtype=bool)
    return here < region.headline - NEAR_HEADLINE


def below_comments(tree: PageTree, region: Region) -> np.ndarray:
    """What follows the line over the comments, which is below the box with most of the sentences."""
    held = Counter[int]()
    for box, size in zip(region.boxes, region.core, strict=True):
        held[box] += size
    main = max(held, key=lambda box: held[box], default=-1)
    last = max(
        (place for place, size in enumerate(region.core) if size and region.boxes[place] == main), default=region.last
    )
    here = np.arange(len(tree.blocks))
    for place in range(last + 1, region.last):
        text = tree.blocks[place].text
        if len(text) <= LONGEST_LINE and OVER_COMMENTS.fullmatch(text.lower()):
            return here >= place
    return np.zeros(len(tree.blocks), dtype=bool)


def _is_label(text: str) -> bool:
    return len(text) <= LONGEST_LABEL and LABEL.fullmatch(text.lower()) is not None


def _is_shouted(text: str) -> bool:
    return len(text.split()) >= FEWEST_SHOUTED and text.isupper()
