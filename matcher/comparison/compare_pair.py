"""One stored text against the query text: what they share, which page is the source, and how the copy credits it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis
from fingerprint.model import Initials, UnitCodes
from matcher.alignment.align import Grams, Prepared, prepare
from matcher.alignment.kept_values import kept
from matcher.boilerplate.set_aside import SetAside, joined
from matcher.comparison.page_pairs import PagePair, PagePairs
from matcher.comparison.text_units import units_of
from matcher.judgement.judge import Judgement, JudgePair, judge, kind_of
from matcher.judgement.reordering import reconsider
from matcher.provenance.copy_damage import CopyDamage, copy_damage_of
from matcher.provenance.credit import CreditFound
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import PageFacts
from matcher.provenance.third_source import COPY, RelationFound
from matcher.retrieval.candidates import Candidate
from storage.records.candidates import StoredText
from storage.records.pages import PageRecord
from storage.types import MatchKind

if TYPE_CHECKING:
    from matcher.comparison.relations import Relations

KEPT_TEXTS: Final = 4
"""Query texts of which what is prepared is cached."""
KEPT_CHARS: Final = 1_000_000
"""Characters of the texts whose pairs of pages are kept: a match is judged twice, with its notices and without them."""


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
    relations: "Relations | None" = None
    """Of the query page with all that match it; None before all are known."""

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

    def relation_with(self, page: PageRecord) -> RelationFound:
        """Return whether the query page and a page that holds the text may have it from a third one."""
        return COPY if self.relations is None else self.relations.of(self, page)


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
    set_aside: tuple[SetAside, ...] = ()
    """What people have set aside in comparisons with pages of some sites or parties only."""
    judged: dict[int, Judgement] = field(default_factory=dict)
    """The trace: the last judgement of each text that was aligned with the query text, by text id."""
    excluded: dict[int, tuple[JudgePair, Grams, bool]] = field(default_factory=dict)
    """How those among them were judged that upper bounds exclude: function, boilerplate, and `may_be_reordered`."""

    @property
    def prepared(self) -> Prepared:
        return _prepared(self.text.initials)

    def with_pages(self, held: Sequence[PageRecord]) -> "PreparedQuery":
        """Return the query for a comparison with a text on these pages. What was set aside for a site or a party proves
        nothing there only if all of them are its pages: the text may be another's, too.
        """
        here = [one.grams for one in self.set_aside if all(_is_of(page, one) for page in held)]
        return replace(self, boilerplate=joined(self.boilerplate, here)) if here and held else self

    def judge(self, other: Initials, *, may_be_reordered: bool = True, is_exact: bool = True) -> Judgement:
        """Judge another text. `may_be_reordered`: whether to search for its characters in another order.

        Unless `is_exact`, upper bounds may exclude a text that is no match, without its figures.
        """
        in_order = self._judge_in_order(other, is_exact=is_exact)
        if not may_be_reordered:
            return in_order
        judgement = reconsider(in_order, self.text, other, boilerplate=self.boilerplate)
        if in_order.is_excluded and judgement.is_match:  # a scrambled copy, which is shown with all gates
            gates = self._judge_in_order(other, is_exact=True).gates
            return replace(judgement, gates=(*gates, judgement.gates[-1]))
        return judgement

    def _judge_in_order(self, other: Initials, *, is_exact: bool) -> Judgement:
        return self.judge_pair(
            self.text.initials, other, boilerplate=self.boilerplate, prepared=self.prepared, is_exact=is_exact
        )

    def judge_stored(self, text_id: int, other: Initials, *, may_be_reordered: bool) -> Judgement:
        """Judge a stored text and keep the judgement in the trace."""
        judgement = self.judge(other, may_be_reordered=may_be_reordered, is_exact=False)
        self.judged[text_id] = judgement
        self.excluded.pop(text_id, None)
        if judgement.is_excluded:
            self.excluded[text_id] = self.judge_pair, self.boilerplate, may_be_reordered
        return judgement

    def traced(self, text_id: int, other: Initials) -> Judgement | None:
        """Return the judgement of a stored text with exact figures; None if it was not aligned. `other`: its units."""
        if text_id in self.excluded:
            judge_pair, boilerplate, may_be_reordered = self.excluded[text_id]
            query = replace(self, judge_pair=judge_pair, boilerplate=boilerplate)
            return query.judge(other, may_be_reordered=may_be_reordered)
        return self.judged.get(text_id)


def compare(
    prepared_query: PreparedQuery, candidate: Candidate, stored: StoredText, held: list[PageRecord]
) -> Compared | None:
    """Compare with one stored text; None if they share too little. `held`: pages that hold it, first seen first."""
    other = units_of(stored.body)
    prepared_query = prepared_query.with_pages(held)
    judgement = prepared_query.judge_stored(stored.id, other, may_be_reordered=candidate.shared_slices > 0)
    if not judgement.is_match:
        return None
    damage = copy_damage_of(judgement, prepared_query.text.canonical.source, stored.body)
    pairs = _pairs_of(prepared_query.facts, stored.body, damage)
    kind = MatchKind.SCRAMBLED if judgement.is_scrambled else _kind(judgement, pairs.of(held[0]).direction)
    return Compared(candidate, stored, tuple(held), len(held) - 1, other.codes, judgement, kind, pairs)


def _is_of(page: PageRecord, found: SetAside) -> bool:
    return found.holds_for(() if page.site_id is None else (page.site_id,), page.owner_key)


@lru_cache(maxsize=KEPT_TEXTS)
def _prepared(text: Initials) -> Prepared:
    return prepare(text.codes)


@kept(KEPT_CHARS, size=lambda query, body, _damage: len(query.text) + len(body))
def _pairs_of(query: PageFacts, body: str, damage: CopyDamage) -> PagePairs:
    return PagePairs(query, body, damage)


def _kind(judgement: Judgement, direction: Direction) -> MatchKind:
    left, right = judgement.left_share, judgement.right_share
    copy, source = (right, left) if direction.left_is_source else (left, right)
    return kind_of(copy, source, judgement.passages)
