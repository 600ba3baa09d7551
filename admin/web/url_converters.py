"""Keys of rows in URLs and sessions."""

from typing import Final

from werkzeug.routing import IntegerConverter, Map

LARGEST_KEY: Final = 2**63 - 1
"""Larger keys cannot exist: the database would raise an error instead of finding nothing."""


class KeyConverter(IntegerConverter):
    """`<key:…>` in a route: a larger number does not match."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=LARGEST_KEY)


def as_key(digits: str) -> int | None:
    """The number that ASCII digits write, if it can be a key; else None."""
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_KEY))
    return int(digits) if is_number and int(digits) <= LARGEST_KEY else None
