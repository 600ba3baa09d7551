"""One stored text against the query text: what they share, which page is the source, and how the copy credits it."""

from dataclasses import dataclass, field
from functools import cached_property

from fingerprint.compute import Analysis
from fingerprint.initials import to_initials
from fingerprint.model import Initials, UnitCodes
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Grams, Prepared, prepare
from matcher.comparison.page_pairs import PagePair, PagePairs
from matcher.judgement.judge import Judgement, JudgePair, judge, kind_of
from matcher.judgement.reordering import reconsider
from matcher.provenance.copy_damage import copy_damage_of
from matcher.provenance.credit import CreditFound
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import PageFacts
from matcher.retrieval.candidates import Candidate
from storage.records.candidates import StoredText
from storage.records.pages import PageRecord
from storage.types import MatchKind


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A stored text that matches the query text (left), with pages that hold it."""

    candidate: Candidate
    stored: StoredText
    pages: tuple[PageRecord, ...]
    """Pages that hold it, first seen first."""
    other_pages: int
    units: UnitCodes
    """Of the stored text."""
    judgement: Judgement
    kind: MatchKind
    pairs: PagePairs
    """The query page with each page that holds the text, or may be in a case with it."""
    edges_set_aside: bool = False
    """Whether text at an edge of both was ignored because a few other pages repeat it, although it is not learned."""
    own_share: float = 0.0
    """Share of the query text that comes from this text and no better one: shares add up to at most 1."""

    @property
    def first(self) -> PagePair:
        """The query page and the first of `pages`."""
        return self.pairs.of(self.pages[0])

    @property
    def direction(self) -> Direction:
        return self.first.direction

    @property
    def credit(self) -> CreditFound:
        return self.first.credit


@dataclass(frozen=True, slots=True)
class Beside:
    """A text outside the store that is also compared; `page` has the facts of its (imaginary) page."""

    candidate: Candidate
    stored: StoredText
    page: PageRecord


@dataclass(frozen=True, eq=False)
class PreparedQuery:
    """The query text, prepared for many comparisons, with its boilerplate and the results so far."""

    text: Analysis
    facts: PageFacts
    boilerplate: Grams
    judge_pair: JudgePair = judge
    judged: dict[int, Judgement] = field(default_factory=dict)
    """The trace: the last judgement of each text that was aligned with the query text, by text id."""

    @cached_property
    def prepared(self) -> Prepared:
        return prepare(self.text.initials.codes)

    def judge(self, other: Initials, *, may_be_reordered: bool = True) -> Judgement:
        """Judge another text. `may_be_reordered`: whether to search for its characters in another order."""
        judgement = self.judge_pair(self.text.initials, other, boilerplate=self.boilerplate, prepared=self.prepared)
        return reconsider(judgement, self.text, other, boilerplate=self.boilerplate) if may_be_reordered else judgement


def compare(
    prepared_query: PreparedQuery, candidate: Candidate, stored: StoredText, held: list[PageRecord]
) -> Compared | None:
    """Compare with one stored text; None if they share too little. `held`: pages that hold it, first seen first."""
    other = to_initials(canonicalize(stored.body))
    judgement = prepared_query.judge(other, may_be_reordered=candidate.shared_slices > 0)
    prepared_query.judged[stored.id] = judgement
    if not judgement.is_match:
        return None
    damage = copy_damage_of(judgement, prepared_query.text.canonical.source, stored.body)
    pairs = PagePairs(prepared_query.facts, stored.body, damage)
    kind = MatchKind.SCRAMBLED if judgement.is_scrambled else _kind(judgement, pairs.of(held[0]).direction)
    return Compared(candidate, stored, tuple(held), len(held) - 1, other.codes, judgement, kind, pairs)


def _kind(judgement: Judgement, direction: Direction) -> MatchKind:
    left, right = judgement.left_share, judgement.right_share
    copy, source = (right, left) if direction.left_is_source else (left, right)
    return kind_of(copy, source, judgement.passages)
