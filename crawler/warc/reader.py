"""Web archives as a stream of pages: WARC, WET and their gzipped forms, record by record, in bounded memory. Pure.

Framing is read here and not by warcio: its reader keeps header lines and chunks of any length in memory, and skips
damage silently.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Final

from crawler.outcomes.refusals import Refusal
from crawler.warc.http_body import Unreadable, fields_of, plain_body, split_head

MAX_LINE: Final = 65_536
MAX_HEADERS: Final = 500
MAX_HTTP_HEAD: Final = 262_144
_BLOCK: Final = 65_536
_VERSION: Final = b"WARC/"
_PAGES: Final = ("text/html", "application/xhtml+xml", "text/plain")
_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})\b")
_OK: Final = 200


class Damaged(Exception):
    """The rest of the archive cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page out of an archive: `number` of its record, counted from 1. Where there is a `refusal`, `body` is empty."""

    number: int
    url: str
    at: datetime | None
    content_type: str
    body: bytes
    refusal: Refusal | None = None
    message: str = ""


def archived_pages(file: IO[bytes], *, max_bytes: int, after: int = 0) -> Iterator[ArchivedPage]:
    """The pages of an archive, unpacked as a stream; records that hold none are passed over, as are the first `after`.

    A damaged record is refused, and the next one searched. Raises Damaged if there is nothing to go on
    with, and what `file` raises.
    """
    number = 0
    while (line := _next_record(file)) is not None:
        number += 1
        if not line.startswith(_VERSION):
            yield _refused(number, "", Refusal.BROKEN_RESPONSE, "the record before it is longer than it says")
            _seek_record(file)
        headers = fields_of(_header_lines(file))
        length = _length(headers)
        if length is None:
            yield _refused(number, headers.get("warc-target-uri", ""), Refusal.BROKEN_RESPONSE, "its length is missing")
            continue
        if number <= after or headers.get("warc-type") not in ("response", "resource", "conversion"):
            _skip(file, length)
            continue
        found = _page(file, length, headers, number, max_bytes)
        if found is not None:
            yield found


def _page(file: IO[bytes], length: int, headers: dict[str, str], number: int, max_bytes: int) -> ArchivedPage | None:
    """The page in a record; None if it holds no page. Reads the record to its end."""
    url = headers.get("warc-target-uri", "").strip("<>")
    wanted = max_bytes + MAX_HTTP_HEAD
    block = b"".join(_blocks(file, min(length, wanted)))
    _skip(file, length - len(block))
    kind = headers.get("content-type", "").lower()
    at = _date(headers.get("warc-date", ""))
    if headers.get("warc-type") != "response":
        return _of_content(block, kind, url, at, number, max_bytes, is_cut=length > max_bytes)
    if not kind.startswith("application/http"):
        return None  # DNS and the like
    is_cut = length > wanted or "warc-truncated" in headers
    return _of_http(block, url, at, number, max_bytes, is_cut=is_cut)


def _of_http(
    block: bytes, url: str, at: datetime | None, number: int, max_bytes: int, *, is_cut: bool
) -> ArchivedPage | None:
    head, separator, body = split_head(block)
    status = _STATUS.match(head)
    if not separator or status is None:
        return _refused(number, url, Refusal.BROKEN_RESPONSE, "it holds no HTTP response")
    fields = fields_of(head.split(b"\n")[1 : MAX_HEADERS + 1], encoding="latin-1")
    content_type = fields.get("content-type", "")
    if int(status[1]) != _OK or not _is_page(content_type):
        return None
    if is_cut:
        return _refused(number, url, Refusal.TOO_LARGE, "the page is too large, or was archived incompletely")
    try:
        unpacked = plain_body(body, fields, max_bytes=max_bytes)
    except Unreadable as error:
        return _refused(number, url, error.refusal, str(error))
    return ArchivedPage(number, url, at, content_type, unpacked)


def _of_content(
    block: bytes, kind: str, url: str, at: datetime | None, number: int, max_bytes: int, *, is_cut: bool
) -> ArchivedPage | None:
    if not _is_page(kind):
        return None
    if is_cut or len(block) > max_bytes:
        return _refused(number, url, Refusal.TOO_LARGE, f"larger than {max_bytes:,} bytes")
    return ArchivedPage(number, url, at, kind, block)


def _refused(number: int, url: str, refusal: Refusal, message: str) -> ArchivedPage:
    return ArchivedPage(number, url, None, "", b"", refusal, message)


def _is_page(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() in _PAGES


def _next_record(file: IO[bytes]) -> bytes | None:
    """The first line that is not empty; None at the end."""
    while line := file.readline(MAX_LINE):
        if line.strip():
            return line
    return None


def _seek_record(file: IO[bytes]) -> None:
    """Reads on to behind the next line that begins a record."""
    is_start = False
    while line := file.readline(MAX_LINE):
        if is_start and line.startswith(_VERSION):
            return
        is_start = line.endswith(b"\n")
    message = "no further record was found"
    raise Damaged(message)


def _header_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The header lines of a record. Raises Damaged if they do not end."""
    for _ in range(MAX_HEADERS):
        line = file.readline(MAX_LINE)
        if not line:
            break
        if not line.strip():
            return
        yield line
    message = "a record's header does not end"
    raise Damaged(message)


def _length(headers: dict[str, str]) -> int | None:
    written = headers.get("content-length", "")
    # A longer number than any disk holds is no length.
    return int(written) if written.isascii() and written.isdigit() and len(written) <= 18 else None  # noqa: PLR2004


def _blocks(file: IO[bytes], length: int) -> Iterator[bytes]:
    """The next `length` bytes, in blocks. Raises Damaged if the file ends before."""
    missing = length
    while missing:
        part = file.read(min(missing, _BLOCK))
        if not part:
            message = "it ends in the middle of a record"
            raise Damaged(message)
        yield part
        missing -= len(part)


def _skip(file: IO[bytes], length: int) -> None:
    for _ in _blocks(file, length):
        pass


def _date(written: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
