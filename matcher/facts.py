"""What is known of a page besides its text: what direction and credit are judged by."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from storage.records import Declared, NewArticle, PageRecord
from storage.types import FoundBy, SiteRole


@dataclass(frozen=True, slots=True)
class PageFacts:
    url: str
    host: str
    site_name: str
    author: str
    title: str
    role: SiteRole | None
    found_by: FoundBy
    first_seen_at: datetime
    declared: Declared
    credit_lines: tuple[str, ...]
    credit_links: tuple[str, ...]
    canonical_link: str | None
    modified_at: datetime | None = None
    """When the server says the page was last changed."""


def facts_of_page(page: PageRecord) -> PageFacts:
    return PageFacts(
        url=page.url,
        host=page.host,
        site_name=page.site_name or "",
        author=page.author,
        title=page.title,
        role=page.role,
        found_by=page.found_by,
        first_seen_at=page.first_seen_at,
        declared=page.declared,
        credit_lines=page.credit_lines,
        credit_links=page.credit_links,
        canonical_link=page.canonical_link,
        modified_at=_http_date(page.last_modified),
    )


def facts_of_article(article: NewArticle) -> PageFacts:
    """Of an article that is asked about and not stored."""
    return PageFacts(
        url=article.url,
        host=urlsplit(article.url).netloc,
        site_name="",
        author=article.author,
        title=article.title,
        role=None,
        found_by=article.found_by,
        first_seen_at=article.fetched_at,
        declared=article.declared,
        credit_lines=article.credit_lines,
        credit_links=article.credit_links,
        canonical_link=article.canonical_link,
        modified_at=_http_date(article.last_modified),
    )


def _http_date(value: str | None) -> datetime | None:
    """None where there is none, or what stands there is no date."""
    if not value:
        return None
    try:
        found = parsedate_to_datetime(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
