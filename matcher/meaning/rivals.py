"""The other texts that a text might be made from, and what these leave to the one that is judged.

What a text says in its own words is nearer to its source than to anything else, sentence by sentence. On a common
subject, the nearest sentence is now in one article, now in another.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.encoders.encoder import Vectors
from matcher.meaning.particulars import Contrast
from matcher.meaning.sentence_pairs import sentence_gains

THIRD: Final = 2
"""Rivals that are nearer to a sentence than the one that counts: two more may tell the same story."""
_UNLIKE: Final = -9.0
"""Gain beside a text without sentences: no gain is less."""


class Won(NamedTuple):
    """Of the sentences of one side: `sentences` are nearer to the other side than to the rival that counts; `margin`:
    by how much all of them are, below 0 if they are further away, the mean over their characters. `lead`: logarithm of
    how many times as much as the third other story the text gains in the look-up.
    """

    sentences: int
    margin: float
    lead: float = 0.0


NOTHING_WON: Final = Won(0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """Other texts that are near a text, the nearest first. `gains`: of each of its sentences with the nearest of each
    rival, shape (rivals, sentences). `lead`: of the text that is judged, in the look-up; 0, as much as others, if
    there was none.
    """

    texts: Sequence[EncodedText] = ()
    gains: Vectors = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32), repr=False)
    lead: float = 0.0

    @classmethod
    def of(cls, left: EncodedText, texts: Sequence[EncodedText], contrast: Contrast, *, lead: float = 0.0) -> "Rivals":
        """Return them as rivals for the left text. `contrast`: other texts on the same subject."""
        gains = np.full((len(texts), len(left)), _UNLIKE, dtype=np.float32)
        for place, text in enumerate(texts):
            if len(left) and len(text):
                gains[place] = sentence_gains(left, text, contrast).max(axis=1)
        return cls(tuple(texts), gains, lead)

    def without(self, place: int, *, lead: float = 0.0) -> "Rivals":
        """Return all but one, which is the text that is judged."""
        others = [number for number in range(len(self.texts)) if number != place]
        return Rivals([self.texts[number] for number in others], self.gains[others], lead)

    def left_over(self, left: EncodedText, numbers: Sequence[int], gains: Vectors) -> Won:
        """Return what the rivals leave to the text that is judged. `numbers`: sentences of the left text; `gains`: of
        each with the nearest of the other side.
        """
        chosen = list(numbers)
        margins = gains - self._third(chosen)
        lengths = left.lengths[chosen]
        total = float(lengths.sum())
        return Won(int((margins > 0).sum()), float(margins @ lengths) / total if total else 0.0, self.lead)

    def _third(self, numbers: list[int]) -> Vectors:
        """Return the gain of each sentence with the third nearest rival; 0, which is that of strangers, without one."""
        if len(self.texts) <= THIRD:
            return np.zeros(len(numbers), dtype=np.float32)
        third: Vectors = np.sort(self.gains[:, numbers], axis=0)[-1 - THIRD]
        return third
