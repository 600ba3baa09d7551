"""Finds the part of a page in which the article is, by how much text and how little else each element holds. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import Block, is_code
from crawler.extraction.main_content.element_names import FURNITURE, HIDDEN, LASTING, MENU, TEASER, flags_of
from crawler.extraction.main_content.teasers import teasers_in
from crawler.extraction.main_content.trimming import HEADINGS, is_title
from crawler.extraction.main_content.trimming_phrases import SENTENCE_END

PROSE_BYTES: Final = 36
"""Of a paragraph that ends as a sentence does: a dozen Han characters, or six words."""
PROSE_LINKED: Final = 0.4
LONG_BYTES: Final = 100
SHORT_BYTES: Final = 20
CODE_WEIGHT: Final = 0.25
LONG_WEIGHT: Final = 0.5
OTHER_WEIGHT: Final = 0.2

MOSTLY_LINKS: Final = 0.5
MOST_INSIDE: Final = 0.5
"""Of the page's text. An element that holds more is no furniture, whatever it is called."""

MOST_TEXT_OF_MENU: Final = 0.5
"""A section that is called `toc-3` because a table of contents leads to it is no menu."""

ABOVE_HEADLINE: Final = 0.5
"""Weight of what is above the headline against an element that holds it."""

HEADING_REACH: Final = 15
"""Blocks above the region in which a main heading is looked for if none says the page's title."""
HEADING_WORDS: Final = 8

NEARLY_ALL: Final = 0.9
MOST_OF_TABLE: Final = 0.7
"""The same for a cell: cells side by side are the columns of old pages."""

_PARTS_TEXT: Final = """
    p pre code li dt dd h1 h2 h3 h4 h5 h6 blockquote figure figcaption table thead tbody tr ul ol
    a b em font i small span strong
"""
PARTS: Final = frozenset(_PARTS_TEXT.split())
"""Elements of an article, which never are one."""


@dataclass(frozen=True, slots=True)
class Region:
    """The element of the article, the blocks below it, and what was learned of all blocks on the way.

    `element` is its index, `first` and `last` are those of its blocks.
    `sizes` are bytes of UTF-8, in which a Han character counts as three letters; `core` marks whole sentences inside;
    `flags` are those of each block's elements.
    """

    element: int
    first: int
    last: int
    headline: int
    """Of the blocks; -1 if there is none."""
    sizes: list[int]
    prose: list[bool]
    core: list[int]
    """Sizes of the region's sentences; 0 for all else."""
    flags: list[int]
    boxes: list[int]
    """The nearest element of each block that is no part of an article."""


def region_of(tree: PageTree, *, title: str) -> Region | None:
    """None on a page without text."""
    sizes = [len(block.text.encode("utf-8", "replace")) for block in tree.blocks]
    prose = [_is_prose(block, size) for block, size in zip(tree.blocks, sizes, strict=True)]
    weights = [_weight(block, size, is_prose=said) for block, size, said in zip(tree.blocks, sizes, prose, strict=True)]
    flags = _flags(tree, sizes, weights, frozenset(teasers_in(tree, sizes)))
    worth = [0.0 if flag & FURNITURE else weight for flag, weight in zip(flags, weights, strict=True)]
    headline = _headline(tree, title, worth)
    value = [
        0.0 if flag & FURNITURE else weight - _cost(block, size)
        for block, size, weight, flag in zip(tree.blocks, sizes, weights, flags, strict=True)
    ]
    for place in range(headline + 1):
        value[place] = -ABOVE_HEADLINE * sizes[place]
    element = _best(tree, value)
    if element is None:
        return None
    first, last = tree.firsts[element], tree.lasts[element]
    if headline < 0:
        headline = _heading_above(tree, first, flags)
    core = [
        size if said and not flag & FURNITURE and max(first, headline + 1) <= place < last else 0
        for place, (size, said, flag) in enumerate(zip(sizes, prose, flags, strict=True))
    ]
    return Region(element, first, last, headline, sizes, prose, core, flags, _boxes(tree))


def _is_prose(block: Block, size: int) -> bool:
    return (
        size >= PROSE_BYTES
        and block.linked_share <= PROSE_LINKED
        and SENTENCE_END.search(block.text) is not None
        and not is_code(block)
    )


def _weight(block: Block, size: int, *, is_prose: bool) -> float:
    if is_prose:
        return size
    if size < SHORT_BYTES or block.linked_share > PROSE_LINKED or not block.words:
        return 0.0
    if is_code(block):
        return CODE_WEIGHT * size
    return (LONG_WEIGHT if size >= LONG_BYTES else OTHER_WEIGHT) * size


def _cost(block: Block, size: int) -> int:
    return size if block.linked_share > MOSTLY_LINKS or size < SHORT_BYTES else block.linked


def _flags(tree: PageTree, sizes: Sequence[int], weights: Sequence[float], teasers: Collection[int]) -> list[int]:
    """The flags of each block: those of all elements it is in."""
    sums, lengths = [0.0, *accumulate(weights)], [0, *accumulate(sizes)]
    most = MOST_INSIDE * sums[-1]
    found: list[int] = []
    own_flags = [flags_of(element) for element in tree.elements]
    believed = ~_disbelieved(tree, own_flags, sums)
    for flags, parent, first, last in zip(own_flags, tree.parents, tree.firsts, tree.lasts, strict=True):
        own = (flags & believed) | (TEASER if len(found) in teasers else 0)
        if own and sums[last] - sums[first] > most:
            own &= LASTING
        if own & MENU and sums[last] - sums[first] > MOST_TEXT_OF_MENU * (lengths[last] - lengths[first]):
            own &= ~MENU
        found.append(own | found[parent] if parent >= 0 else own)
    return [found[owner] for owner in tree.owners]


def _disbelieved(tree: PageTree, flags: Sequence[int], sums: Sequence[float]) -> int:
    """Flags of elements that together hold most of the page's text: sections shown one at a time are all hidden."""
    held, end = 0.0, 0
    for flag, first, last in zip(flags, tree.firsts, tree.lasts, strict=True):
        if flag & HIDDEN and last > end:
            held += sums[last] - sums[max(first, end)]
            end = last
    return HIDDEN if held > MOST_INSIDE * sums[-1] else 0


def _headline(tree: PageTree, title: str, worth: Sequence[float]) -> int:
    """The heading that says the page's title, with most of the text below it; -1 if there is none."""
    chosen = -1
    for place, block in enumerate(tree.blocks):
        tag = _heading_tag(tree, place)
        if tag is not None and is_title(block, title, is_heading=True):
            chosen = place if chosen < 0 or tag == "h1" else chosen
            if tag == "h1":
                break
    return chosen if chosen < 0 or 2 * sum(worth[chosen:]) > sum(worth) else -1


def _heading_above(tree: PageTree, first: int, flags: Sequence[int]) -> int:
    """The nearest main heading above the region that is no link, with little between: titles are cut and respelled."""
    for place in range(first - 1, max(-1, first - 1 - HEADING_REACH), -1):
        if _heading_tag(tree, place) == "h1":
            block = tree.blocks[place]
            return place if not block.linked and block.words >= HEADING_WORDS and not flags[place] & FURNITURE else -1
    return -1


def _heading_tag(tree: PageTree, place: int) -> str | None:
    owner = tree.owners[place]
    for element in (tree.elements[owner], tree.elements[max(0, tree.parents[owner])]):
        if element.tag in HEADINGS:
            return str(element.tag)
    return None


def _best(tree: PageTree, value: Sequence[float]) -> int | None:
    """The deepest element with the highest sum, which is no mere part of an article."""
    sums = [0.0, *accumulate(value)]
    best, highest = None, 0.0
    for element, (first, last) in enumerate(zip(tree.firsts, tree.lasts, strict=True)):
        total = sums[last] - sums[first]
        if total > 0 and total >= highest:
            best, highest = element, total
    best = None if best is None else _narrowed(tree, sums, best)
    while best and tree.elements[best].tag in PARTS and tree.elements[tree.parents[best]].tag not in ("body", "html"):
        best = tree.parents[best]
    return best


def _narrowed(tree: PageTree, sums: Sequence[float], element: int) -> int:
    """The deepest element below `element` that holds nearly all it is worth: the rest is beside the article."""
    worth = sums[tree.lasts[element]] - sums[tree.firsts[element]]
    place = element + 1
    while place < tree.ends[element]:
        least = MOST_OF_TABLE if tree.elements[place].tag == "td" else NEARLY_ALL
        if sums[tree.lasts[place]] - sums[tree.firsts[place]] >= least * worth:
            element = place
            place += 1
        else:
            place = tree.ends[place]
    return element


def _boxes(tree: PageTree) -> list[int]:
    boxes: list[int] = []
    for element, parent in zip(tree.elements, tree.parents, strict=True):
        boxes.append(boxes[parent] if element.tag in PARTS and parent >= 0 else len(boxes))
    return [boxes[owner] for owner in tree.owners]
