"""Records of matches, hits and the backlog."""

from dataclasses import dataclass, replace
from datetime import datetime

from storage.records.differences import NO_DIFFERENCES, Differences
from storage.types import Credit, FoundBy, MatchKind, Relation, SiteRole


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch shared by two texts, left and right. Offsets are in code points of the texts as supplied."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    similarity: float
    differences: Differences = NO_DIFFERENCES
    is_boilerplate: bool = False

    def swapped(self) -> "Passage":
        """The same passage with the two texts exchanged."""
        return replace(
            self,
            left_start=self.right_start,
            left_end=self.right_end,
            right_start=self.left_start,
            right_end=self.left_end,
            differences=self.differences.swapped(),
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """The figures behind a match."""

    simhash_distance: int | None
    shared_slices: int
    shared_seeds: int
    matched_units: int
    boilerplate_units: int
    provisional: bool = False
    in_our_articles: int = 0
    """Stories of ours in which its one passage stands, if these are so many that it is provisional for that reason."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match of two texts, `low_text_id` ≤ `high_text_id`. In `passages`, left is the low text."""

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

    @property
    def key(self) -> tuple[int, int, int]:
        """The pair of texts, and the algorithm version: of each there is one match."""
        return self.low_text_id, self.high_text_id, self.algorithm_version


@dataclass(frozen=True, slots=True)
class SeenMatch:
    """A match as one of its pages shows it. `from_copy`: whether that page is the copy."""

    match: NewMatch
    from_copy: bool


@dataclass(frozen=True, slots=True)
class NewPageMatch:
    page_ids: tuple[int, int]
    source_page_id: int
    confidence: float
    reasons: tuple[str, ...]
    credit: Credit
    credit_evidence: str = ""
    relation: Relation = Relation.COPY
    third_page_id: int | None = None
    """The page that both have it from, if one is known."""


@dataclass(frozen=True, slots=True)
class NewHit:
    """What two pages show of a stored match."""

    match_id: int
    found: NewPageMatch


@dataclass(frozen=True, slots=True)
class StoredHit:
    """A stored hit as it was judged. In `passages`, left is the low text."""

    match_id: int
    low_text_id: int
    high_text_id: int
    passages: tuple[Passage, ...]
    found: NewPageMatch


@dataclass(frozen=True, slots=True)
class KnownHit:
    """A stored match and one pair of pages that shows it; None if no pair does."""

    match_id: int
    low_text_id: int
    high_text_id: int
    algorithm_version: int
    hit_id: int | None
    low_page_id: int | None
    high_page_id: int | None


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
    """Share of this page's text that is in the other, 0…1."""
    found_by: FoundBy = FoundBy.SPIDER


@dataclass(frozen=True, slots=True)
class HitRecord:
    """A copy and its source, as lists show it. In `passages`, left is the copy."""

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
    relation: Relation = Relation.COPY
    third_url: str | None = None
    """The page that both have it from, if one is known."""


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
    """Only pairs of pages in an open case."""


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
