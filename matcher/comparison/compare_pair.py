"""One stored text against the one asked about: what it comes to, who was first, and whether the copy says so."""

from dataclasses import dataclass
from functools import cached_property

from fingerprint.compute import Analysis
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Grams, Prepared, prepare
from matcher.judgement.judge import Judgement, Look, judge, kind_of
from matcher.judgement.reordering import reconsider
from matcher.provenance.copy_damage import wear_of
from matcher.provenance.credit import CreditFound, credit_given
from matcher.provenance.direction import Direction, direction_between
from matcher.provenance.page_facts import PageFacts, facts_of_page
from matcher.retrieval.candidates import Candidate
from storage.records.candidates import StoredText
from storage.records.pages import PageRecord
from storage.types import MatchKind


@dataclass(frozen=True, slots=True)
class Compared:
    """One stored text against the one asked about (left), with a page that holds it."""

    candidate: Candidate
    stored: StoredText
    pages: tuple[PageRecord, ...]
    """Pages that hold it, first seen first; direction and credit are those of the first."""
    other_pages: int
    judgement: Judgement
    kind: MatchKind
    direction: Direction
    credit: CreditFound
    edges_set_aside: bool = False
    """Whether something that both have at an edge counted nothing, told by a few pages and learned by none."""
    own_share: float = 0.0
    """Of the text asked about, what is from this one and none that explains more: shares add up to at most 1."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A text that is compared too although it stands on no page: `page` says whose it is, as if it stood on one."""

    candidate: Candidate
    stored: StoredText
    page: PageRecord


@dataclass(frozen=True, eq=False)
class Asking:
    """The text asked about, made ready for many comparisons, and what proves nothing in it."""

    text: Analysis
    facts: PageFacts
    boilerplate: Grams
    look: Look = judge

    @cached_property
    def prepared(self) -> Prepared:
        return prepare(self.text.initials.codes)


def compare(asking: Asking, candidate: Candidate, stored: StoredText, held: list[PageRecord]) -> Compared | None:
    """None where the two share too little. `held`: the pages on which the stored text stands, first seen first."""
    asked, facts = asking.text, asking.facts
    other = to_initials(canonicalize(stored.body))
    judgement = asking.look(asked.initials, other, boilerplate=asking.boilerplate, prepared=asking.prepared)
    if candidate.shared_slices:
        judgement = reconsider(judgement, asked, other, boilerplate=asking.boilerplate)
    if not judgement.is_match:
        return None
    page = held[0]
    known = facts_of_page(page, stored.body)
    direction = direction_between(facts, known, wear_of(judgement, asked.canonical.source, stored.body))
    return Compared(
        candidate=candidate,
        stored=stored,
        pages=tuple(held),
        other_pages=len(held) - 1,
        judgement=judgement,
        kind=MatchKind.SCRAMBLED
        if judgement.is_scrambled
        else kind_of(*_copy_first(judgement, direction), judgement.passages),
        direction=direction,
        credit=credit_between(facts, known, direction),
    )


def _copy_first(judgement: Judgement, direction: Direction) -> tuple[float, float]:
    shares = (judgement.left_share, judgement.right_share)
    return (shares[1], shares[0]) if direction.left_is_source else shares


def credit_between(left: PageFacts, right: PageFacts, direction: Direction) -> CreditFound:
    return credit_given(right, left) if direction.left_is_source else credit_given(left, right)
