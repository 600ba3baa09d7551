"""Judges a pair of texts: whether they share enough for a match, and of what kind. Pure: no database.

A judgement holds every gate, passed or not, with its numbers; `why-not` reports them.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final, Protocol

from fingerprint.model import Initials
from matcher.alignment.align import Block, Grams, Groups, Mask, Prepared, aligned, blocks_of, prepare
from matcher.alignment.diff import count_differences, similarity, span_table
from matcher.alignment.diff_loops import SpanTable
from matcher.alignment.kept_values import kept
from matcher.boilerplate.classifier import covered
from matcher.discounts.changed_numbers import numbers_differ
from matcher.discounts.numbering import codes_of_facts
from matcher.judgement.exclusion import excludes, limits_of
from matcher.judgement.gates import BESIDE_EDGES, DEFAULT_THRESHOLDS, Gate, MatchThresholds, gates_of
from matcher.judgement.overlap import chars_shared
from matcher.judgement.score import estimated_score
from matcher.judgement.segments import Part, parts_of, stretches
from matcher.judgement.weighting import BESIDE_EDGES as WEIGHTS_BESIDE_EDGES
from matcher.judgement.weighting import (
    DEFAULT_WEIGHTS,
    WEIGHTS_WITH_NOTICES,
    ProofWeights,
    Scales,
    Weighed,
    most_weights,
)
from storage.records.matches import Passage
from storage.types import MatchKind

NEAR_SHARE: Final = 0.7
"""Least share of both texts for a copy of the whole article."""
IDENTICAL_SHARE: Final = 0.98
KEPT_UNITS: Final = 1_000_000
"""Units of the pairs whose alignment and differences are kept: a match is judged twice, with its notices and without
them, after all others were judged once. A page with sixty copies has some 200,000.
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Left is the query text, right the candidate."""

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
    """Matched units inside notices of both texts."""
    is_scrambled: bool = False
    """Whether the passages are the same characters in another order."""
    is_excluded: bool = False
    """Whether upper bounds exclude a match. Of the figures only `matched_units` is known then."""

    @property
    def is_match(self) -> bool:
        return any(gate.passed for gate in self.gates)

    @property
    def score(self) -> float:
        """Estimated probability that a reviewer confirms the hit, 0…1. It orders hits; it is not a share."""
        strength = max((gate.measured / gate.needed for gate in self.gates), default=0.0)
        return estimated_score(strength, max(self.left_share, self.right_share))

    def mirrored(self) -> "Judgement":
        """Return the same judgement with the texts exchanged."""
        passages = tuple(sorted((item.swapped() for item in self.passages), key=lambda item: item.left_start))
        return replace(
            self,
            passages=passages,
            left_share=self.right_share,
            right_share=self.left_share,
            longest=_longest(passages),
        )


def judge(
    left: Initials,
    right: Initials,
    *,
    boilerplate: Grams,
    prepared: Prepared | None = None,
    thresholds: MatchThresholds = DEFAULT_THRESHOLDS,
    weights: ProofWeights = DEFAULT_WEIGHTS,
    is_exact: bool = True,
) -> Judgement:
    """Align two texts and weigh what they share. `boilerplate`: sorted grams of runs that prove nothing here.

    `prepared`: the prepared units of `left`, for many comparisons. Shares of the result are 0…1 of each text without
    boilerplate; passages are in code points of the texts as published. Unless `is_exact`, a pair that upper bounds
    exclude is not weighed.
    """
    found = _aligned(prepare(left.codes) if prepared is None else prepared, right)
    if not len(found[0]):  # there is nothing to weigh
        return _of_strangers(thresholds)
    ignored, right_ignored = covered(left.codes, boilerplate), covered(right.codes, boilerplate)
    if not is_exact:
        limits = limits_of(thresholds)
        for at_first_sight in (True, False):
            most = most_weights(left, weights, at_first_sight=at_first_sight)
            if excludes(*found, ignored, right_ignored, most, limits):
                matched = int(found[0][:, 2].sum())
                return Judgement((), 0.0, 0.0, 0, matched, 0, 0.0, (), is_excluded=True)
    blocks = blocks_of(found)
    parts = parts_of(blocks, ignored)
    if all(part.is_boilerplate for part in parts):  # a notice on both pages: the result is known
        weighed = [Weighed(part, 0.0) for part in parts]
    else:
        of_all = weights.facts if _facts_differ(blocks, left, right) else 1.0
        weighed = Scales(left, right, of_all=of_all, weights=weights).weigh(parts)
    judgement = _judgement(weighed, ignored, right_ignored, min(len(left), len(right)), thresholds)
    if not judgement.is_match:
        return judgement
    passages = tuple(_passages(weighed, left, right))
    return replace(judgement, passages=passages, longest=_longest(passages))


def _facts_differ(blocks: Sequence[Block], left: Initials, right: Initials) -> bool:
    """Return whether the wording is shared and the numbers are not, also without those that state no fact."""
    if not numbers_differ(blocks, left.codes, right.codes):
        return False
    return numbers_differ(blocks, codes_of_facts(left), codes_of_facts(right))


@lru_cache
def _of_strangers(thresholds: MatchThresholds) -> Judgement:
    return Judgement((), 0.0, 0.0, 0, 0, 0, 0.0, gates_of((), 0.0, 0, thresholds))


def _judgement(
    weighed: Sequence[Weighed], ignored: Mask, right_ignored: Mask, shorter: int, thresholds: MatchThresholds
) -> Judgement:
    """Return the judgement without passages. `ignored`, `right_ignored`: units of boilerplate in both texts."""
    real = [item.block for item in weighed if not item.is_boilerplate]
    proof = sum(item.proof for item in weighed)
    return Judgement(
        passages=(),
        left_share=_share([(block.left, block.left_end) for block in real], ignored),
        right_share=_share([(block.right, block.right_end) for block in real], right_ignored),
        longest=0,
        matched_units=sum(item.block.matched for item in weighed),
        boilerplate_units=sum(item.block.matched for item in weighed if item.is_boilerplate),
        proof=proof,
        gates=gates_of(weighed, proof, shorter, thresholds),
        notice_units=sum(item.notices for item in weighed),
    )


@kept(KEPT_UNITS, size=lambda left, right: len(left.codes) + len(right))
def _aligned(left: Prepared, right: Initials) -> Groups:
    return aligned(left, right.codes)


class JudgePair(Protocol):
    """The signature of `judge` with its parameters bound."""

    def __call__(
        self,
        left: Initials,
        right: Initials,
        *,
        boilerplate: Grams,
        prepared: Prepared | None = None,
        is_exact: bool = True,
    ) -> Judgement: ...


judge_with_notices: Final[JudgePair] = partial(judge, weights=WEIGHTS_WITH_NOTICES)
"""Judges which pairs deserve a second judgement: notices count like all other text."""
judge_beside_edges: Final[JudgePair] = partial(judge, thresholds=BESIDE_EDGES, weights=WEIGHTS_BESIDE_EDGES)
"""Judges a match again without the repeated edges of its hosts, which `boilerplate` then includes."""


def _longest(passages: Sequence[Passage]) -> int:
    return max((item.left_end - item.left_start for item in passages if not item.is_boilerplate), default=0)


def _share(taken: Sequence[tuple[int, int]], ignored: Mask) -> float:
    """Return the share of a text's own units that lies in the stretches; boilerplate counts on neither side."""
    own = len(ignored) - int(ignored.sum())
    return sum(int((~ignored[start:end]).sum()) for start, end in taken) / own if own else 0.0


def _passages(weighed: Sequence[Weighed], left: Initials, right: Initials) -> list[Passage]:
    shown = stretches([item.part for item in weighed])
    in_order = _longest_rising([item.block.right for item in shown])
    return [_passage(item, left, right, moved=number not in in_order) for number, item in enumerate(shown)]


def _passage(item: Part, left: Initials, right: Initials, *, moved: bool) -> Passage:
    block = item.block
    left_start, left_end = left.source_span(block.left, block.left_end - 1)
    right_start, right_end = right.source_span(block.right, block.right_end - 1)
    spans = _differences(left, (left_start, left_end), right, (right_start, right_end))
    return Passage(
        left_start=left_start,
        left_end=left_end,
        right_start=right_start,
        right_end=right_end,
        similarity=round(similarity(spans), 4),
        differences=count_differences(spans, moved=moved),
        is_boilerplate=item.is_boilerplate,
    )


def _differences(left: Initials, left_span: tuple[int, int], right: Initials, right_span: tuple[int, int]) -> SpanTable:
    known = _known_differences(left, right)
    if (left_span, right_span) not in known:
        sources = left.canonical.source, right.canonical.source
        known[left_span, right_span] = span_table(sources[0][slice(*left_span)], sources[1][slice(*right_span)])
    return known[left_span, right_span]


@kept(KEPT_UNITS, size=lambda left, right: len(left) + len(right))
def _known_differences(_left: Initials, _right: Initials) -> dict[tuple[tuple[int, int], tuple[int, int]], SpanTable]:
    return {}


def _longest_rising(values: Sequence[int]) -> set[int]:
    """Return indices of a longest rising subsequence: the blocks that kept their order. The others were moved."""
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
    """Return what kind of copy it is. Shares are 0…1; passages are seen from the copy."""
    unchanged = all(item.similarity == 1.0 and not item.differences.moved for item in passages)
    if min(copy_share, source_share) >= IDENTICAL_SHARE and unchanged:
        return MatchKind.IDENTICAL
    if min(copy_share, source_share) >= NEAR_SHARE:
        return MatchKind.NEAR
    return MatchKind.EXCERPT if copy_share >= NEAR_SHARE else MatchKind.EMBEDDED


def union_share(passages: Sequence[Passage], length: int) -> float:
    """Return the share of the left text's characters that any passage covers, 0…1. `length`: its characters."""
    return chars_shared(passages, length) / length if length else 0.0
