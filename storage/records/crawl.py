"""Frozen values of the frontier: what is known of the addresses of a site, going in and coming out."""

from dataclasses import dataclass
from datetime import datetime, time
from enum import IntEnum, StrEnum

from storage.records.pages import Declared
from storage.types import FoundBy

_UNDATED = Declared()


class UrlKind(StrEnum):
    """What stands at an address. Unknown addresses are taken for articles until they were read."""

    ARTICLE = "article"
    LIST = "list"
    FEED = "feed"
    SITEMAP = "sitemap"


class UrlState(StrEnum):
    """What came of the last visit."""

    NEW = "new"
    SEEN = "seen"
    REFUSED = "refused"
    GONE = "gone"
    ALIAS = "alias"
    """It leads to another address of the site, under which its page is kept."""


class Tier(IntEnum):
    """Which addresses come first."""

    ENTRY = 0
    """Start pages, feeds and sitemaps: where news shows first. Due at the beginning of every run."""
    LIST = 1
    NEW = 2
    REVISIT = 3


class PageEventKind(StrEnum):
    """A page that was there and is no more, or is there again."""

    GONE = "gone"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class History:
    """How often an address was visited, how often that brought news, and over how long. Old visits fade."""

    visits: int = 0
    changes: int = 0
    observed_s: float = 0.0


_UNOBSERVED = History()


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """An address that was met. `identity` is one for all its spellings, 64 bits unsigned."""

    url: str
    identity: int
    kind: UrlKind = UrlKind.ARTICLE
    found_by: FoundBy = FoundBy.SPIDER
    declared: Declared = _UNDATED
    modified_at: datetime | None = None
    """When a feed or sitemap says that it last changed."""
    link_depth: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """An address that this run is to visit, with what is remembered of it. Nobody else gets it meanwhile."""

    id: int
    url: str
    kind: UrlKind
    state: UrlState
    tier: Tier
    link_depth: int
    attempts: int
    etag: str | None
    last_modified: str | None
    found_by: FoundBy
    declared: Declared
    history: History
    visited_at: datetime | None


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of a claim, to be remembered. `url` is the spelling under which it answered."""

    id: int
    url: str
    kind: UrlKind
    state: UrlState
    tier: Tier
    at: datetime
    due_at: datetime
    history: History = _UNOBSERVED
    attempts: int = 0
    refusal: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class KnownUrl:
    """What the frontier holds of an address."""

    id: int
    url: str
    kind: UrlKind
    state: UrlState
    due_at: datetime
    refusal: str | None


@dataclass(frozen=True, slots=True)
class PageEvent:
    url: str
    kind: PageEventKind
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Learned:
    """What is known of a site's pages from earlier crawls: blocks that stand on many of them, as signed numbers, and
    what the addresses of its lists have in common.
    """

    marks: frozenset[int] = frozenset()
    list_shapes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Manners:
    """How a site is crawled beyond its pace. Times are of the site's own zone; a window may span midnight."""

    byte_budget: int | None = None
    window_start: time | None = None
    window_end: time | None = None
    obey_noindex: bool = False
    """Whether a page that asks not to be indexed is left alone. A copier that hides from search engines asks for it."""
    obey_noarchive: bool = False
