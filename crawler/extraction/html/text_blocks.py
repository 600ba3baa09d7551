"""Splits an element into blocks of text, as a reader sees paragraphs, with the share of links in each. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lxml.etree import _Element

Element: TypeAlias = _Element

_UNSEEN_TEXT: Final = """
    script style noscript template iframe object embed svg math canvas video audio map title meta link select option
    datalist button input textarea dialog graphic
"""
_UNSEEN: Final = frozenset(_UNSEEN_TEXT.split())
_BLOCKS_TEXT: Final = """
    address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul
    ab cell head item lb list quote row
"""
_BLOCKS: Final = frozenset(_BLOCKS_TEXT.split())
_LINKS: Final = frozenset({"a", "ref"})
_PREFORMATTED: Final = frozenset({"pre", "textarea", "listing", "xmp"})
_INSIDE_CODE: Final = frozenset({"pre", "code", "div", "span", "p"})
_SPACES: Final = re.compile(r"[ \t\r\n\f\v\u00a0\u3000]+")
_SPACES_AROUND_LINES: Final = re.compile(r" *( |\n) *")
_LINE_SPACES: Final = re.compile(r"[ \t\r\f\v\u00a0\u3000]+")


@dataclass(slots=True)
class Block:
    """A paragraph, heading, item or cell, and its element."""

    element: Element
    text: str
    linked: int
    """Word characters inside links."""
    words: int
    """Word characters in all."""
    links: tuple[str, ...] = ()
    """Where its links lead, as written."""

    @property
    def linked_share(self) -> float:
        return self.linked / self.words if self.words else 0.0


@dataclass(slots=True)
class _Open:
    element: Element
    pieces: list[str] = field(default_factory=list)
    linked: int = 0
    links: list[str] = field(default_factory=list)


def word_count(text: str) -> int:
    """Word characters: letters, digits and Han, as the measures of this package count length."""
    return sum(map(str.isalnum, text))


def is_code(block: Block) -> bool:
    """Whether a block is of a listing."""
    element: Element | None = block.element
    while element is not None and element.tag in _INSIDE_CODE:
        if element.tag == "pre":
            return True
        element = element.getparent()
    return False


def blocks(root: Element) -> Iterator[Block]:
    """The blocks below `root` in reading order. Walks by events, not by recursion: pages nest deeply."""
    walk = _Walk(root)
    yield from walk.run()


def text_of(root: Element) -> str:
    """The text below `root`, paragraphs separated by line breaks."""
    return "\n".join(block.text for block in blocks(root))


class _Walk:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._stack: list[Element] = []
        self._open = _Open(root)
        self._hrefs: list[str] = []
        self._pre_depth = 0

    def run(self) -> Iterator[Block]:
        element: Element | None = self._root
        while element is not None:
            visible = _is_visible(element)
            if visible:
                yield from self._enter(element)
                if len(element):
                    self._stack.append(element)
                    element = element[0]
                    continue
                yield from self._leave(element)
            element, closed = self._next(element)
            yield from closed
        yield from self._close(self._root)

    def _next(self, element: Element) -> tuple[Element | None, list[Block]]:
        """The element after `element`, with the blocks that end on the way there."""
        closed: list[Block] = []
        while True:
            if element is self._root:
                return None, closed
            self._add(element.tail)
            following = element.getnext()
            if following is not None:
                return following, closed
            element = self._stack.pop()
            closed.extend(self._leave(element))

    def _enter(self, element: Element) -> Iterator[Block]:
        if element.tag == "br":
            yield from self._close(self._open.element)
        if element.tag in _BLOCKS:
            yield from self._close(element)
        if element.tag in _LINKS:
            self._hrefs.append(element.get("href") or "")
            self._open.links.append(self._hrefs[-1])
        self._pre_depth += element.tag in _PREFORMATTED
        self._add(element.text)

    def _leave(self, element: Element) -> Iterator[Block]:
        if element.tag in _LINKS:
            self._hrefs.pop()
        self._pre_depth -= element.tag in _PREFORMATTED
        if element.tag in _BLOCKS:
            parent = element.getparent()
            yield from self._close(parent if parent is not None and element is not self._root else element)

    def _add(self, text: str | None) -> None:
        if not text:
            return
        self._open.pieces.append(_LINE_SPACES.sub(" ", text) if self._pre_depth else _SPACES.sub(" ", text))
        if self._hrefs:
            self._open.linked += word_count(text)

    def _close(self, following: Element) -> Iterator[Block]:
        # A link may hold blocks, or go on from one into the next.
        ended, self._open = self._open, _Open(following, links=self._hrefs[-1:])
        text = _SPACES_AROUND_LINES.sub(r"\1", "".join(ended.pieces)).strip()
        if text:
            yield Block(ended.element, text, ended.linked, word_count(text), tuple(ended.links))


def _is_visible(element: Element) -> bool:
    if element.tag == "head":  # trafilatura calls headings so
        parent = element.getparent()
        return parent is not None and parent.tag != "html"
    return isinstance(element.tag, str) and element.tag not in _UNSEEN
