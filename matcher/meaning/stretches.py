"""The stretches of a text that another text retells: dense, heavy groups of sentence pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from matcher.meaning.sentence_pairs import SentencePair

UNPAIRED_COST: Final = 0.12
"""Cost of a sentence without a pair, and of the chance that a pair has. The gains of unrelated texts sum to less."""
STEP: Final = 3
"""Sentences that one may go on in the other text from a pair to the next, to be in the same order."""
IN_ORDER: Final = 0.1
"""Gain of a pair that follows the one before in both texts."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Sentence pairs inside `first:last` of the sentences of one text that take part; `weight`: their gains less the
    costs.

    `in_order`: how many pairs follow the one before in both texts, by at most `STEP` sentences.
    """

    pairs: tuple[SentencePair, ...]
    first: int
    last: int
    weight: float
    in_order: int = 0

    @property
    def sentences(self) -> int:
        """Number of sentences between the first and the last."""
        return self.last - self.first


def heaviest_stretch(pairs: Sequence[SentencePair], left_count: int, right_count: int) -> Stretch | None:
    """Return the heaviest stretch as seen from either text (a retelling may be part of a longer text on either side).

    None if there are no pairs. Time: O(sentences).
    """
    if not pairs:
        return None
    left = _heaviest(sorted(pairs), left_count)
    right = _heaviest(sorted(pair.mirrored() for pair in pairs), right_count)
    if left.weight >= right.weight:
        return left
    mirrored = tuple(sorted(pair.mirrored() for pair in right.pairs))
    return Stretch(mirrored, right.first, right.last, right.weight, _in_order(mirrored))


def _heaviest(pairs: Sequence[SentencePair], count: int) -> Stretch:
    """Return the run of sentences with the greatest sum (Kadane)."""
    values = [-UNPAIRED_COST] * count
    for pair in pairs:
        values[pair.left] += pair.gain
    for one, other in pairwise(pairs):
        values[other.left] += IN_ORDER * _follows(one, other)
    best = total = 0.0
    first = last = start = 0
    for number, value in enumerate(values):
        if total <= 0:
            total, start = 0.0, number
        total += value
        if total > best:
            best, first, last = total, start, number + 1
    inside = tuple(pair for pair in pairs if first <= pair.left < last)
    return Stretch(inside, first, last, best, _in_order(inside))


def _in_order(pairs: Sequence[SentencePair]) -> int:
    return sum(_follows(one, other) for one, other in pairwise(pairs))


def _follows(one: SentencePair, other: SentencePair) -> bool:
    return other.left - one.left <= STEP and 0 < other.right - one.right <= STEP
