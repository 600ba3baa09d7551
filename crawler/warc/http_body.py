"""HTTP bodies, unpacked: chunks joined, compression undone, never beyond a bound. Pure."""

import zlib
from collections.abc import Iterable, Mapping
from typing import Final

from crawler.outcomes.refusals import Refusal

_SIZE_DIGITS: Final = 8
_GZIP: Final = 16 + zlib.MAX_WBITS
_MOST_CODINGS: Final = 3


class Unreadable(Exception):
    """A body that cannot be unpacked, or would be too large."""

    def __init__(self, refusal: Refusal, message: str) -> None:
        super().__init__(message)
        self.refusal = refusal


def split_head(block: bytes) -> tuple[bytes, bytes, bytes]:
    """Status line and headers, the mark that ends them (empty if there is none), and the body."""
    ends = [(place, mark) for mark in (b"\r\n\r\n", b"\n\n") if (place := block.find(mark)) >= 0]
    if not ends:
        return block, b"", b""
    place, mark = min(ends)
    return block[:place], mark, block[place + len(mark) :]


def fields_of(lines: Iterable[bytes], *, encoding: str = "utf-8") -> dict[str, str]:
    """Header fields by their names in small letters; of a name that is repeated, the first."""
    found: dict[str, str] = {}
    for line in lines:
        name, separator, value = line.decode(encoding, "replace").partition(":")
        if separator:
            found.setdefault(name.strip().lower(), value.strip())
    return found


def plain_body(body: bytes, headers: Mapping[str, str], *, max_bytes: int) -> bytes:
    """The body as the page was written; `headers` with names in small letters. Raises Unreadable.

    Archives often hold a body that was unpacked already, under headers that still name its encoding: a body that
    does not match its headers is used as it is.
    """
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = _joined(body) or body
    codings = [name.strip().lower() for name in headers.get("content-encoding", "").split(",") if name.strip()]
    if len(codings) > _MOST_CODINGS:
        raise Unreadable(Refusal.UNDECODABLE, "packed more than three times over")
    for coding in reversed(codings):
        body = _unpacked(body, coding, max_bytes)
    if len(body) > max_bytes:
        raise Unreadable(Refusal.TOO_LARGE, f"larger than {max_bytes:,} bytes")
    return body


def _joined(body: bytes) -> bytes | None:
    """The chunks of a body; None if it does not consist of chunks to its end."""
    parts: list[bytes] = []
    place = 0
    while True:
        end = body.find(b"\r\n", place, place + 1_000)
        digits = body[place:end].partition(b";")[0].strip() if end >= 0 else b""
        if not digits or len(digits) > _SIZE_DIGITS or digits.strip(b"0123456789abcdefABCDEF"):
            return None
        size = int(digits, 16)
        if size == 0:
            return b"".join(parts)
        start = end + 2
        if body[start + size : start + size + 2] != b"\r\n":
            return None
        parts.append(body[start : start + size])
        place = start + size + 2


def _unpacked(body: bytes, coding: str, max_bytes: int) -> bytes:
    if coding in ("identity", ""):
        return body
    if coding in ("gzip", "x-gzip"):
        return _inflated(body, _GZIP, max_bytes) if body.startswith(b"\x1f\x8b") else body
    if coding == "deflate":
        # Half of the servers leave the wrapper out, as browsers long allowed.
        is_wrapped = len(body) > 1 and body[0] & 0x0F == 8 and (body[0] * 256 + body[1]) % 31 == 0  # noqa: PLR2004
        return _inflated(body, zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS, max_bytes)
    if body.lstrip()[:1] == b"<":
        return body
    raise Unreadable(Refusal.UNDECODABLE, f"packed as {coding[:40]!r}, which is not read")


def _inflated(body: bytes, window: int, max_bytes: int) -> bytes:
    unpacker = zlib.decompressobj(window)
    try:
        plain = unpacker.decompress(body, max_bytes + 1)
    except zlib.error as error:
        raise Unreadable(Refusal.BROKEN_RESPONSE, f"its compression is damaged: {error}") from error
    if len(plain) > max_bytes:
        raise Unreadable(Refusal.TOO_LARGE, f"larger than {max_bytes:,} bytes once unpacked")
    if not unpacker.eof:
        raise Unreadable(Refusal.BROKEN_RESPONSE, "its compressed body is cut off")
    return plain
