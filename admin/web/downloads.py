"""Downloads: with a file name, a type, and nothing that a browser would run."""

import re
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Final

from flask import Response
from werkzeug.http import dump_options_header

BLOCK_BYTES: Final = 1 << 16


def spooled(write: Callable[[IO[bytes]], None], name: str, content_type: str) -> Response:
    """The output of `write` as a download.

    It is spooled to disk first: an error becomes an error page instead of half a file, and a slow client keeps neither
    memory nor the database busy.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed when it has been read, or the answer ends
    try:
        write(file)
        length = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = attachment(_blocks(file), name, content_type)
    answer.content_length = length
    answer.call_on_close(file.close)
    return answer


def attachment(content: bytes | str | Iterator[bytes], name: str, content_type: str) -> Response:
    """`content` as a file called `name`, which may hold any letters."""
    answer = Response(content, content_type=content_type)
    answer.headers["Content-Disposition"] = dump_options_header("attachment", {"filename": name})
    return answer


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while block := file.read(BLOCK_BYTES):
            yield block


_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The complement of the production `Char` of XML 1.0."""


def xml_text(text: str, *, replacement: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """`text` with `replacement` for each character that XML 1.0 does not allow."""
    return _NOT_XML.sub(replacement, text)
