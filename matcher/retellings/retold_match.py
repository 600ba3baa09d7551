"""A stored text that says in other words, or in another language, what the query text says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from matcher.comparison.page_pairs import PagePair
from matcher.judgement.mosaic import own_shares
from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.retelling import Retelling
from matcher.meaning.sentences import Sentence
from matcher.provenance.credit import CreditFound
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import PageFacts
from matcher.retellings.judge import kind_of, left_out_of, sentences_of_retelling
from matcher.retellings.particulars_clue import OwnParticulars, RetoldPairs, own_particulars
from matcher.retellings.proof_words import ProofReason, proof_of
from storage.records.candidates import StoredText
from storage.records.matches import Passage
from storage.records.pages import PageRecord
from storage.records.retellings import AlikeSentences
from storage.types import Relation, RetellingKind


@dataclass(frozen=True, eq=False)
class RetoldMatch:
    """In `sentences` and `retelling`, left is the query text. `gain`: of the candidate. `score`: 0…1."""

    stored: StoredText
    pages: tuple[PageRecord, ...]
    """Pages that hold it, first seen first."""
    other_pages: int
    gain: float
    retelling: Retelling
    kind: RetellingKind
    sentences: tuple[AlikeSentences, ...]
    left_out: tuple[tuple[Sentence, ...], tuple[Sentence, ...]]
    """Sentences of the query text, and of the stored one, within what both tell, that have no counterpart."""
    pairs: RetoldPairs
    own_share: float = 0.0
    """Share of the query text that corresponds to this text and to no better one."""
    relation: Relation = Relation.COPY
    third: PageRecord | None = None
    """The page that both have it from, where it is known."""
    relation_reasons: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        return self.retelling.score

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

    @cached_property
    def longest(self) -> int:
        """Characters of the longest sentence of the query text."""
        return max((one.left_end - one.left_start for one in self.sentences), default=0)

    @cached_property
    def proof(self) -> tuple[ProofReason, ...]:
        """What proves it, in words."""
        of_query, of_stored = self.left_out
        return proof_of(
            self.sentences,
            in_order=self.retelling.stretch.in_order,
            figures=self.retelling.figures,
            particulars=self.retelling.particulars,
            left_out=len(of_query if self.direction.left_is_source else of_stored),
        )

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The sentences as passages, without differences: no character of theirs was compared."""
        return tuple(
            Passage(one.left_start, one.left_end, one.right_start, one.right_end, one.similarity)
            for one in self.sentences
        )


def retold_match(
    texts: tuple[EncodedText, StoredText, EncodedText],
    retelling: Retelling,
    facts: PageFacts,
    pages: Sequence[PageRecord],
    gain: float,
) -> RetoldMatch:
    """Describe a retelling that was found. `texts`: the query text, and the stored one as stored and encoded; `facts`:
    of the query page; `pages` hold the stored text.
    """
    query, stored, encoded = texts
    kind = kind_of(retelling, query, encoded)
    pairs = retelling.stretch.pairs
    is_translated = kind is RetellingKind.TRANSLATED
    own = OwnParticulars() if is_translated else own_particulars(retelling, query, encoded)
    return RetoldMatch(
        stored=stored,
        pages=tuple(pages),
        other_pages=len(pages) - 1,
        gain=gain,
        retelling=retelling,
        kind=kind,
        sentences=sentences_of_retelling(retelling, query, encoded),
        left_out=(
            left_out_of([pair.left for pair in pairs], query.sentences),
            left_out_of([pair.right for pair in pairs], encoded.sentences),
        ),
        pairs=RetoldPairs(facts, stored.body, own),
    )


def with_own_shares(found: Sequence[RetoldMatch], length: int) -> list[RetoldMatch]:
    """Return the matches with the share of the query text that each alone corresponds to, best first."""
    ordered = sorted(found, key=lambda match: (-match.score, match.stored.id))
    shares = own_shares([match.passages for match in ordered], length)
    return [replace(match, own_share=share) for match, share in zip(ordered, shares, strict=True)]
