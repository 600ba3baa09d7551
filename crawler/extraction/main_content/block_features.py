"""Features of a page's blocks, from which is judged whether each belongs to the article. Pure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import Block, letters_of
from crawler.extraction.main_content import element_names as names
from crawler.extraction.main_content.article_region import Region
from crawler.extraction.main_content.block_markup import Features, features_of_markup
from crawler.extraction.main_content.block_words import LONGEST_LINE, features_of_words
from crawler.extraction.main_content.page_words import PageWords
from crawler.extraction.main_content.trimming import is_title
from crawler.extraction.main_content.trimming_phrases import DATE_LIKE
from crawler.urls.canonical import host_of

ALL_LINKED: Final = 0.8
SHORT: Final = 30
LONG: Final = 300
DATE_LINE: Final = 80
INTRODUCING: Final = 100
"""Bytes of a line over links."""
ENDING: Final = 60
HALF: Final = 0.5
NEARLY_ALL: Final = 0.8
"""Of the sentences, in one box: what is in others interrupts them."""
LARGEST: Final = 7.0
"""Of the logarithm of a size: beyond a kilobyte all blocks are long."""
FARTHEST: Final = 4.0
"""Of the logarithm of a distance in blocks."""
LEAD_LETTERS: Final = 40
"""Word characters by which a paragraph is recognised as the page's description."""
LEAST_LEAD: Final = 20
LINKS_LOOKED_AT: Final = 5
_NAMED: Final = {
    "named body": names.BODY,
    "named text": names.TEXT,
    "picture": names.PICTURE | names.CAPTION_TAG,
    "asking": names.ASKING,
    "author": names.AUTHOR,
    "box": names.BOX,
    "footer": names.FOOTER,
    "menu": names.MENU,
    "related": names.RELATED,
    "comments": names.COMMENTS,
    "sharing": names.SHARING,
    "advert": names.ADVERT,
    "hidden": names.HIDDEN,
    "article tag": names.ARTICLE_TAG,
    "aside tag": names.ASIDE_TAG,
    "footer tag": names.FOOTER_TAG,
    "nav tag": names.NAV_TAG,
    "table tag": names.TABLE_TAG,
    "form tag": names.FORM_TAG,
    "teaser": names.TEASER,
}
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def features_of(tree: PageTree, region: Region, said: PageWords) -> Features:
    """Each feature by its name: an array with a number for each block, mostly 0 or 1."""
    sizes = np.array(region.sizes, dtype=float)
    linked = np.array([block.linked_share for block in tree.blocks])
    found = _of_text(tree.blocks, region, said, sizes, linked)
    found |= _of_links(tree, said, linked, sizes)
    found |= _of_place(region, found)
    found |= _of_company(tree, region)
    found |= features_of_words(tree, region, said, found)
    found |= features_of_markup(tree, region, found)
    flags = np.array(region.flags)
    found |= {name: (flags & flag) > 0 for name, flag in _NAMED.items()}
    has_body = bool(found["named body"].any())
    found["not in named body"] = np.full(len(sizes), has_body) & ~found["named body"]
    found["teased"] = found.pop("off main box") & found["link before"] & ~found["all linked"] & ~found["item"]
    found["pictured credit"] = found["with picture"] & found["credit"]
    found["credit"] &= sizes < LONGEST_LINE
    found["link among own"] = found["all into site"] & found["beside core"]
    found["bias"] = np.ones(len(sizes))
    return found


def _of_text(
    blocks: Sequence[Block], region: Region, said: PageWords, sizes: np.ndarray, linked: np.ndarray
) -> Features:
    tags = [str(block.element.tag) for block in blocks]
    parents = [block.element.getparent() for block in blocks]
    heading = np.array(
        [
            tag in _HEADINGS or (parent is not None and parent.tag in _HEADINGS)
            for tag, parent in zip(tags, parents, strict=True)
        ],
        dtype=bool,
    )
    prose = np.array(region.prose, dtype=bool)
    paragraph = np.array([tag == "p" for tag in tags])
    counts = Counter(block.text for block in blocks)
    return {
        "size": np.minimum(np.log(sizes + 1), LARGEST),
        "short": sizes < SHORT,
        "long": sizes > LONG,
        "heading": heading,
        "paragraph": paragraph,
        "paragraph, no sentence": paragraph & ~prose,
        "item": np.array([tag in ("li", "dd", "dt") for tag in tags]),
        "cell": np.array([tag in ("td", "th") for tag in tags]),
        "date": np.array(
            [
                size < DATE_LINE and DATE_LIKE.search(block.text) is not None
                for block, size in zip(blocks, region.sizes, strict=True)
            ]
        ),
        "repeated": np.array([counts[block.text] > 1 for block in blocks]),
        "title": np.array([is_title(block, said.title) for block in blocks]),
        "described": _described(blocks, said.description),
        "colon": np.array([block.text.endswith((":", "：")) for block in blocks]),
        "dots": np.array([block.text.endswith(("...", "…", "[…]")) for block in blocks]),
        "copyright": np.array(["©" in block.text[:200] for block in blocks]),
    }


def _described(blocks: Sequence[Block], description: str) -> np.ndarray:
    """Whether a block begins as the page's own description does: many name the first paragraph."""
    lead = letters_of(description)[:LEAD_LETTERS]
    if len(lead) < LEAST_LEAD:
        return np.zeros(len(blocks), dtype=bool)
    begins = (
        letters_of(block.text[: 4 * LEAD_LETTERS])[:LEAD_LETTERS] if block.words >= LEAST_LEAD else ""
        for block in blocks
    )
    return np.array([len(own) >= LEAST_LEAD and (own.startswith(lead) or lead.startswith(own)) for own in begins])


def _of_links(tree: PageTree, said: PageWords, linked: np.ndarray, sizes: np.ndarray) -> Features:
    host = host_of(said.url)
    into_site = np.array([_leads_into(host, block.links[:LINKS_LOOKED_AT]) for block in tree.blocks], dtype=bool)
    whole = linked > ALL_LINKED
    before, after = np.zeros_like(whole), np.zeros_like(whole)
    before[1:], after[:-1] = whole[:-1], whole[1:]
    in_list = np.array([block.element.tag in ("li", "dd", "dt", "td", "th") for block in tree.blocks], dtype=bool)
    return {
        "linked": linked,
        "all linked": whole,
        "linked into site": into_site * linked,
        "all into site": into_site & whole,
        "link as paragraph": into_site & whole & ~in_list,
        "link before": before,
        "link after": after & (sizes < INTRODUCING) & (linked < HALF),
    }


def _leads_into(host: str, links: Sequence[str]) -> bool:
    return any(not link.startswith(("http:", "https:", "//")) or host in link for link in links)


def _of_place(region: Region, found: Features) -> Features:
    count = len(region.sizes)
    places = np.arange(count)
    core = np.array(region.core) > 0
    held = np.flatnonzero(core)
    first, last = (int(held[0]), int(held[-1])) if len(held) else (region.first, region.last)
    after_previous, before_next = _distances(core)
    inside = (places >= region.first) & (places < region.last)
    after = places > last
    return {
        "above headline": places < region.headline,
        "below headline": (places > region.headline) & (places < first) & (region.headline >= 0),
        "in region": inside,
        "below region": places >= region.last,
        "between core": (places >= first) & (places <= last),
        "after core": after,
        "short after core": after & (np.array(region.sizes) < ENDING),
        "distance": np.minimum(np.log(np.minimum(after_previous, before_next) + 1), FARTHEST),
        "next to core": after_previous == 1,
        "heading of core": found["heading"] & (before_next <= 1),
    }


def _distances(core: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many blocks each is after the last of the core, and before the next one; large where there is none."""
    count = len(core)
    places = np.arange(count)
    previous = np.maximum.accumulate(np.where(core, places, -50))
    following = np.minimum.accumulate(np.where(core, places, count + 50)[::-1])[::-1]
    return places - previous, following - places


def _of_company(tree: PageTree, region: Region) -> Features:
    """How much of the core is in the same box, in the box around it, and in elements of the same kind."""
    total = sum(region.core) or 1
    by_box: defaultdict[int, int] = defaultdict(int)
    by_outer: defaultdict[int, int] = defaultdict(int)
    by_kind: defaultdict[object, int] = defaultdict(int)
    outer = [tree.parents[box] for box in region.boxes]
    kinds = [
        (block.element.tag, tree.elements[box].get("class"))
        for block, box in zip(tree.blocks, region.boxes, strict=True)
    ]
    for size, box, around, kind in zip(region.core, region.boxes, outer, kinds, strict=True):
        if size:
            by_box[box] += size
            by_outer[around] += size
            by_kind[kind] += size
    shares = _Shares(tree, region)
    return _strays(region, region.boxes, by_box, total) | {
        "share of box": np.array([by_box[box] / total for box in region.boxes]),
        "share around box": np.array([by_outer[around] / total for around in outer]),
        "beside core": np.array([box in by_box for box in region.boxes], dtype=bool),
        "share of kind": np.array([by_kind[kind] / total for kind in kinds]),
        "of core's kind": np.array([kind in by_kind and by_kind[kind] > 0 for kind in kinds], dtype=bool),
        "links in box": np.array([shares.linked(box) for box in region.boxes]),
        "links around box": np.array([shares.linked(max(0, around)) for around in outer]),
        "core around box": np.array([shares.core(max(0, around)) for around in outer]),
        "alone in box": np.array([tree.lasts[box] - tree.firsts[box] == 1 for box in region.boxes], dtype=bool),
    }


def _strays(region: Region, boxes: Sequence[int], held: Mapping[int, int], total: int) -> Features:
    """Blocks out of the box in which nearly all sentences are, above its first one, below its last, or between: the
    captions, boxes and lists that interrupt a text.
    """
    main = max(held, key=lambda box: held[box], default=-1)
    of_main = np.array([box == main for box in boxes], dtype=bool)
    places = np.flatnonzero(of_main & (np.array(region.core) > 0))
    here = np.arange(len(boxes))
    first, last = (places[0], places[-1]) if len(places) else (0, 0)
    is_whole = len(places) > 0 and held[main] >= NEARLY_ALL * total
    stray = ~of_main & is_whole
    return {
        "stray above": stray & (here < first),
        "stray between": stray & (here >= first) & (here <= last),
        "stray below": stray & (here > last),
        "off main box": ~of_main & (here > last),
    }


class _Shares:
    """Shares of the text below elements."""

    def __init__(self, tree: PageTree, region: Region) -> None:
        self._tree = tree
        self._sizes = [0, *accumulate(region.sizes)]
        self._core = [0, *accumulate(region.core)]
        self._words = [0, *accumulate(block.words for block in tree.blocks)]
        self._links = [0, *accumulate(block.linked for block in tree.blocks)]

    def linked(self, element: int) -> float:
        return self._share(self._links, self._words, element)

    def core(self, element: int) -> float:
        return self._share(self._core, self._sizes, element)

    def _share(self, part: Sequence[int], whole: Sequence[int], element: int) -> float:
        first, last = self._tree.firsts[element], self._tree.lasts[element]
        return (part[last] - part[first]) / max(1, whole[last] - whole[first])
