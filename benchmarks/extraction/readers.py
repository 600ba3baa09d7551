"""Readers of a page: ours, trafilatura and readability."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import lxml.html
import trafilatura
from readability import Document
from readability.readability import Unparseable

from benchmarks.extraction.corpus import LabelledPage
from crawler.extraction.article import Article, Outcome
from crawler.extraction.extract import extract
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import text_of
from crawler.extraction.html.parsing import parse
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.outcomes.refusals import Refusal

NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
ZONE: Final = "Asia/Shanghai"

_NOTHING_KNOWN: Final = SiteKnowledge()
_SURELY_AN_ARTICLE: Final = SiteKnowledge(is_article=True)


@dataclass(frozen=True, slots=True)
class Taken:
    """The output of a reader for a page: its text, empty if it finds none, and metadata: title, author, lines of
    credit.

    `refusal`: why the page would not be stored unless a person said that it is an article, as its label does.
    """

    text: str
    beside: tuple[str, ...] = ()
    refusal: Refusal | None = None


Reader = Callable[[LabelledPage], Taken]


def article_of(page: LabelledPage, *, known: SiteKnowledge = _NOTHING_KNOWN) -> Outcome:
    return extract(page.body, url=page.url, content_type="text/html", fetched_at=NOW, time_zone=ZONE, known=known)


def own(page: LabelledPage) -> Taken:
    found = article_of(page)
    refusal = None if isinstance(found, Article) else found
    if refusal is not None:
        found = article_of(page, known=_SURELY_AN_ARTICLE)
    if not isinstance(found, Article):
        return Taken("", refusal=refusal)
    return Taken(found.text, (found.title, found.author, *found.credit_lines), refusal)


def by_trafilatura(page: LabelledPage) -> Taken:
    found = trafilatura.bare_extraction(_markup(page), include_comments=False, with_metadata=True)
    if found is None or isinstance(found, dict):
        return Taken("")
    return Taken(found.text or "", (found.title or "", found.author or ""))


def by_readability(page: LabelledPage) -> Taken:
    try:
        read = Document(_markup(page))
        return Taken(text_of(lxml.html.fromstring(read.summary())), (read.title(),))
    except (Unparseable, ValueError, TypeError):
        return Taken("")


def left_out_of_gold(page: LabelledPage) -> str:
    """Code and tables of a page, which the gold leaves out."""
    root = parse(_markup(page))
    found = [] if root is None else root.xpath("//pre | //code | //table | //textarea")
    return "\n".join("".join(map(str, element.itertext())) for element in found)


def listings_of(page: LabelledPage) -> str:
    """Program code and the like, without the numbers beside it: gold leaves it out, but it belongs to the article."""
    root = parse(_markup(page))
    found = [] if root is None else [text_of(element) for element in root.xpath("//pre[not(ancestor::pre)]")]
    return "\n".join(text for text in found if any(map(str.isalpha, text)))


def refusal_of(page: LabelledPage) -> Refusal | None:
    found = article_of(page)
    return None if isinstance(found, Article) else found


def _markup(page: LabelledPage) -> str:
    decoded = decode(page.body)
    return decoded.text if decoded else ""


BASELINES: Final[Mapping[str, Reader]] = {"trafilatura": by_trafilatura, "readability": by_readability}
