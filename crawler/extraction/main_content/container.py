"""Finds the element that holds the article, given the blocks that readers took for it. Pure."""

from collections.abc import Collection, Sequence
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element, is_code

_PAGE: Final = frozenset({"body", "html"})

HELD_SHARE: Final = 0.8
"""Of the core's words that the element must hold. The rest are teasers that both readers took along."""

_PARTS_TEXT: Final = """
    p pre code li dt dd h1 h2 h3 h4 h5 h6 blockquote figure figcaption table thead tbody tr
    a b em font i small span strong
"""
_PARTS: Final = frozenset(_PARTS_TEXT.split())
"""Elements of an article. The one paragraph or listing that makes most of a short article is not all of it:
their parent says what belongs to it. A cell may be the article's, in pages built of tables.
"""


def container_of(
    root: Element, page: Sequence[Block], *, core: Collection[int], chosen: Collection[int], rest: Collection[int]
) -> Element:
    """The element that holds the core and little else; `root` if the core is empty.

    `core`, `chosen` and `rest` are places in `page`, the blocks below `root`: what is surely of the article, what a
    reader took for it, and what speaks against an element that holds it. Begins with the deepest element that holds
    nearly all of the core and more than a paragraph or a listing, and goes up as long as that brings in more of what
    was chosen than of the rest.
    """
    core_words = _sums(root, page, core)
    current = _with_its_neighbours(root, page, _deepest(root, core_words))
    chosen_words, other = _sums(root, page, chosen), _sums(root, page, rest)
    best, best_gain = current, 0
    for above in () if current is root else current.iterancestors():
        gain = (chosen_words[above] - chosen_words[current]) - (other[above] - other[current])
        if gain > best_gain:
            best, best_gain = above, gain
        if above is root:
            break
    return best


def _deepest(root: Element, core_words: dict[Element, int]) -> Element:
    least = HELD_SHARE * core_words[root]
    current: Element | None = root if least else None
    deepest = root
    while current is not None:
        deepest = current
        current = next((child for child in current if core_words[child] >= least), None)
    return deepest


def _with_its_neighbours(root: Element, page: Sequence[Block], part: Element) -> Element:
    """`part`, or what it is a part of."""
    prose = _sums(root, page, [place for place, block in enumerate(page) if not _is_of_listing(block)])
    current = part
    while current is not root and (current.tag in _PARTS or not prose[current]):
        above = current.getparent()
        if above is None or above.tag in _PAGE:
            break
        current = above
    return current


def _is_of_listing(block: Block) -> bool:
    """Code, or the number of one of its lines."""
    return is_code(block) or block.text.isdigit()


def _sums(root: Element, page: Sequence[Block], places: Collection[int]) -> dict[Element, int]:
    """Words of the blocks at `places` below each element."""
    sums = dict.fromkeys(root.iter(), 0)
    for place in places:
        sums[page[place].element] += page[place].words
    for element in reversed(sums):
        parent = element.getparent()
        if parent is not None and element is not root:
            sums[parent] += sums[element]
    return sums
