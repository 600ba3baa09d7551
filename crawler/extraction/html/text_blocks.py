"""Blocks of text, as a reader sees paragraphs, with the share of links in each. Pure."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lxml.etree import _Element

Element: TypeAlias = _Element

_INSIDE_CODE: Final = frozenset({"pre", "code", "div", "span", "p"})


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
    _letters: str | None = field(default=None, repr=False, compare=False)

    @property
    def letters(self) -> str:
        """Its word characters, which several readers compare."""
        if self._letters is None:
            self._letters = letters_of(self.text)
        return self._letters

    @property
    def linked_share(self) -> float:
        return self.linked / self.words if self.words else 0.0


def letters_of(text: str) -> str:
    """The word characters of a text."""
    return "".join(filter(str.isalnum, text))


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
