"""Features of a block by its markup: pictures beside it, emphasis, its class, its place among the sentences. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, TypeAlias

import numpy as np

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import Element
from crawler.extraction.main_content.article_region import Region
from crawler.extraction.main_content.element_names import CAPTION_TAG

Features: TypeAlias = dict[str, np.ndarray]

BLOCKS_WITH_PICTURE: Final = 2
"""In the largest element around a block in which a picture is looked for: a caption, and who took it."""
FEWEST_ENDS: Final = 3
"""Sentences of an article whose first and last have features of their own."""
_PICTURES: Final = frozenset({"img", "picture", "video"})
_EMPHASIS: Final = frozenset({"em", "i", "strong", "b", "small"})
_PAGE: Final = frozenset({"body", "html"})


def features_of_markup(tree: PageTree, region: Region, found: Features) -> Features:
    """`found`: those of the block's place."""
    pictures = [0, *accumulate(element.tag in _PICTURES for element in tree.elements)]
    core = np.flatnonzero(np.array(region.core))
    first, last = np.zeros(len(tree.blocks), dtype=bool), np.zeros(len(tree.blocks), dtype=bool)
    if len(core) >= FEWEST_ENDS:
        first[core[0]] = last[core[-1]] = True
    emphasis = np.array([_is_emphasised(tree.elements[owner]) for owner in tree.owners], dtype=bool)
    return _of_class(tree, region) | {
        "with picture": np.array([_has_picture(tree, pictures, owner) for owner in tree.owners], dtype=bool),
        "caption tag": (np.array(region.flags) & CAPTION_TAG) > 0,
        "emphasis": emphasis,
        "emphasis at end": emphasis & (last | found["after core"]),
        "first of core": first,
        "last of core": last,
    }


def _has_picture(tree: PageTree, pictures: Sequence[int], element: int) -> bool:
    """Whether a picture is in the largest element around a block that holds hardly any other text."""
    while (parent := tree.parents[element]) >= 0:
        blocks = tree.lasts[parent] - tree.firsts[parent]
        if blocks > BLOCKS_WITH_PICTURE or tree.elements[parent].tag in _PAGE:
            break
        element = parent
    return pictures[tree.ends[element]] > pictures[element]


def _is_emphasised(element: Element) -> bool:
    """Whether the whole of a block is in italics or bold, as notes are."""
    if element.tag in _EMPHASIS:
        return True
    if len(element) != 1 or (element.text or "").strip():
        return False
    return element[0].tag in _EMPHASIS and not (element[0].tail or "").strip()


def _of_class(tree: PageTree, region: Region) -> Features:
    """How much of the core is in elements of the block's own tag and class; `own class`: it has one, and none is."""
    kinds = [(tree.elements[owner].tag, tree.elements[owner].get("class")) for owner in tree.owners]
    held: defaultdict[object, int] = defaultdict(int)
    for kind, size in zip(kinds, region.core, strict=True):
        held[kind] += size
    total = sum(region.core) or 1
    return {
        "class share": np.array([held[kind] / total for kind in kinds]),
        "own class": np.array([kind[1] is not None and not held[kind] for kind in kinds], dtype=bool),
    }
