"""What forms send, made safe to store or named as wrong (pure but for the request they are read from)."""

from enum import StrEnum
from typing import Final, TypeVar

from flask import abort, request
from werkzeug.datastructures import MultiDict

LONGEST_PASSWORD: Final = 1_024
"""Hashing is meant to be slow: an endless password would keep a core busy."""


LONGEST_LINE: Final = 400
LONGEST_TEXT: Final = 20_000

_Word = TypeVar("_Word", bound=StrEnum)


def line(name: str, limit: int = LONGEST_LINE) -> str:
    """One line of a form, trimmed; line breaks and NUL become spaces. Ends the request where it is too long."""
    return _bounded(" ".join(_clean(_form().get(name, "")).split()), limit)


def text(name: str, limit: int = LONGEST_TEXT) -> str:
    """Several lines, trimmed at the ends."""
    return _bounded(_clean(_form().get(name, "")).replace("\r\n", "\n").strip(), limit)


def lines(name: str, limit: int = LONGEST_TEXT) -> tuple[str, ...]:
    """Each line that says something, in order, none twice."""
    stripped = (part.strip() for part in text(name, limit).split("\n"))
    return tuple(dict.fromkeys(part for part in stripped if part))


def secret(name: str) -> str:
    """A password as typed: spaces count. What is longer than any password is cut, and so is none."""
    return _clean(_form().get(name, ""))[: LONGEST_PASSWORD + 1]


def choice(name: str, words: type[_Word]) -> _Word:
    """One of `words`; what is none of them can only be made up, and ends the request."""
    try:
        return words(_form().get(name, ""))
    except ValueError:
        abort(400)


def is_ticked(name: str) -> bool:
    return bool(_form().get(name))


def _form() -> MultiDict[str, str]:
    return request.form


def _clean(value: str) -> str:
    """Storable: neither NUL nor half a character."""
    return value.replace("\0", " ").encode(errors="replace").decode()


def _bounded(value: str, limit: int) -> str:
    if len(value) > limit:
        abort(413)
    return value
