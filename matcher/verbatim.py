"""What units stand for, to the character: what is shared to the character cannot be explained by sounding alike."""

from typing import Final

import numpy as np

from fingerprint.model import Initials
from fingerprint.tables import code_points
from matcher.grams import Grams

LEAST: Final = 16
"""Units: what is shorter proves nothing by itself."""

_POINT_BITS: Final = np.uint64(21)
_POINTS_BITS: Final = np.uint64(42)


def characters_of(text: Initials) -> Grams:
    """Of each unit its first character, its last, and how many it has, as one number: a part of a word has several."""
    points = code_points(text.canonical.text).astype(np.uint64)
    last = text.chars_to - 1
    more = (last - text.chars_from).astype(np.uint64)
    numbers: Grams = points.take(text.chars_from) | points.take(last) << _POINT_BITS | more << _POINTS_BITS
    return numbers
