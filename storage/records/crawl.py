"""Records of the URL frontier, politeness and the site profile."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from enum import IntEnum, StrEnum

from storage.records.pages import Declared
from storage.types import FoundBy

_UNDATED = Declared()


class UrlKind(StrEnum):
    """The kind of page at a URL. Unknown URLs count as articles until they are read."""

    ARTICLE = "article"
    LIST = "list"
    FEED = "feed"
    SITEMAP = "sitemap"


class UrlState(StrEnum):
    """The result of the last visit."""

    NEW = "new"
    SEEN = "seen"
    REFUSED = "refused"
    GONE = "gone"
    ALIAS = "alias"
    """It redirects to another URL of the site, under which its page is stored."""


class Tier(IntEnum):
    """Priority classes of URLs."""

    ENTRY = 0
    """Start pages, feeds and sitemaps: where news appears first. Due at the start of every run."""
    LIST = 1
    NEW = 2
    REVISIT = 3


class PageEventKind(StrEnum):
    """A page disappeared or came back."""

    GONE = "gone"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class History:
    """Visits of a URL: how many, how many found a change, and over how many seconds. Old visits fade."""

    visits: int = 0
    changes: int = 0
    observed_s: float = 0.0


_UNOBSERVED = History()


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """A discovered URL. `identity`: a 64-bit unsigned hash, the same for all its spellings."""

    url: str
    identity: int
    kind: UrlKind = UrlKind.ARTICLE
    found_by: FoundBy = FoundBy.SPIDER
    declared: Declared = _UNDATED
    modified_at: datetime | None = None
    """Last change, as a feed or sitemap states it."""
    link_depth: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A URL leased to this run, with what is stored about it."""

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
    """The result of a claim, to be stored. `url`: the spelling under which it answered."""

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
    """A URL as the frontier has it."""

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
    """The profile of a site from earlier crawls: hashes of blocks that are on many pages (signed 64 bits), and shapes
    of the URLs of its lists.
    """

    marks: frozenset[int] = frozenset()
    list_shapes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Politeness:
    """Politeness settings of a site besides its delay. Times are in the site's zone; a window may span midnight."""

    byte_budget: int | None = None
    window_start: time | None = None
    window_end: time | None = None
    obey_noindex: bool = False
    """Whether pages with noindex are skipped. Copiers that hide from search engines set it."""
    obey_noarchive: bool = False


@dataclass(frozen=True, slots=True)
class RunRecord:
    id: int
    site_name: str
    trigger: str
    started_at: datetime
    ended_at: datetime | None
    exit_reason: str | None
    counters: Mapping[str, int]
    refusal_samples: Mapping[str, tuple[str, ...]]
