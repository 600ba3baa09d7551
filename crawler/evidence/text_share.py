"""The share of a text that is in the bytes that a server sent. Pure, linear, and independent of extraction.

The article is not extracted again: another version of the program may read the same page otherwise. Instead, pieces of
the stored text are searched in the letters of the page.
"""

import html
import importlib
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

import brotli

from crawler.evidence.record_reader import MOST_BYTES, KeptRecord
from crawler.extraction.html.charset import decode
from crawler.warc.http_body import plain_body

PIECE: Final = 16
"""Consecutive letters. Two articles share hardly any such run except quotations."""

MOST_PIECES: Final = 64
"""Of one text, spread evenly: each is searched for in the whole page."""

LEAST_SHARE: Final = 0.5
"""Of the pieces."""

_OTHER_ENCODINGS: Final = ("utf-8", "gb18030", "big5hkscs")
_ZSTD: Final[Any] = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_ESCAPED: Final = re.compile(r"\\u([0-9a-fA-F]{4})")


def pieces_of(text: str) -> tuple[str, ...]:
    """Runs of letters and digits spread over the text; of a short one, all of it."""
    letters = _letters(text)
    if len(letters) <= PIECE:
        return (letters,) if letters else ()
    last = len(letters) - PIECE
    count = min(MOST_PIECES, last + 1)
    starts = {round(number * last / max(1, count - 1)) for number in range(count)}
    return tuple(letters[start : start + PIECE] for start in sorted(starts))


def found_in(pieces: tuple[str, ...], record: KeptRecord) -> int | None:
    """Bits that say which of the pieces are in the record's page; None if its body cannot be unpacked."""
    body = _plain(record)
    if body is None:
        return None
    best = 0
    for letters in _readings(body, record):
        best = max(best, _bits(pieces, letters), key=int.bit_count)
        if is_enough(best, pieces):
            break
    return best


def is_enough(bits: int, pieces: tuple[str, ...]) -> bool:
    return bits.bit_count() >= LEAST_SHARE * len(pieces)


def _readings(body: bytes, record: KeptRecord) -> Iterator[str]:
    """Yields the page's letters without its tags; then with them, for text in scripts; then in other encodings."""
    try:
        decoded = decode(body, content_type=record.headers.get("content-type", ""))
    except (LookupError, UnicodeError):
        decoded = None
    texts = [] if decoded is None else [decoded.text]
    texts += [body.decode(name, "replace") for name in _OTHER_ENCODINGS]
    for text in texts:
        yield _letters(html.unescape(_without_tags(text)))
        yield _letters(html.unescape(_ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)))


def _bits(pieces: tuple[str, ...], letters: str) -> int:
    return sum(1 << number for number, piece in enumerate(pieces) if piece in letters)


def _without_tags(markup: str) -> str:
    first, *rest = markup.split("<")
    return first + "".join(part.partition(">")[2] if ">" in part else part for part in rest)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).lower()


def _plain(record: KeptRecord) -> bytes | None:
    """The decompressed body, up to a bound; None if that fails."""
    coding = record.headers.get("content-encoding", "").strip().lower()
    try:
        if coding == "br":
            return bytes(brotli.Decompressor().process(record.body, output_buffer_limit=MOST_BYTES))
        if coding == "zstd":
            return bytes(_ZSTD.ZstdDecompressor().decompress(record.body, max_length=MOST_BYTES))
        return plain_body(record.body, record.headers, max_bytes=MOST_BYTES)
    except Exception:  # gzip, brotli and zstd have no error in common
        return None
