"""The article that a PDF or Word file is. Pure."""

from dataclasses import replace
from datetime import datetime, tzinfo

from crawler.extraction.article import AREA_AFTER, AREA_BEFORE, Outcome, plain_article, storable
from crawler.extraction.documents.articles import (
    Kind,
    author_of_document,
    date_of_document,
    document_text,
    title_of_document,
)
from crawler.extraction.metadata.page_metadata import credit_lines_of
from crawler.outcomes.refusals import Refusal
from storage.types import ArticleKind


def article_of_document(body: bytes, kind: Kind, *, url: str, zone: tzinfo, now: datetime) -> Outcome:
    """The article that a PDF or Word file is."""
    read = document_text(body, kind)
    if isinstance(read, Refusal):
        return read
    about, paragraphs = read
    outcome = plain_article("\n".join(paragraphs), title=storable(title_of_document(about, paragraphs, url)))
    if isinstance(outcome, Refusal):
        return outcome
    published = date_of_document(paragraphs, zone=zone, now=now)
    author = storable(author_of_document(about))
    credit = tuple(map(storable, credit_lines_of("\n".join(paragraphs[:AREA_BEFORE] + paragraphs[-AREA_AFTER:]))))
    return replace(
        outcome,
        author=author,
        declared=published.declared,
        day=published.day,
        credit_lines=credit,
        kind=ArticleKind.DOCUMENT,
    )
