"""Preview of one page: read as a crawl would read it, and not stored."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from crawler.extraction.article import Article
from crawler.extraction.article_pagination import MOST_PARTS
from crawler.extraction.extract import read_page
from crawler.extraction.join_pages import joined
from crawler.extraction.metadata.rights import agency_credited
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.extraction.site_rule import ExtractionRule
from crawler.fetch.fetch import Fetched
from crawler.outcomes.refusals import Refusal


def read_by_rule(
    url: str, *, get: Callable[[str], Fetched | Refusal], rule: ExtractionRule, time_zone: str
) -> tuple[Article | Refusal, int]:
    """The article of a page with all its parts joined, or why there is none; and the number of parts."""
    parts: list[Article] = []
    known, target, fetched = SiteKnowledge(rule=rule), url, set[str]()
    while len(parts) < MOST_PARTS and target not in fetched:
        fetched.add(target)
        response = get(target)
        if isinstance(response, Refusal):
            return (joined(parts), len(parts)) if parts else (response, 0)
        page = read_page(
            response.body,
            url=response.url,
            content_type=response.content_type,
            fetched_at=datetime.now(UTC),
            time_zone=time_zone,
            known=known,
        )
        if isinstance(page.outcome, Refusal):
            return (joined(parts), len(parts)) if parts else (page.outcome, 0)
        parts.append(page.outcome)
        if page.next_part is None:
            break
        known, target = replace(known, first_part=known.first_part or response.url), page.next_part
    return joined(parts), len(parts)


def article_facts(found: Article, parts: int) -> dict[str, Any]:
    """Extracted metadata of an article, without its text, for JSON."""
    return {
        "title": found.title,
        "author": found.author,
        "published_at": found.declared.at,
        "precision": found.declared.precision.value,
        "origin": found.declared.origin.value,
        "language": found.language,
        "kind": found.kind.value,
        "posts": len(found.posts),
        "chars": len(found.text),
        "parts": parts,
        "agency": agency_credited(found.credit_lines, found.text),
        "credit_lines": found.credit_lines,
    }
