"""Finds lists of teasers: elements alike and side by side, each with a linked title of another page. Pure."""

from collections import defaultdict
from itertools import accumulate
from typing import Final

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import Block

FEWEST: Final = 3
TEASING_SHARE: Final = 0.75
"""Of the elements alike that must hold a linked title. A paragraph of an article may be one, but not most."""
LARGEST: Final = 800
"""Bytes of one teaser, on average. More are sections of an article."""
TITLE_BYTES: Final = 20
TITLE_LINKED: Final = 0.8


def teasers_in(tree: PageTree, sizes: list[int]) -> list[int]:
    """Indexes of the elements that are teasers. `sizes` are those of the blocks."""
    titles = [0, *accumulate(_is_linked_title(block, size) for block, size in zip(tree.blocks, sizes, strict=True))]
    lengths = [0, *accumulate(sizes)]
    alike: defaultdict[tuple[int, object, object], list[int]] = defaultdict(list)
    for index, (element, first, last) in enumerate(zip(tree.elements, tree.firsts, tree.lasts, strict=True)):
        if first < last:
            alike[tree.parents[index], element.tag, element.get("class")].append(index)
    found: list[int] = []
    for group in alike.values():
        if len(group) < FEWEST:
            continue
        teasing = sum(titles[tree.lasts[index]] > titles[tree.firsts[index]] for index in group)
        length = sum(lengths[tree.lasts[index]] - lengths[tree.firsts[index]] for index in group)
        if teasing >= max(FEWEST, TEASING_SHARE * len(group)) and length <= LARGEST * len(group):
            found.extend(group)
    return found


def _is_linked_title(block: Block, size: int) -> bool:
    return (
        size >= TITLE_BYTES
        and block.linked_share > TITLE_LINKED
        and any(not link.startswith("#") for link in block.links[:1])
    )
