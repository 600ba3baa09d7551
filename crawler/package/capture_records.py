"""Signed capture records, taken out of their WARC files so that openssl can check them."""

import json
import zlib
from pathlib import Path
from typing import Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from crawler.evidence.signing_keys import public_pem
from crawler.package.members import Member

_RECORD: Final = "urn:zhiwen:record:"
_SIGNATURE: Final = "urn:zhiwen:signature:"
_FIRST: Final = 2
"""A file begins with the record and its signature."""
_MOST_BYTES: Final = 16_000_000


def record_members(path: Path, name: str) -> list[Member]:
    """The record in a WARC file, its signature and the key, as `records/NAME` with `.json`, `.sig` and `.pem`.

    Empty if the file holds no signed record. Raises OSError of the file.
    """
    found = _first_contents(path)
    record, written = (found.get(prefix) for prefix in (_RECORD, _SIGNATURE))
    if record is None or written is None:
        return []
    try:
        signed = json.loads(written)
        signature, key = bytes.fromhex(signed["signature"]), public_pem(bytes.fromhex(signed["public"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    contents = {"json": record, "sig": signature, "pem": key.encode()}
    return [Member(f"records/{name}.{suffix}", content) for suffix, content in contents.items()]


def _first_contents(path: Path) -> dict[str, bytes]:
    """The contents of the first records of a file, by the kind that their addresses begin with."""
    found: dict[str, bytes] = {}
    with path.open("rb") as file:
        try:
            for number, record in enumerate(ArchiveIterator(file)):
                if number == _FIRST:
                    break
                uri = record.rec_headers.get_header("WARC-Target-URI") or ""
                prefix = next((one for one in (_RECORD, _SIGNATURE) if uri.startswith(one)), None)
                content = record.content_stream().read(_MOST_BYTES + 1)
                if prefix is not None and len(content) <= _MOST_BYTES:
                    found[prefix] = content
        except (ArchiveLoadFailed, ValueError, zlib.error, EOFError, AttributeError, TypeError):
            return {}
    return found
