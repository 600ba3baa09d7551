"""Records of retellings: pages that may say in other words, or in another language, what another page says."""

from dataclasses import dataclass, replace
from datetime import datetime

from storage.records.matches import HitSide
from storage.types import Dismissal, Relation, RetellingKind, RetellingState, SiteRole


@dataclass(frozen=True, slots=True)
class AlikeSentences:
    """Two sentences that say the same, left and right, in code points of the texts as supplied. `gain`: similarity
    above that of unrelated sentences. `particulars`: what both name, as it reads in the left text. `similarity`: the
    cosine of their vectors as seen from the mean of the store, 0…1.
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    gain: float
    particulars: tuple[str, ...] = ()
    similarity: float = 0.0

    def swapped(self) -> "AlikeSentences":
        """The same with the two texts exchanged."""
        return replace(
            self,
            left_start=self.right_start,
            left_end=self.right_end,
            right_start=self.left_start,
            right_end=self.left_end,
        )


@dataclass(frozen=True, slots=True)
class NewRetelling:
    """A retelling between two pages, lower id first; left is the low page. `figures`: figures that both have, and the
    most that they could have. `in_order`: pairs of sentences that follow each other in both texts.
    """

    page_ids: tuple[int, int]
    text_ids: tuple[int, int]
    encoder: str
    kind: RetellingKind
    score: float
    shares: tuple[float, float]
    in_order: int
    figures: tuple[int, int]
    particulars: tuple[str, ...]
    sentences: tuple[AlikeSentences, ...]
    source_page_id: int
    confidence: float
    reasons: tuple[str, ...]
    relation: Relation = Relation.COPY
    third_page_id: int | None = None

    def mirrored(self) -> "NewRetelling":
        """The same with the two pages exchanged."""
        return replace(
            self,
            page_ids=(self.page_ids[1], self.page_ids[0]),
            text_ids=(self.text_ids[1], self.text_ids[0]),
            shares=(self.shares[1], self.shares[0]),
            sentences=tuple(one.swapped() for one in self.sentences),
        )


@dataclass(frozen=True, slots=True)
class RetellingRecord:
    """A retelling as lists show it; left of its sentences is the copy. `third_url`: the page that both have it from."""

    id: int
    copy: HitSide
    source: HitSide
    kind: RetellingKind
    score: float
    in_order: int
    figures: tuple[int, int]
    particulars: tuple[str, ...]
    sentences: tuple[AlikeSentences, ...]
    confidence: float
    reasons: tuple[str, ...]
    relation: Relation
    third_url: str | None
    state: RetellingState
    case_id: int | None
    decided_by: str | None
    decided_at: datetime | None
    found_at: datetime
    dismissed_because: Dismissal | None = None

    @property
    def is_ours(self) -> bool:
        """Whether one of the two pages is ours, so that a case may be opened."""
        return SiteRole.ORIGINAL in (self.copy.role, self.source.role)


@dataclass(frozen=True, slots=True)
class RetellingFilter:
    """Which retellings to list. Empty fields filter nothing."""

    state: RetellingState | None = None
    kind: RetellingKind | None = None
    relation: Relation | None = None
    site: str | None = None
    owner: str | None = None
    """Of either side."""
    role: SiteRole | None = None
    """Role of the source's site: `original` lists retellings of ours."""
    min_score: float = 0.0
    text: str | None = None
    """Part of a URL or title on either side."""


@dataclass(frozen=True, slots=True)
class SharedByMeaning:
    """What two pages share by meaning, lower id first. `spans`: start and end of the sentences in either text."""

    page_ids: tuple[int, int]
    text_ids: tuple[int, int]
    spans: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    source_page_id: int
    relation: Relation
    third_page_id: int | None

    def from_page(self, page_id: int) -> "SharedByMeaning":
        """Return the same with this page first."""
        if self.page_ids[0] == page_id:
            return self
        return replace(self, page_ids=self.page_ids[::-1], text_ids=self.text_ids[::-1], spans=self.spans[::-1])
