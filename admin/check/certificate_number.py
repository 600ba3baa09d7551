"""Numbers of certificates: they cannot be guessed, and are read out and typed without mistakes (pure)."""

import re
import secrets
from typing import Final

LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U."""
RANDOM_LETTERS: Final = 15
"""75 bits: with a million certificates, a guess in 4 × 10^16 finds one."""
PREFIX: Final = "ZW"
GROUP: Final = 4

_TYPED_FOR: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "U": "V"})
_SEPARATORS: Final = re.compile(r"[\s\-–—_.]+")
_LONGEST: Final = 80


def new_number() -> str:
    """A new number, such as ZW-7K3F-9Q2M-X0RT-5B8C: 15 random letters and a check letter."""
    drawn = "".join(secrets.choice(LETTERS) for _ in range(RANDOM_LETTERS))
    return _written(drawn + check_letter(drawn))


def read_number(typed: str) -> str | None:
    """The number that was typed, as it is written on the certificate; None if it can be none.

    Case, spaces and hyphens do not matter; O is read as 0, I and L as 1.
    """
    if len(typed) > _LONGEST:
        return None
    letters = _SEPARATORS.sub("", typed.upper())
    if not letters.startswith(PREFIX):
        return None
    body = letters.removeprefix(PREFIX).translate(_TYPED_FOR)
    is_whole = len(body) == RANDOM_LETTERS + 1 and all(letter in LETTERS for letter in body)
    return _written(body) if is_whole and check_letter(body[:-1]) == body[-1] else None


def check_letter(drawn: str) -> str:
    """The check letter. Every single wrong letter is found, since odd weights can be inverted modulo 32; of exchanged
    neighbours, all but those 16 apart.
    """
    total = sum((2 * place + 1) * LETTERS.index(letter) for place, letter in enumerate(drawn))
    return LETTERS[total % len(LETTERS)]


def _written(body: str) -> str:
    return "-".join([PREFIX, *(body[start : start + GROUP] for start in range(0, len(body), GROUP))])
