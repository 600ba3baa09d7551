"""Recognises responses that are PDF or Word files, and returns their article. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from enum import Enum
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.extraction.documents.mending import mended, without_soft_hyphens
from crawler.extraction.documents.packages import Pages, Unreadable, pdf_pages, word_pages
from crawler.extraction.metadata.author_names import cleaned_name, is_account, is_name
from crawler.extraction.metadata.one_date import date_in
from crawler.extraction.metadata.written_days import PageDate
from crawler.outcomes.refusals import Refusal
from storage.types import DateOrigin

PDF_REACH: Final = 1_024
"""Readers of PDF look for its mark so far into a file."""
LONGEST_TITLE: Final = 200
DATED_LINES: Final = 8
DATED_LINE: Final = 120

_PDF_TYPES: Final = frozenset(
    {"application/pdf", "application/x-pdf", "application/octet-stream", "binary/octet-stream", ""}
)
_WORD_TYPES: Final = frozenset(
    {
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/octet-stream",
        "binary/octet-stream",
        "application/zip",
        "",
    }
)
_ZIP: Final = b"PK\x03\x04"
_MADE_BY_PROGRAMS: Final = re.compile(
    r"""^(?: microsoft\ (?:word|powerpoint|excel) | untitled | unbenannt | 无标题 | do[ck]ument\d* | layout\ \d+ )\b
      | \.(?:docx?|indd|qxd|pdf|pptx?|tex)$""",
    re.VERBOSE | re.IGNORECASE,
)


class Kind(Enum):
    """Formats of documents."""

    PDF = "pdf"
    WORD = "docx"


def document_kind(body: bytes, media_type: str) -> Kind | None:
    """The format of a response that is a document, by its content and its declared type; None for all others."""
    if media_type in _PDF_TYPES and b"%PDF-" in body[:PDF_REACH]:
        return Kind.PDF
    return Kind.WORD if media_type in _WORD_TYPES and body.startswith(_ZIP) else None


def document_text(body: bytes, kind: Kind) -> tuple[Pages, list[str]] | Refusal:
    """What a document says of itself, and its paragraphs."""
    try:
        if kind is Kind.PDF:
            found = pdf_pages(body)
            return found, mended(found.pages)
        found = word_pages(body)
    except Unreadable as error:
        return error.refusal
    return found, list(without_soft_hyphens(line for page in found.pages for line in page))


def title_of_document(about: Pages, paragraphs: Sequence[str], url: str) -> str:
    """The stated title, unless a program made it; else the first paragraph, if it is short; else the file's name."""
    stated = " ".join(about.title.split())
    if stated and not _MADE_BY_PROGRAMS.search(stated):
        return stated[:LONGEST_TITLE]
    if paragraphs and len(paragraphs[0]) <= LONGEST_TITLE:
        return paragraphs[0]
    return unquote(urlsplit(url).path.rpartition("/")[2])[:LONGEST_TITLE]


def author_of_document(about: Pages) -> str:
    name = cleaned_name(about.author)
    return name if is_name(name) and not is_account(name) else ""


def date_of_document(paragraphs: Sequence[str], *, zone: tzinfo, now: datetime) -> PageDate:
    """The date in one of the first lines: a file's own dates are those of its making, and of every later saving."""
    for line in paragraphs[:DATED_LINES]:
        found = date_in(line, DateOrigin.VISIBLE, zone=zone, now=now) if len(line) <= DATED_LINE else None
        if found is not None and found.at is not None:
            return PageDate(found, found.at.astimezone(zone).date())
    return PageDate()
