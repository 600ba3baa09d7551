"""The two sides of a stretch, each read as one: what single sentences leave open, their sum decides.

Sentence by sentence, a loose rewording is hardly nearer than strangers on the same subject. The sum of ten sentences
is: noise cancels, and what both sides say adds up. A subject that an article has throughout is in the sum, too. It is
distinguished by the rest of the same articles, and by other articles on the subject, which say nothing of the stretch.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.encoders.encoder import Vectors
from matcher.meaning.stretches import Stretch

FILLED: Final = 2
"""Unpaired sentences between two paired ones that belong to the stretch: one may be split in two, or be left out."""
LEAST: Final = 0.3
"""Similarity of strangers at least: a text that is all stretch has no rest, and one on another subject a meaningless
one.
"""
RIVALS: Final = 7
"""Rivals of a pair, the nearest other texts: with more, the third nearest is nearer, and fewer retellings stand out."""
RIVAL: Final = 2
"""Rivals that are nearer than the one that counts: two more may tell the same story."""


class Wholes(NamedTuple):
    """`similarity`: cosine of both sides, each the sum of its sentences, -1 to 1. `rest`: the same of one side and the
    nearest part, as long as the side, of what the other text has beside the stretch; of the text that is further away.
    `rival`: the same of each side and the nearest part of a rival text, summed over both.
    `length`: of the shorter side, in Han characters.
    """

    similarity: float
    rest: float
    rival: float
    length: float


NOTHING_ALIKE: Final = Wholes(0.0, LEAST, 2 * LEAST, 0.0)


def wholes_of(
    stretch: Stretch,
    left: EncodedText,
    right: EncodedText,
    rivals: Sequence[EncodedText] = (),
    *,
    ignored_left: Collection[int] = (),
    ignored_right: Collection[int] = (),
) -> Wholes:
    """Return what both sides of a stretch have in common as wholes. The stretch has a pair at least.

    `rivals`: other texts that are near the left one, the nearest first. Ignored sentences are no part of the stretch.
    """
    one = _Side.of(left, with_gaps([pair.left for pair in stretch.pairs], ignored_left))
    other = _Side.of(right, with_gaps([pair.right for pair in stretch.pairs], ignored_right))
    rest = min(_nearest_part(one.rest, other), _nearest_part(other.rest, one))
    similarity = float(one.whole @ other.whole)
    parts = [_all_of(rival) for rival in rivals[:RIVALS]]
    rival = _rival(_nearest_part(part, one) for part in parts) + _rival(_nearest_part(part, other) for part in parts)
    return Wholes(similarity, max(LEAST, rest), rival, min(one.length, other.length))


def with_gaps(paired: Sequence[int], ignored: Collection[int]) -> list[int]:
    """Return the numbers of the paired sentences and of those in short gaps between them."""
    numbers = sorted(set(paired))
    gaps = [
        number
        for one, other in pairwise(numbers)
        if other - one <= FILLED + 1
        for number in range(one + 1, other)
        if number not in ignored
    ]
    return sorted((*numbers, *gaps))


class _Parts(NamedTuple):
    """Sentences of a text in a row. `sums`: of their vectors up to each, each as long as the sentence; `ends`: of their
    lengths. Both begin with zero.
    """

    sums: Vectors
    ends: npt.NDArray[np.float32]

    @classmethod
    def of(cls, text: EncodedText, numbers: Sequence[int]) -> "_Parts":
        chosen = np.asarray(numbers, dtype=np.intp)
        lengths = text.lengths[chosen]
        weighted = text.vectors[chosen] * lengths[:, np.newaxis]
        none = np.zeros((1, text.vectors.shape[1]), dtype=np.float32)
        return cls(np.concatenate([none, np.cumsum(weighted, axis=0)]), np.append(np.float32(0), np.cumsum(lengths)))


@lru_cache(maxsize=128)
def _all_of(text: EncodedText) -> _Parts:
    """Return all sentences of a rival, which is one for all candidates of a text."""
    return _Parts.of(text, range(len(text)))


class _Side(NamedTuple):
    """`whole`: vector of length 1. `rest`: the sentences beside it."""

    whole: Vectors
    length: float
    rest: _Parts

    @classmethod
    def of(cls, text: EncodedText, numbers: Sequence[int]) -> "_Side":
        inside = _Parts.of(text, numbers)
        return cls(_of_length_one(inside.sums[-1:])[0], float(inside.ends[-1]), _Parts.of(text, text.others(numbers)))


def _nearest_part(parts: _Parts, side: _Side) -> float:
    """Return the similarity of a side with the nearest part that is as long, or with all there is."""
    count = len(parts.ends) - 1
    if not count:
        return 0.0
    firsts = np.arange(count)
    lasts = np.searchsorted(parts.ends, parts.ends[:-1] + side.length).clip(firsts + 1, count)
    return float((_of_length_one(parts.sums[lasts] - parts.sums[firsts]) @ side.whole).max())


def _rival(similarities: Iterable[float]) -> float:
    """Return the similarity with the rival that counts."""
    ranked = sorted(similarities, reverse=True)
    return max(LEAST, ranked[RIVAL]) if len(ranked) > RIVAL else LEAST


def _of_length_one(vectors: Vectors) -> Vectors:
    normal: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return normal
