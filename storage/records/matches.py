"""Frozen values in and out of this package: what callers see instead of rows."""

from dataclasses import dataclass, replace
from datetime import datetime

from storage.types import Credit, MatchKind, SiteRole


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
        """The same passage with the two texts exchanged."""
        said = self.differences
        return replace(
            self,
            left_start=self.right_start,
            left_end=self.right_end,
            right_start=self.left_start,
            right_end=self.left_end,
            differences=replace(said, inserted=said.deleted, deleted=said.inserted),
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
class StoreSummary:
    texts: int
    pages: int
    sites: int
    newest: datetime | None
    backlog: int
    matches: int
    hits: int
