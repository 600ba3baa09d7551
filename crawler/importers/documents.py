"""Reads uploaded documents: plain text, pages, Word and PDF. Bytes in; text, or the reason of a refusal, out.

Untrusted files are read in a child process (`crawler.importers.document_process`): a file may crash its reader.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from crawler.extraction.article import Article, storable
from crawler.extraction.documents.packages import Pages, Unreadable, pdf_pages, word_pages
from crawler.extraction.extract import extract
from crawler.extraction.html.attribute_limit import has_crowded_tag
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import blocks
from crawler.extraction.html.parsing import parse
from crawler.importers.saved_pages import is_mhtml, read_saved_page
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url

MAX_DOCUMENT_BYTES: Final = 20_000_000
"""An illustrated thesis. Web pages beyond `MAX_PAGE_BYTES` are refused by their own reader."""
MAX_TEXT_CHARS: Final = 200_000
"""A fifth of a novel: analysed and compared in seconds. Longer texts are to be submitted in parts."""
_PDF_REACH: Final = 1_024
"""Readers of PDF look for its mark so far into a file."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = b"PK\x03\x04"
_TAG: Final = re.compile(r"<(?:!doctype|html|head|body|p|div|article|section|h[1-6]|table|ul|ol|span|meta|a)\b", re.I)
_LOOKED_AT: Final = 4_096


class Unread(StrEnum):
    """Reasons why a file holds nothing that can be checked."""

    EMPTY = "empty"
    TOO_LARGE = "too-large"
    TOO_LONG = "too-long"
    UNKNOWN_KIND = "unknown-kind"
    OLD_WORD = "old-word"
    """The format of Word before 2007."""
    ENCRYPTED = "encrypted"
    BROKEN = "broken"
    BOMB = "bomb"
    """A small file that unpacks to too much text."""
    SCAN = "scan"
    """Pictures of pages: there is no text in it."""
    UNDECODABLE = "undecodable"
    NO_TEXT = "no-text"
    CROWDED = "crowded"
    """A tag with more attributes than its parser takes in a minute."""
    DEADLINE = "deadline"
    DIED = "died"


_REASONS: Final = {
    Refusal.BEYOND_BOUND: Unread.TOO_LONG,
    Refusal.TOO_LARGE: Unread.BOMB,
    Refusal.ENCRYPTED: Unread.ENCRYPTED,
    Refusal.SCAN: Unread.SCAN,
    Refusal.WRONG_TYPE: Unread.UNKNOWN_KIND,
    Refusal.BROKEN_DOCUMENT: Unread.BROKEN,
}


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file, one paragraph per line."""

    text: str
    kind: str
    title: str = ""
    author: str = ""


class CannotRead(Exception):
    """A file that is refused, by the name of the reason."""

    def __init__(self, reason: Unread) -> None:
        super().__init__(reason.value)
        self.reason = reason


def read_document(data: bytes, *, url: str = "", is_fragment: bool = False) -> Document | Unread:
    """The text of `data`, whose format is detected by content and not by name. Never raises for any content.

    `is_fragment`: a part of a page that a person selected, all of which is used; of a whole page only the article is.
    """
    if not data.strip():
        return Unread.EMPTY
    if len(data) > MAX_DOCUMENT_BYTES:
        return Unread.TOO_LARGE
    try:
        found = _fragment(data) if is_fragment else _read(data, url)
    except CannotRead as error:
        return error.reason
    if not found.text.strip():
        return Unread.NO_TEXT
    return Unread.TOO_LONG if len(found.text) > MAX_TEXT_CHARS else found


def _read(data: bytes, url: str) -> Document:
    if b"%PDF-" in data[:_PDF_REACH]:
        return _pdf(data)
    if data.startswith(_OLE):
        # An encrypted Word file of today hides in the shell of the old ones.
        is_encrypted = "EncryptedPackage".encode("utf-16-le") in data
        raise CannotRead(Unread.ENCRYPTED if is_encrypted else Unread.OLD_WORD)
    if data.startswith(_ZIP):
        return _docx(data)
    if is_mhtml(data):
        return _saved_page(data, url)
    return _plain_or_page(data, url)


def _plain_or_page(data: bytes, url: str) -> Document:
    decoded = decode(data)
    if decoded is None:
        raise CannotRead(Unread.UNKNOWN_KIND)
    if _TAG.search(decoded.text[:_LOOKED_AT]):
        return _page(data, "text/html", url)
    return Document(storable(decoded.text), "text")


def _saved_page(data: bytes, url: str) -> Document:
    saved = read_saved_page(data)
    if isinstance(saved, StrEnum):
        raise CannotRead(Unread.BROKEN)
    return _page(saved.body, saved.content_type, _usable(saved.url) or url)


def _usable(url: str | None) -> str:
    """The address that a saved page states, in one spelling; empty if it is no web address."""
    try:
        return canonical_url(url) if url else ""
    except UnusableUrl:
        return ""


def _page(body: bytes, content_type: str, url: str) -> Document:
    """The article of a page; if a crawl would find none, all of its text: a person chose the page."""
    address = url or "https://brought.invalid/"
    found = extract(body, url=address, content_type=content_type, fetched_at=datetime.now(UTC), time_zone="UTC")
    if isinstance(found, Article):
        return Document(found.text, "html", found.title, found.author)
    decoded = decode(body, content_type=content_type)
    if decoded is None:
        raise CannotRead(Unread.UNDECODABLE)
    return _all_text(decoded.text)


def _fragment(data: bytes) -> Document:
    return _all_text(data.decode("utf-8", "replace"))


def _all_text(markup: str) -> Document:
    if has_crowded_tag(markup):
        raise CannotRead(Unread.CROWDED)
    root = parse(markup)
    if root is None:
        raise CannotRead(Unread.BROKEN)
    return Document(storable("\n".join(block.text for block in blocks(root) if block.text.strip())), "html")


def _docx(data: bytes) -> Document:
    about = _opened(word_pages, data)
    lines = "\n".join(line for page in about.pages for line in page)
    return Document(storable(lines), "docx", storable(about.title), storable(about.author))


def _pdf(data: bytes) -> Document:
    about = _opened(pdf_pages, data)
    lines = "\n".join(line for page in about.pages for line in page)
    return Document(storable(lines), "pdf", storable(about.title), storable(about.author))


def _opened(opener: Callable[..., Pages], data: bytes) -> Pages:
    try:
        return opener(data, most_chars=MAX_TEXT_CHARS)
    except Unreadable as error:
        raise CannotRead(_REASONS[error.refusal]) from error
