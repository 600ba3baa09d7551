"""Aligns the sentences of two texts by meaning."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.encoders.encoder import Vectors
from matcher.meaning.particulars import Contrast

COMMON: Final = 0.5
"""Share of the greatest rarity from which a particular counts: below it, one text in eight of the contrast has it."""
PER_PARTICULAR: Final = 0.08
"""Similarity that a unit of shared rarity is worth."""
MOST_PARTICULARS: Final = 0.5
"""Similarity that the particulars of one pair are worth at most."""


class SentencePair(NamedTuple):
    """Sentence `left` of one text and `right` of the other, each the nearest of the other.

    `gain`: similarity above what both have in common with unrelated sentences, summed over both sides, and what their
    particulars are worth; above 0. `particulars`: the rare ones that both have, the rarest first.
    """

    left: int
    right: int
    gain: float
    particulars: tuple[str, ...]

    def mirrored(self) -> "SentencePair":
        return SentencePair(self.right, self.left, self.gain, self.particulars)


def sentence_pairs(
    left: EncodedText,
    right: EncodedText,
    contrast: Contrast,
    *,
    ignored_left: Collection[int] = (),
    ignored_right: Collection[int] = (),
) -> list[SentencePair]:
    """Return the pairs of sentences that are nearest to each other, by position in the left text.

    Each sentence is in one pair at most. Ignored sentences take no part, such as those whose wording is the same: they
    prove something else.
    """
    if not len(left) or not len(right):
        return []
    gains = sentence_gains(left, right, contrast)
    gains[list(ignored_left), :] = -np.inf
    gains[:, list(ignored_right)] = -np.inf
    nearest, back = gains.argmax(axis=1), gains.argmax(axis=0)
    pairs = []
    for number, other in enumerate(nearest.tolist()):
        gain = float(gains[number, other])
        if back[other] == number and gain > 0:
            shared = left.particulars[number] & right.particulars[other]
            pairs.append(SentencePair(number, other, gain, _rare(shared, contrast)))
    return pairs


def sentence_gains(left: EncodedText, right: EncodedText, contrast: Contrast) -> Vectors:
    """Return the gain of each sentence of one text with each of the other, shape (len(left), len(right))."""
    gains: Vectors = 2 * (left.vectors @ right.vectors.T)
    gains -= left.ambient[:, np.newaxis]
    gains -= right.ambient[np.newaxis, :]
    shared = _shared_rarity(left.particulars, right.particulars, contrast)
    gains += np.minimum(PER_PARTICULAR * shared, MOST_PARTICULARS)
    return gains


def _shared_rarity(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]], contrast: Contrast) -> Vectors:
    """Return the rarity of the particulars that each pair of sentences shares; one that many sentences have counts
    less in each.
    """
    rarity = np.zeros((len(left), len(right)), dtype=np.float32)
    least = COMMON * contrast.rarest
    bearers: dict[str, list[int]] = defaultdict(list)
    for number, particulars in enumerate(right):
        for key in particulars:
            bearers[key].append(number)
    for number, particulars in enumerate(left):
        for key in particulars & bearers.keys():
            weight = contrast.rarity(key) - least
            if weight > 0:
                rarity[number, bearers[key]] += weight / sqrt(len(bearers[key]))
    return rarity


def _rare(particulars: Collection[str], contrast: Contrast) -> tuple[str, ...]:
    least = COMMON * contrast.rarest
    ranked = sorted((-contrast.rarity(key), key) for key in particulars)
    return tuple(key for rarity, key in ranked if -rarity > least)
