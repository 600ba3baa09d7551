"""Screenshots out of the records that keep them."""

import io
from collections.abc import Iterator
from itertools import islice
from typing import Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

PNG: Final = b"\x89PNG\r\n\x1a\n"


def picture_in(record: bytes, *, max_bytes: int, number: int = 1) -> bytes | None:
    """The PNG of this number that a record holds, counted from 1: a long page has several.

    None if it holds no such picture, or one that is larger than `max_bytes`.
    """
    try:
        return next(islice(_pictures(record, max_bytes), number - 1, None), None)
    except (ArchiveLoadFailed, OSError, EOFError, ValueError):
        return None


def _pictures(record: bytes, max_bytes: int) -> Iterator[bytes | None]:
    """None for one that is too large. Pictures that the page itself has are no pictures of it."""
    for found in ArchiveIterator(io.BytesIO(record)):
        if found.rec_type != "resource":
            continue
        data: bytes = found.content_stream().read(max_bytes + 1)
        if data.startswith(PNG):
            yield data if len(data) <= max_bytes else None
