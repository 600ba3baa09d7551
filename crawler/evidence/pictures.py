"""Screenshots out of the records that keep them."""

import io
from typing import Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

PNG: Final = b"\x89PNG\r\n\x1a\n"


def picture_in(record: bytes, *, max_bytes: int) -> bytes | None:
    """The PNG that a record holds; None if it holds none, or one that is larger than `max_bytes`."""
    try:
        for found in ArchiveIterator(io.BytesIO(record)):
            data: bytes = found.content_stream().read(max_bytes + 1)
            if data.startswith(PNG) and len(data) <= max_bytes:
                return data
    except (ArchiveLoadFailed, OSError, EOFError, ValueError):
        return None
    return None
