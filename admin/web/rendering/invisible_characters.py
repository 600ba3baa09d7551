"""Crawled text with its invisible characters made visible."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from markupsafe import Markup, escape

_HARMLESS = frozenset("\n\t\r")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols by category, blank by shape."""
_INDENT: Final = Markup('<span class="indent"></span>')


@dataclass(frozen=True, slots=True)
class Piece:
    """Readable text, or `count` times one invisible character: then `name` is its code point."""

    text: str
    name: str = ""
    count: int = 1

    @property
    def marker(self) -> str:
        times = f" ×{self.count}" if self.count > 1 else ""
        return f"⟪{self.name}{times}⟫" if self.name else self.text

    @property
    def meaning(self) -> str:
        """The code point with its Unicode name, if it has one."""
        return f"{self.name} {unicodedata.name(self.text[0], '')}".strip()


def pieces(text: str) -> Iterator[Piece]:
    """`text` as readable stretches and invisible characters; the pieces' texts joined are `text`."""
    for hidden, run in groupby(text, key=_hidden_name):
        characters = "".join(run)
        yield Piece(characters, hidden, len(characters) if hidden else 1)


def indented(text: str) -> Markup:
    """`text`, escaped, with an empty element after each line end that stands for the indent of a paragraph: a text that
    is copied from the page stays as it is. Lines that begin with blanks have their indent.
    """
    first, *others = text.split("\n")
    return escape(first) + Markup().join(
        Markup("\n{}{}").format("" if line[:1].isspace() else _INDENT, line) for line in others
    )


def marked(text: str) -> str:
    """`text` with a marker in place of each invisible character, for plain-text output."""
    if text.isprintable():
        # Blank letters count as printable: only they are left to look for.
        return text if _BLANK_LETTERS.isdisjoint(text) else "".join(piece.marker for piece in pieces(text))
    return "".join(piece.marker for piece in pieces(text))


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def fitting(text: str, columns: int) -> str:
    """`text` shortened to a display width, where a Chinese character takes two columns."""
    width = 0
    for place, character in enumerate(text):
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if width > columns:
            return text[: max(place - 1, 0)] + "…"
    return text


def _hidden_name(character: str) -> str:
    if character in _HARMLESS:
        return ""
    if character in _BLANK_LETTERS or unicodedata.category(character) in _INVISIBLE_CATEGORIES:
        return f"U+{ord(character):04X}"
    return ""
