"""Frozen values in and out of this package: what callers see instead of rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fingerprint.model import Fingerprint
from storage.types import AccountRole, Credit, DateOrigin, FoundBy, MatchKind, Precision, Rights, SiteRole


@dataclass(frozen=True, slots=True)
class OwnerRecord:
    id: int
    name: str
    registration: str
    complaint_address: str
    notes: str


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What a person says of a site; the rest is found out."""

    name: str
    start_urls: tuple[str, ...]
    hosts: tuple[str, ...]
    role: SiteRole = SiteRole.WATCHED
    sitemaps: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    delay_s: float = 1.0
    page_budget: int | None = None
    time_zone: str = "Asia/Shanghai"
    rights: Rights = Rights.UNKNOWN
    enabled: bool = True
    extraction_rule: Mapping[str, Any] | None = None
    """How its pages are read, where that is not left to evidence: see docs/extraction.md."""
    browser: bool = False
    """Whether its pages are opened in a browser: they show their articles by script alone."""


@dataclass(frozen=True, slots=True)
class SiteRecord:
    id: int
    owner_id: int
    owner_name: str
    settings: SiteSettings

    @property
    def name(self) -> str:
        return self.settings.name


@dataclass(frozen=True, slots=True)
class Declared:
    """When a page says it was published, how exactly, and where it says so."""

    at: datetime | None = None
    precision: Precision = Precision.NONE
    origin: DateOrigin = DateOrigin.NONE


@dataclass(frozen=True, slots=True)
class NewArticle:
    """An article as found at a URL, ready to be stored. `url` is canonical; `text` is as published, never empty."""

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
    etag: str | None = None
    last_modified: str | None = None


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
    """As the server wrote it."""
    owner_name: str | None = None
    site_rights: Rights | None = None
    """What holds on the site for articles of which nothing else is known."""

    @property
    def owner_key(self) -> str:
        """Who is behind the page, as far as known: pages with equal keys never accuse each other."""
        return f"owner:{self.owner_id}" if self.owner_id is not None else f"host:{self.host}"


@dataclass(frozen=True, slots=True)
class TextHit:
    """A stored text that one of the four candidate sources named."""

    text_id: int
    shared: int
    rarity: float
    """Sum over the shared keys of 1 / (number of stored texts that hold the key)."""
    keys: tuple[int, ...] = ()
    """The shared keys."""


@dataclass(frozen=True, slots=True)
class Hits:
    """`hits` best first; `cut` is how many more a bound left out; `frequencies`: texts per key, of the keys found."""

    hits: tuple[TextHit, ...] = ()
    cut: int = 0
    frequencies: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeyHits:
    """What was found by each kind of key."""

    seeds: Hits = field(default_factory=Hits)
    slices: Hits = field(default_factory=Hits)


@dataclass(frozen=True, slots=True)
class StoredText:
    id: int
    body: str
    family_id: int | None


@dataclass(frozen=True, slots=True)
class Differences:
    """How many characters differ inside a passage, by type. `moved` counts characters of a passage out of order."""

    homophone: int = 0
    variant: int = 0
    lookalike: int = 0
    edited: int = 0
    inserted: int = 0
    deleted: int = 0
    moved: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch that two texts share, in code points of both texts as supplied. Left and right are the two texts."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    similarity: float
    differences: Differences = Differences()
    is_boilerplate: bool = False

    def swapped(self) -> "Passage":
        d = self.differences
        return Passage(
            left_start=self.right_start,
            left_end=self.right_end,
            right_start=self.left_start,
            right_end=self.left_end,
            similarity=self.similarity,
            differences=Differences(d.homophone, d.variant, d.lookalike, d.edited, d.deleted, d.inserted, d.moved),
            is_boilerplate=self.is_boilerplate,
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """The numbers a match stands on."""

    simhash_distance: int | None
    shared_slices: int
    shared_seeds: int
    matched_units: int
    boilerplate_units: int
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Two texts, `low_text_id` ≤ `high_text_id`; in `passages` left is low."""

    low_text_id: int
    high_text_id: int
    algorithm_version: int
    kind: MatchKind
    score: float
    low_share: float
    high_share: float
    longest: int
    passages: tuple[Passage, ...]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class NewPageMatch:
    page_ids: tuple[int, int]
    source_page_id: int
    confidence: float
    reasons: tuple[str, ...]
    credit: Credit
    credit_evidence: str = ""


@dataclass(frozen=True, slots=True)
class HitSide:
    """One page of a hit."""

    page_id: int
    url: str
    site_name: str | None
    owner_name: str | None
    host: str
    role: SiteRole | None
    title: str
    published_at: datetime | None
    first_seen_at: datetime
    text_id: int
    chars: int
    share: float
    """Share of this page's text that stands in the other, 0…1."""


@dataclass(frozen=True, slots=True)
class HitRecord:
    """A copy and its source, as a list shows it. In `passages` left is the copy."""

    id: int
    match_id: int
    copy: HitSide
    source: HitSide
    kind: MatchKind
    score: float
    longest: int
    confidence: float
    reasons: tuple[str, ...]
    credit: Credit
    credit_evidence: str
    passages: tuple[Passage, ...]
    evidence: Evidence
    created_at: datetime


@dataclass(frozen=True, slots=True)
class HitFilter:
    """Which hits to list. Empty fields filter nothing."""

    site: str | None = None
    owner: str | None = None
    kind: MatchKind | None = None
    credit: Credit | None = None
    role: SiteRole | None = None
    """Role of the source's site: `original` lists copies of ours."""
    min_share: float = 0.0
    min_score: float = 0.0
    text: str | None = None
    """Part of a URL or title on either side."""
    open_case: bool = False
    """Only pairs of pages that stand in an open case."""


@dataclass(frozen=True, slots=True)
class BacklogItem:
    version_id: int
    page_id: int
    text_id: int
    attempts: int


@dataclass(frozen=True, slots=True)
class BoilerplateRun:
    """The verdict on a run of units around a seed."""

    site_id: int | None
    seed: int
    proves_nothing: bool
    units: bytes
    sample: str
    texts: int
    families: int
    owners: int


@dataclass(frozen=True, slots=True)
class KnownRun:
    """Of a verdict what a comparison needs. `texts`: how many held the seed then; `units`: of what proves nothing."""

    site_id: int | None
    seed: int
    proves_nothing: bool
    texts: int
    units: bytes


@dataclass(frozen=True, slots=True)
class SeedHolder:
    """A stored text that holds a seed, with who publishes it."""

    text_id: int
    body: str
    site_ids: frozenset[int]
    owner_keys: frozenset[str]


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


@dataclass(frozen=True, slots=True)
class AccountRecord:
    id: int
    name: str
    password_hash: str
    role: AccountRole
    language: str
    enabled: bool
    time_zone: str = ""
    must_change_password: bool = False


@dataclass(frozen=True, slots=True)
class AccountSummary:
    """An account in the list of people."""

    account: AccountRecord
    created_at: datetime
    last_login_at: datetime | None
    open_sessions: int
    link_expires_at: datetime | None
    """Until when the link to set a password opens; None where there is none."""


@dataclass(frozen=True, slots=True)
class StoreSummary:
    texts: int
    pages: int
    sites: int
    newest: datetime | None
    backlog: int
    matches: int
    hits: int
