"""Records of articles, pages and versions."""

from dataclasses import dataclass
from datetime import datetime

from fingerprint.model import Fingerprint
from storage.types import ArticleKind, DateOrigin, FoundBy, Precision, Rights, SiteRole


@dataclass(frozen=True, slots=True)
class Declared:
    """The declared date of a page: its precision and where it was read."""

    at: datetime | None = None
    precision: Precision = Precision.NONE
    origin: DateOrigin = DateOrigin.NONE


@dataclass(frozen=True, slots=True)
class Post:
    """A post of a thread: who wrote it, empty if unknown, and the character of the text at which it begins."""

    author: str
    start: int


@dataclass(frozen=True, slots=True)
class NewArticle:
    """An extracted article to be stored. `url` is canonical; `text` is as published, never empty."""

    url: str
    text: str
    found_by: FoundBy
    fetched_at: datetime
    title: str = ""
    author: str = ""
    language: str = ""
    declared: Declared = Declared()
    rights: Rights = Rights.UNKNOWN
    site_id: int | None = None
    found_by_whom: str | None = None
    credit_lines: tuple[str, ...] = ()
    credit_links: tuple[str, ...] = ()
    canonical_link: str | None = None
    lead_image: str | None = None
    kind: ArticleKind = ArticleKind.ARTICLE
    posts: tuple[Post, ...] = ()
    etag: str | None = None
    last_modified: str | None = None
    account: str | None = None
    """On a platform of many authors, whose page it is: “platform:id”."""
    account_name: str = ""


@dataclass(frozen=True, slots=True)
class FingerprintedArticle:
    article: NewArticle
    fingerprint: Fingerprint


@dataclass(frozen=True, slots=True)
class SavedPage:
    page_id: int
    version_id: int
    text_id: int
    is_new_page: bool
    is_new_version: bool


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page with its current version."""

    id: int
    url: str
    host: str
    site_id: int | None
    site_name: str | None
    owner_id: int | None
    role: SiteRole | None
    found_by: FoundBy
    first_seen_at: datetime
    gone_at: datetime | None
    version_id: int
    text_id: int
    chars: int
    fetched_at: datetime
    title: str
    author: str
    language: str
    declared: Declared
    rights: Rights
    credit_lines: tuple[str, ...]
    credit_links: tuple[str, ...]
    canonical_link: str | None
    last_modified: str | None
    """The header as received."""
    owner_name: str | None = None
    site_rights: Rights | None = None
    """The site's rule for articles without other information."""
    kind: str = ArticleKind.ARTICLE
    """A value of `ArticleKind`."""
    account: str | None = None
    """On a platform of many authors, whose page it is: “platform:id”. Its owner is that of the account, if a person has
    assigned it; but the pages of a site of ours are ours.
    """
    account_name: str = ""

    @property
    def owner_key(self) -> str:
        """The party behind the page, as far as known: pages with equal keys make no hit."""
        if self.owner_id is not None:
            return f"owner:{self.owner_id}"
        return f"host:{self.host}" if self.account is None else f"account:{self.account}"
