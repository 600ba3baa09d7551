"""Crawled text with nothing hidden in it: characters that a reader cannot see get a visible name."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

_HARMLESS = frozenset("\n\t\r")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols by category, blank by their looks."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Readable text, or `count` times one character that shows nothing: `name` is then its code point."""

    text: str
    name: str = ""
    count: int = 1

    @property
    def marker(self) -> str:
        times = f" ×{self.count}" if self.count > 1 else ""
        return f"⟪{self.name}{times}⟫" if self.name else self.text

    @property
    def meaning(self) -> str:
        """The code point with its Unicode name, as far as it has one."""
        return f"{self.name} {unicodedata.name(self.text[0], '')}".strip()


def pieces(text: str) -> Iterator[Piece]:
    """`text` in order, readable stretches apart from hidden characters; the pieces' texts make `text` again."""
    for hidden, run in groupby(text, key=_hidden_name):
        characters = "".join(run)
        yield Piece(characters, hidden, len(characters) if hidden else 1)


def marked(text: str) -> str:
    """`text` with a marker in the place of every hidden character, for where no markup can stand."""
    if text.isprintable():
        # Blank letters count as printable: they are the only ones left to look for.
        return text if _BLANK_LETTERS.isdisjoint(text) else "".join(piece.marker for piece in pieces(text))
    return "".join(piece.marker for piece in pieces(text))


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def fitting(text: str, columns: int) -> str:
    """Shortened to a width where characters cannot be counted alike: a Chinese one takes two columns."""
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
