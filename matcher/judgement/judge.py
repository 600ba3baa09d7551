"""One text and one candidate: do they share enough to call one a copy, and of what kind? Pure: no database.

Every gate the pair passed or failed is kept with its numbers, so that `why-not` has nothing to guess.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

from fingerprint.model import Initials
from matcher.alignment.align import Grams, Mask, Prepared, align
from matcher.alignment.diff import count_differences, similarity, typed_spans
from matcher.boilerplate.classifier import covered
from matcher.discounts.changed_numbers import numbers_differ
from matcher.judgement.overlap import chars_shared
from matcher.judgement.score import estimated_score
from matcher.judgement.segments import Part, parts_of, stretches
from matcher.judgement.weighting import BESIDE_EDGES as WEIGHTS_BESIDE_EDGES
from matcher.judgement.weighting import DEFAULT_WEIGHTS, FIRST_LOOK, ProofWeights, Scales, Weighed
from storage.records.matches import Passage
from storage.types import MatchKind


@dataclass(frozen=True, slots=True)
class MatchThresholds:
    """When shared passages make a match. Units are characters of Han text or parts of words."""

    dense: float = 0.5
    """A block with at least this share of its stretch matched is dense."""
    dense_proof: int = 50
    """Proof times the share matched, to the power of `thinning`, that one dense block must hold."""
    thinning: int = 2
    """50 characters in a row, or 70 of which one in ten was edited: what texts say alike by chance is never whole."""
    verbatim_proof: int = 44
    """The same of a stretch in which no character was changed: a passage of 60 with its punctuation and figures."""
    several_each: int = 25
    """The same of each of several dense blocks: set phrases and names of things are shorter."""
    several_proof: int = 70
    """What these must hold together: who took two sentences elsewhere took this one too."""
    sparse: float = 0.25
    sparse_proof: int = 120
    """A block that is heavily edited must be longer."""
    scattered_share: float = 0.15
    scattered_proof: int = 60
    """Many short passages are an article that was worked over, if together they are this much of the shorter text."""
    whole_share: float = 0.5
    whole_proof: int = 16
    """A short text that is mostly the other one is a copy although it is short."""


DEFAULT_THRESHOLDS: Final = MatchThresholds()
BESIDE_EDGES: Final = replace(DEFAULT_THRESHOLDS, dense_proof=DEFAULT_THRESHOLDS.several_each)
"""For what a match holds beside the edges that other pages of its hosts repeat: whatever is longer than a set phrase
keeps it a match, since pages that have no more than a footer in common have nothing there.
"""

NEAR_SHARE: Final = 0.7
"""From this share of both texts on, the copy is the whole article."""
IDENTICAL_SHARE: Final = 0.98


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition, what was measured, what was needed."""

    name: str
    measured: float
    needed: float

    @property
    def passed(self) -> bool:
        return self.measured >= self.needed


@dataclass(frozen=True, slots=True)
class Judgement:
    """Left is the text asked about, right the candidate."""

    passages: tuple[Passage, ...]
    left_share: float
    right_share: float
    longest: int
    """Characters of the longest passage in the left text."""
    matched_units: int
    boilerplate_units: int
    proof: float
    gates: tuple[Gate, ...]
    notice_units: int = 0
    """Of the matched ones, those in notices of both texts."""
    is_scrambled: bool = False
    """Whether the passages are the same characters in another order."""

    @property
    def is_match(self) -> bool:
        return any(gate.passed for gate in self.gates)

    @property
    def score(self) -> float:
        """Estimated probability that a reviewer confirms, 0…1. It orders hits; it is no share."""
        strength = max((gate.measured / gate.needed for gate in self.gates), default=0.0)
        return estimated_score(strength, max(self.left_share, self.right_share))


def judge(
    left: Initials,
    right: Initials,
    *,
    boilerplate: Grams,
    prepared: Prepared | None = None,
    thresholds: MatchThresholds = DEFAULT_THRESHOLDS,
    weights: ProofWeights = DEFAULT_WEIGHTS,
) -> Judgement:
    """Aligns two texts and weighs what they share. `boilerplate`: sorted grams of runs that prove nothing here.

    `prepared`: the units of `left`, made ready once for many comparisons.
    """
    blocks = align(left.codes if prepared is None else prepared, right.codes)
    if not blocks:  # as with most candidates: nothing is to be weighed
        return Judgement((), 0.0, 0.0, 0, 0, 0, 0.0, _gates((), 0.0, min(len(left), len(right)), thresholds))
    ignored, right_ignored = covered(left.codes, boilerplate), covered(right.codes, boilerplate)
    parts = parts_of(blocks, ignored)
    if all(part.is_boilerplate for part in parts):  # a notice that both carry: what it counts is known
        weighed = [Weighed(part, 0.0) for part in parts]
    else:
        of_all = weights.facts if numbers_differ(blocks, left.codes, right.codes) else 1.0
        weighed = Scales(left, right, of_all=of_all, weights=weights).weigh(parts)
    real = [item.block for item in weighed if not item.is_boilerplate]
    proof = sum(item.proof for item in weighed)
    gates = _gates(weighed, proof, min(len(left), len(right)), thresholds)
    passages = tuple(_passages(weighed, left, right)) if any(gate.passed for gate in gates) else ()
    lengths = [passage.left_end - passage.left_start for passage in passages if not passage.is_boilerplate]
    return Judgement(
        passages=passages,
        left_share=_share([(block.left, block.left_end) for block in real], ignored),
        right_share=_share([(block.right, block.right_end) for block in real], right_ignored),
        longest=max(lengths, default=0),
        matched_units=sum(item.block.matched for item in weighed),
        boilerplate_units=sum(item.block.matched for item in weighed if item.is_boilerplate),
        proof=proof,
        gates=gates,
        notice_units=sum(item.notices for item in weighed),
    )


class Look(Protocol):
    """One way of judging a pair."""

    def __call__(
        self, left: Initials, right: Initials, *, boilerplate: Grams, prepared: Prepared | None = None
    ) -> Judgement: ...


judge_with_notices: Final[Look] = partial(judge, weights=FIRST_LOOK)
"""Judges which pairs deserve a second look: notices count as all else."""
judge_beside_edges: Final[Look] = partial(judge, thresholds=BESIDE_EDGES, weights=WEIGHTS_BESIDE_EDGES)
"""Judges a match again without what its hosts repeat at their edges, which is part of `boilerplate` now."""


def _share(taken: Sequence[tuple[int, int]], ignored: Mask) -> float:
    """Share of a text's own units, boilerplate left out on both sides of the fraction, that lies in the stretches."""
    own = len(ignored) - int(ignored.sum())
    return sum(int((~ignored[start:end]).sum()) for start, end in taken) / own if own else 0.0


def _gates(weighed: Sequence[Weighed], proof: float, shorter: int, thresholds: MatchThresholds) -> tuple[Gate, ...]:
    dense = [
        item.alone * item.block.density**thresholds.thinning
        for item in weighed
        if item.block.density >= thresholds.dense
    ]
    several = [proof for proof in dense if proof >= thresholds.several_each]
    sparse = max((item.alone for item in weighed if item.block.density >= thresholds.sparse), default=0.0)
    # Needs both: the share must be high and the text long enough to mean something.
    whole = proof / shorter if shorter and proof >= thresholds.whole_proof else 0.0
    pieces = sum(item.alone for item in weighed if item.block.density >= thresholds.sparse)
    scattered = pieces / shorter if shorter and pieces >= thresholds.scattered_proof else 0.0
    return (
        Gate("one dense passage, in units of proof", max(dense, default=0.0), thresholds.dense_proof),
        Gate(
            "one unchanged passage, in units of proof",
            max((item.verbatim for item in weighed), default=0.0),
            thresholds.verbatim_proof,
        ),
        Gate(
            f"several dense passages, in units of proof (from {thresholds.several_each} each)",
            sum(several) if len(several) > 1 else 0.0,
            thresholds.several_proof,
        ),
        Gate("one edited passage, in units of proof", sparse, thresholds.sparse_proof),
        Gate(
            f"many passages, share of the shorter text (from {thresholds.scattered_proof} units of proof)",
            scattered,
            thresholds.scattered_share,
        ),
        Gate(
            f"share of the shorter text (from {thresholds.whole_proof} units of proof)", whole, thresholds.whole_share
        ),
    )


def _passages(weighed: Sequence[Weighed], left: Initials, right: Initials) -> list[Passage]:
    shown = stretches([item.part for item in weighed])
    in_order = _longest_rising([item.block.right for item in shown])
    return [_passage(item, left, right, moved=number not in in_order) for number, item in enumerate(shown)]


def _passage(item: Part, left: Initials, right: Initials, *, moved: bool) -> Passage:
    block = item.block
    left_start, left_end = left.source_span(block.left, block.left_end - 1)
    right_start, right_end = right.source_span(block.right, block.right_end - 1)
    spans = typed_spans(left.canonical.source[left_start:left_end], right.canonical.source[right_start:right_end])
    return Passage(
        left_start=left_start,
        left_end=left_end,
        right_start=right_start,
        right_end=right_end,
        similarity=round(similarity(spans), 4),
        differences=count_differences(spans, moved=moved),
        is_boilerplate=item.is_boilerplate,
    )


def _longest_rising(values: Sequence[int]) -> set[int]:
    """Indices of a longest rising subsequence: the blocks that kept their order. The others were moved."""
    tails: list[int] = []
    tail_index: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        at = bisect_left(tails, value)
        before.append(tail_index[at - 1] if at else -1)
        tails[at : at + 1] = [value]
        tail_index[at : at + 1] = [index]
    kept: set[int] = set()
    index = tail_index[-1] if tail_index else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return kept


def kind_of(copy_share: float, source_share: float, passages: Sequence[Passage]) -> MatchKind:
    """What the copy is, seen from the copying text."""
    unchanged = all(item.similarity == 1.0 and not item.differences.moved for item in passages)
    if min(copy_share, source_share) >= IDENTICAL_SHARE and unchanged:
        return MatchKind.IDENTICAL
    if min(copy_share, source_share) >= NEAR_SHARE:
        return MatchKind.NEAR
    return MatchKind.EXCERPT if copy_share >= NEAR_SHARE else MatchKind.EMBEDDED


def union_share(passages: Sequence[Passage], length: int) -> float:
    """Share of the left text's characters that any of the passages covers, 0…1."""
    return chars_shared(passages, length) / length if length else 0.0
