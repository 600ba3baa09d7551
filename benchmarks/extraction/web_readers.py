"""Readers of pages of the web at large that are installed with the benchmark: ours, trafilatura, readability-lxml,
jusText; htmldate for dates alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import htmldate
import justext  # type: ignore[import-untyped]
import lxml.html
import trafilatura
from readability import Document
from readability.readability import Unparseable

from benchmarks.extraction.readers import NOW
from benchmarks.extraction.web_pages import WebPage
from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import text_of
from crawler.extraction.html.parsing import parse
from crawler.outcomes.refusals import Refusal
from fingerprint.compute import fingerprint_text

_NAMES: Final = {
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "nl": "Dutch",
    "no": "Norwegian_Bokmal",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
}


@cache
def stop_words_for(language: str) -> frozenset[str]:
    """The stop words of a language, those of English if the code is empty or has no list."""
    return frozenset(justext.get_stoplist(_NAMES.get(language, "English")))


ZONE: Final = "Europe/Berlin"
"""Most of the dated pages are German; only days are compared."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader made of a page. None: it does not look for it."""

    text: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    language: str | None = None
    refusal: Refusal | None = None


WebReader = Callable[[WebPage, bytes], Read]


def by_zhiwen(page: WebPage, body: bytes) -> Read:
    """With the fingerprint, as a crawl reads it."""
    found = extract(body, url=page.url, content_type="text/html", fetched_at=NOW, time_zone=ZONE)
    if not isinstance(found, Article):
        return Read("", "", "", "", "", found)
    fingerprint_text(found.text)
    day = found.day.isoformat() if found.day else ""
    return Read(found.text, found.title, found.author, day, found.language)


def by_trafilatura(page: WebPage, body: bytes) -> Read:
    return Read(trafilatura.extract(_markup(body), url=page.url, include_comments=False) or "")


def by_trafilatura_with_metadata(page: WebPage, body: bytes) -> Read:
    found = trafilatura.extract_metadata(_markup(body), default_url=page.url)
    return Read(None, found.title or "", found.author or "", found.date or "")


def by_readability(page: WebPage, body: bytes) -> Read:
    try:
        read = Document(_markup(body))
        return Read(text_of(lxml.html.fromstring(read.summary())), read.title())
    except (Unparseable, ValueError, TypeError, AttributeError, IndexError, lxml.etree.LxmlError):
        return Read("", "")


def by_htmldate(page: WebPage, body: bytes) -> Read:
    try:
        return Read(date=htmldate.find_date(_markup(body), url=page.url, original_date=True) or "")
    except (ValueError, TypeError, AttributeError):
        return Read(date="")


def by_justext(page: WebPage, body: bytes) -> Read:
    """With the stop words of the labelled language, which a crawl would not know."""
    try:
        paragraphs = justext.justext(body, stop_words_for(page.language))
    except (ValueError, TypeError, AttributeError, lxml.etree.LxmlError):
        return Read("")
    return Read("\n".join(one.text for one in paragraphs if not one.is_boilerplate))


def by_declaration(page: WebPage, body: bytes) -> Read:
    """The language that the page declares, for comparison."""
    root = parse(_markup(body))
    return Read(language="" if root is None else root.get("lang") or "")


def _markup(body: bytes) -> str:
    decoded = decode(body)
    return decoded.text if decoded else ""


READERS: Final[Mapping[str, WebReader]] = {
    "Zhiwen": by_zhiwen,
    "trafilatura": by_trafilatura,
    "trafilatura, metadata": by_trafilatura_with_metadata,
    "readability-lxml": by_readability,
    "jusText": by_justext,
    "htmldate": by_htmldate,
    "<html lang>": by_declaration,
}
"""By name. trafilatura is the one to which times are compared."""
