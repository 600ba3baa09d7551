"""Addresses of channels, which hold secrets: refusing them, marking them, and removing them from texts (pure)."""

import hashlib
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

from flask_babel import lazy_gettext as _l

NO_ADDRESS: Final = _l("Not a valid address.")
UNKNOWN: Final = _l("The address does not belong to a known service.")

_SHORTEST_SECRET: Final = 4


class BadAddress(Exception):
    """An address that cannot be a channel. `why` is translated when shown, and does not repeat the address: it may
    hold a password.
    """

    def __init__(self, why: object) -> None:
        super().__init__(why)
        self.why = why


def mark(address: str) -> str:
    """Six hexadecimal digits that distinguish two channels of one kind and reveal nothing of either."""
    return hashlib.sha256(address.encode()).hexdigest()[:6]


def secrets_in(address: str) -> list[str]:
    """Every part of an address that may be a secret, as it is and percent-encoded, the longest first."""
    try:
        parts = urlsplit(address)
        named = [parts.username, parts.password, parts.hostname if "." not in (parts.hostname or ".") else None]
    except ValueError:
        return [address]
    values = [value for found in parse_qs(parts.query).values() for value in found]
    pieces = [address, parts.query, parts.path.strip("/"), *named, *values, *parts.path.split("/")]
    found = {piece for piece in pieces if piece and len(piece) >= _SHORTEST_SECRET}
    return sorted(found | {quote(piece, safe="") for piece in found}, key=len, reverse=True)


def without_secrets(said: str, address: str, *more: str) -> str:
    """`said`, the message of a service or a library about a failure, with every part of the address replaced by `…`.

    `more`: further secrets to replace.
    """
    for piece in (*filter(None, more), *secrets_in(address)):
        said = said.replace(piece, "…")
    return said
