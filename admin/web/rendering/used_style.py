"""The part of a style sheet whose classes are used: of Bootstrap's two thousand the desk needs some dozens (pure)."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_CLASS: Final = re.compile(r"\.(-?[A-Za-z_](?:[\w-]|\\.)*)")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_END_OF_HEAD: Final = re.compile(r"[{;]")
_NESTED: Final = ("@media", "@supports", "@layer", "@container")
"""Rules around rules; others that begin with @, such as keyframes, are kept whole."""


_IsUsed: TypeAlias = Callable[[str], bool]


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """Every word in templates, scripts and code that may be a class."""
    return frozenset(word for text in texts for word in _WORD.findall(text))


def used_part(style: str, words: frozenset[str]) -> str:
    """The rules of `style` that can apply where only `words` are classes.

    A word that ends with a hyphen, as in `alert-{{ kind }}`, stands for all classes that begin with it.
    """
    beginnings = tuple(word for word in words if word.endswith("-") and len(word) > 1)

    def is_used(name: str) -> bool:
        return name in words or name.startswith(beginnings)

    return "".join(_kept(_COMMENT.sub("", style), is_used))


def _kept(style: str, is_used: _IsUsed) -> Iterator[str]:
    for head, body in _rules(style):
        if body is None:
            yield head
        elif head.startswith(_NESTED):
            inside = "".join(_kept(body, is_used))
            if inside:
                yield f"{head}{{{inside}}}"
        elif head.startswith("@"):
            yield f"{head}{{{body}}}"
        else:
            selectors = [one for one in _split(head) if all(map(is_used, _classes_of(one)))]
            if selectors:
                yield f"{','.join(selectors)}{{{body}}}"


def _rules(style: str) -> Iterator[tuple[str, str | None]]:
    """Heads with their blocks, and statements without one (`@charset`), in order."""
    place = 0
    while place < len(style):
        found = _END_OF_HEAD.search(style, place)
        if found is None:
            return
        head, place = style[place : found.start()].strip(), found.end()
        if found[0] == ";":
            yield f"{head};", None
            continue
        end = _end_of_block(style, place)
        yield head, style[place:end]
        place = end + 1


def _end_of_block(style: str, place: int) -> int:
    """Where the block that begins at `place` is closed. Braces in strings do not count."""
    depth, quote = 1, ""
    while place < len(style):
        letter = style[place]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "{}":
            depth += 1 if letter == "{" else -1
            if not depth:
                return place
        place += 1
    return len(style)


def _split(head: str) -> list[str]:
    """The selectors of a rule: commas in brackets do not separate them."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(head):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            found.append(head[start:place])
            start = place + 1
    return [*found, head[start:]]


def _classes_of(selector: str) -> Iterator[str]:
    """The classes without which the selector selects nothing: not those within `:not(…)` and the like."""
    plain, depth = [], 0
    for letter in selector:
        depth += (letter == "(") - (letter == ")")
        if not depth:
            plain.append(letter)
    for name in _CLASS.findall("".join(plain)):
        yield name.replace("\\", "")
