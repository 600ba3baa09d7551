"""Reads a kept record: its WARC headers, the server's head, the body. Pure."""

import zlib
from dataclasses import dataclass
from typing import Final

from crawler.warc.http_body import fields_of, split_head

MOST_BYTES: Final = 64_000_000
"""Of one record unpacked. Crawls and captures take bodies of 10 MB."""

_GZIP: Final = 16 + zlib.MAX_WBITS


class DamagedRecord(Exception):
    """The bytes are not a record; the message says why."""


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """The first record of a file. `kind`: response, revisit (its body is in another file) or resource."""

    kind: str
    url: str
    head: bytes
    """Status line and headers of the server as sent, the empty line included; empty for a resource."""
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        """The server's headers, their names in small letters."""
        return fields_of(self.head.split(b"\n")[1:])


def read_record(data: bytes) -> KeptRecord:
    """Raises DamagedRecord."""
    head, mark, rest = split_head(_unpacked(data))
    fields = fields_of(head.split(b"\n")[1:])
    length = fields.get("content-length", "")
    if not mark or not length.isdigit() or len(rest) < int(length):
        raise DamagedRecord("its file is not a whole record")
    block, kind = rest[: int(length)], fields.get("warc-type", "")
    url = fields.get("warc-target-uri", "")
    if kind == "resource":
        return KeptRecord(kind, url, b"", block)
    own, mark, body = split_head(block)
    return KeptRecord(kind, url, own + mark, body)


def _unpacked(data: bytes) -> bytes:
    """The first member: a second one holds the certificate."""
    try:
        return zlib.decompressobj(_GZIP).decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise DamagedRecord(f"its file cannot be unpacked: {error}") from error
