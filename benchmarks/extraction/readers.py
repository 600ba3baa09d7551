"""What reads a page: ours, and what others take home from it."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

import lxml.html
import trafilatura
from readability import Document
from readability.readability import Unparseable

from benchmarks.extraction.corpus import LabelledPage
from crawler.blocks import text_of
from crawler.charset import decode
from crawler.extract import Article, Outcome, extract, parse
from crawler.refusals import Refusal

NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
ZONE: Final = "Asia/Shanghai"

Reader = Callable[[LabelledPage], str]
"""A page's text, empty where it finds none."""


def article_of(page: LabelledPage) -> Outcome:
    return extract(page.body, url=page.url, content_type="text/html", fetched_at=NOW, time_zone=ZONE)


def own(page: LabelledPage) -> str:
    found = article_of(page)
    return found.text if isinstance(found, Article) else ""


def by_trafilatura(page: LabelledPage) -> str:
    return trafilatura.extract(_markup(page), include_comments=False) or ""


def by_readability(page: LabelledPage) -> str:
    try:
        return text_of(lxml.html.fromstring(Document(_markup(page)).summary()))
    except (Unparseable, ValueError, TypeError):
        return ""


def left_out_of_gold(page: LabelledPage) -> str:
    """Code and tables, which the gold leaves out."""
    root = parse(_markup(page))
    found = [] if root is None else root.xpath("//pre | //code | //table | //textarea")
    return "\n".join("".join(map(str, element.itertext())) for element in found)


def listings_of(page: LabelledPage) -> str:
    """Program code and the like, without the numbers beside it: gold leaves it out, but it is of the article."""
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
