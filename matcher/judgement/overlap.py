"""Overlap: how much of our article another text has, as every figure, list, letter and rule uses it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from matcher.alignment.blocks import Mask
from storage.records.matches import Passage


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two texts share, counted in our text: `chars` never exceeds its length."""

    chars: int
    """Characters of our text inside passages that are no boilerplate, each counted once."""
    our_share: float
    """`chars` of all characters of our text, 0…1."""
    their_share: float
    """Of the other text without its boilerplate, 0…1, as the judgement found it."""


def passage_mask(passages: Sequence[Passage], length: int) -> Mask:
    """True for each of the `length` characters of the left text that lies in a passage that is no boilerplate."""
    mask = np.zeros(length, dtype=np.bool_)
    for passage in passages:
        if not passage.is_boilerplate:
            mask[passage.left_start : passage.left_end] = True
    return mask


def chars_shared(passages: Sequence[Passage], length: int) -> int:
    """Characters of the left text, of `length` characters, that the passages cover."""
    return int(passage_mask(passages, length).sum())


def overlap_of(passages: Sequence[Passage], length: int, *, their_share: float) -> Overlap:
    """`passages`: ours on the left side. `length`: characters of our text."""
    chars = chars_shared(passages, length)
    return Overlap(chars, chars / length if length else 0.0, their_share)
