"""Facts about a page besides its wording, by which direction, credit and licences are judged."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from storage.records.pages import Declared, NewArticle, PageRecord
from storage.types import FoundBy, Precision, Rights, SiteRole

SPREAD: Final = {
    Precision.SECOND: timedelta(seconds=1),
    Precision.MINUTE: timedelta(minutes=1),
    Precision.DAY: timedelta(days=1),
    Precision.MONTH: timedelta(days=31),
}
"""Length of the interval that a declared date may mean, by its precision."""


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
    """Modification time according to the server."""
    owner_id: int | None = None
    owner_name: str = ""
    owner_key: str = ""
    rights: Rights = Rights.UNKNOWN
    """As stored with the page; one of several inputs of `matcher.cases.rights`."""
    site_rights: Rights = Rights.UNKNOWN
    text: str = ""
    """As published; empty if not known."""
    is_stored: bool = True
    """Whether it is on a stored page; a query text outside the store has no page and no time."""

    @property
    def authors(self) -> list[str]:
        """Return the authors, split at the separators used by extraction and most pages."""
        return self.author.replace("，", "、").replace(",", "、").split("、")

    @property
    def is_registered_original(self) -> bool:
        """Whether the page is on a site registered as an original one, or declared to be our own."""
        own = self.rights if self.rights is not Rights.UNKNOWN else self.site_rights
        return self.role is SiteRole.ORIGINAL or own is Rights.OWN


def facts_of_page(page: PageRecord, text: str = "") -> PageFacts:
    """Return the facts of a stored page. `text`: its text, from which credits and leftover phrases are read."""
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
        owner_id=page.owner_id,
        owner_name=page.owner_name or "",
        owner_key=page.owner_key,
        rights=page.rights,
        site_rights=page.site_rights or Rights.UNKNOWN,
        text=text,
    )


def facts_of_article(article: NewArticle) -> PageFacts:
    """Return the facts of an article that is not stored."""
    host = urlsplit(article.url).netloc
    return PageFacts(
        url=article.url,
        host=host,
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
        owner_key=f"host:{host}",
        rights=article.rights,
        text=article.text,
        is_stored=False,
    )


def _http_date(value: str | None) -> datetime | None:
    """Parse an HTTP date; None if there is none, or if it is not valid."""
    if not value:
        return None
    try:
        found = parsedate_to_datetime(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
