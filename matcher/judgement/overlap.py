"""Overlap: how much of our article another text has, for all figures, lists, letters and rules."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from matcher.alignment.blocks import Mask
from storage.records.matches import Passage


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of two texts, counted in our text: `chars` never exceeds its length."""

    chars: int
    """Characters of our text inside passages that are not boilerplate, each counted once."""
    our_share: float
    """`chars` divided by all characters of our text, 0…1."""
    their_share: float
    """Matched share of the other text without its boilerplate, 0…1, from the judgement."""


def passage_mask(passages: Sequence[Passage], length: int) -> Mask:
    """Return a mask of `length` characters of the left text: true inside passages that are not boilerplate."""
    mask = np.zeros(length, dtype=np.bool_)
    for passage in passages:
        if not passage.is_boilerplate:
            mask[passage.left_start : passage.left_end] = True
    return mask


def chars_shared(passages: Sequence[Passage], length: int) -> int:
    """Return how many of the left text's `length` characters the passages cover."""
    return int(passage_mask(passages, length).sum())


def overlap_of(passages: Sequence[Passage], length: int, *, their_share: float) -> Overlap:
    """Return the overlap. `passages`: our text on the left side. `length`: characters of our text."""
    chars = chars_shared(passages, length)
    return Overlap(chars, chars / length if length else 0.0, their_share)
