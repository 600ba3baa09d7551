"""The elements of a page with the blocks of text below each, gathered in one walk. Pure."""

import re
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from crawler.extraction.html.text_blocks import Block, Element, letters_of, word_count

_UNSEEN_TEXT: Final = """
    head script style noscript template iframe object embed svg math canvas video audio map title meta link select
    option datalist button input textarea dialog graphic rt rp
"""
_UNSEEN: Final = frozenset(_UNSEEN_TEXT.split())
_UNSEEN_WITHOUT_SCRIPTS: Final = _UNSEEN - {"noscript"}
_BLOCKS_TEXT: Final = """
    address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hr html legend li listing main nav ol p pre section summary table tbody td tfoot th thead
    tr ul xmp
"""
_BLOCKS: Final = frozenset(_BLOCKS_TEXT.split())
_PREFORMATTED: Final = frozenset({"pre", "listing", "xmp"})
_SPACES_AROUND_LINES: Final = re.compile(r" *( |\n) *")
_LINE_SPACES: Final = re.compile(r"[ \t\r\f\v\u00a0\u3000]+")


SOFT_HYPHEN: Final = "\u00ad"
"""Where a word may be broken. It is not seen, and would make two words of one."""

NOTHING: Final = -1
"""The index of no element: the root's parent, or what is never seen."""


@dataclass(slots=True)
class PageTree:
    """The elements of a page in document order, less those that are never seen.

    Of element i: `parents[i]` is the index of its parent (-1: none), `ends[i]` that after its last descendant, and
    `blocks[firsts[i]:lasts[i]]` are the blocks of text below it. `owners[k]` is the element of block k.
    """

    elements: list[Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    lasts: list[int] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)


def page_tree(root: Element, *, has_scripts: bool = True) -> PageTree:
    """The tree of a page. Without `has_scripts`, with what is shown to browsers that have none."""
    return _Walk(_UNSEEN if has_scripts else _UNSEEN_WITHOUT_SCRIPTS).over(root)


class _Walk:
    """Goes by events, not by recursion: pages nest deeply."""

    __slots__ = ("_hrefs", "_linked", "_links", "_opened", "_pieces", "_preformatted", "_stack", "_tree", "_unseen")

    def __init__(self, unseen: frozenset[str]) -> None:
        self._unseen = unseen
        self._tree = PageTree()
        self._stack = [NOTHING]
        self._pieces: list[str] = []
        self._links: list[str] = []
        self._hrefs: list[str] = []
        self._linked = 0
        self._opened = 0
        self._preformatted = 0

    def over(self, root: Element) -> PageTree:
        walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                if element.tag in self._unseen:
                    walker.skip_subtree()
                    self._stack.append(NOTHING)
                else:
                    self._enter(element)
                continue
            if event == "end":
                self._leave(element)
            if element.tail and element is not root:
                self._add(element.tail)
        self._close(0)
        self._tree.lasts[:1] = [len(self._tree.blocks)] * len(self._tree.lasts[:1])
        return self._tree

    def _enter(self, element: Element) -> None:
        tree, tag, here = self._tree, element.tag, len(self._tree.elements)
        tree.elements.append(element)
        tree.parents.append(self._stack[-1])
        tree.ends.append(here)
        tree.lasts.append(0)
        if tag in _BLOCKS:
            self._close(here)
        elif tag == "br":
            self._close(self._opened)
        self._stack.append(here)
        tree.firsts.append(len(tree.blocks))
        if tag == "a":
            self._hrefs.append(element.get("href") or "")
            self._links.append(self._hrefs[-1])
        elif tag in _PREFORMATTED:
            self._preformatted += 1
        if element.text:
            self._add(element.text)

    def _leave(self, element: Element) -> None:
        here = self._stack.pop()
        if here == NOTHING:
            return
        tag = element.tag
        if tag == "a":
            self._hrefs.pop()
        elif tag in _BLOCKS:
            self._close(max(self._stack[-1], 0))
        if tag in _PREFORMATTED:
            self._preformatted -= 1
        self._tree.ends[here] = len(self._tree.elements)
        self._tree.lasts[here] = len(self._tree.blocks)

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        if self._hrefs:
            self._linked += word_count(text)

    def _close(self, following: int) -> None:
        """Ends the open block. A link may hold blocks, or go on from one into the next."""
        if self._pieces:
            text = self._text("".join(self._pieces))
            if text:
                element = self._tree.elements[self._opened]
                letters = letters_of(text)
                self._tree.blocks.append(Block(element, text, self._linked, len(letters), tuple(self._links), letters))
                self._tree.owners.append(self._opened)
            self._pieces = []
        self._links, self._linked, self._opened = self._hrefs[-1:], 0, following

    def _text(self, joined: str) -> str:
        if SOFT_HYPHEN in joined:
            joined = joined.replace(SOFT_HYPHEN, "")
        if self._preformatted:
            return _SPACES_AROUND_LINES.sub(r"\1", _LINE_SPACES.sub(" ", joined)).strip()
        return " ".join(joined.split())


def blocks(root: Element) -> list[Block]:
    """The blocks below `root` in reading order."""
    return page_tree(root).blocks


def text_of(root: Element) -> str:
    """The text below `root`, paragraphs separated by line breaks."""
    return "\n".join(block.text for block in blocks(root))
