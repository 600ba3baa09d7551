"""Form fields of the current request, made storable or refused."""

from enum import StrEnum
from typing import Final, TypeVar

from flask import abort, request
from werkzeug.datastructures import MultiDict

LONGEST_PASSWORD: Final = 1_024
"""Hashing is slow on purpose: an endless password would keep a core busy."""


LONGEST_LINE: Final = 400
LONGEST_TEXT: Final = 20_000

_Word = TypeVar("_Word", bound=StrEnum)


class InvalidField(ValueError):
    """A field with an invalid value; the message says why, in the viewer's language."""


def line(name: str, limit: int = LONGEST_LINE) -> str:
    """One line of a form, trimmed; line breaks and NUL become spaces. Ends the request where it is too long."""
    return _bounded(" ".join(_clean(_form().get(name, "")).split()), limit)


def text(name: str, limit: int = LONGEST_TEXT) -> str:
    """Several lines, trimmed at both ends."""
    return _bounded(_clean(_form().get(name, "")).replace("\r\n", "\n").strip(), limit)


def lines(name: str, limit: int = LONGEST_TEXT) -> tuple[str, ...]:
    """Non-empty lines in order, without duplicates."""
    stripped = (part.strip() for part in text(name, limit).split("\n"))
    return tuple(dict.fromkeys(part for part in stripped if part))


def secret(name: str) -> str:
    """A password as typed, with its spaces. An over-long one is cut to a length that is refused."""
    return _clean(_form().get(name, ""))[: LONGEST_PASSWORD + 1]


def choice(name: str, words: type[_Word]) -> _Word:
    """A member of `words`; ends the request for any other value, which no form of ours sends."""
    try:
        return words(_form().get(name, ""))
    except ValueError:
        abort(400)


def is_ticked(name: str) -> bool:
    return bool(_form().get(name))


def _form() -> MultiDict[str, str]:
    return request.form


def _clean(value: str) -> str:
    """`value` without NUL and lone surrogates, which cannot be stored."""
    return value.replace("\0", " ").encode(errors="replace").decode()


def _bounded(value: str, limit: int) -> str:
    if len(value) > limit:
        abort(413)
    return value
