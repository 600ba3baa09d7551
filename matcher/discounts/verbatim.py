"""Verbatim text: units compared by their characters, which rules out mere similarity of sound.

Set phrases are verbatim, too: those of politics and of trade have fifty characters. But they are parts of a sentence,
and in three of four cases so short a copy includes the end of one sentence and the beginning of the next.
"""

import re
from typing import Final

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.alignment.kgrams import Grams

LEAST: Final = 16
"""Least units: a shorter stretch proves nothing by itself."""

BESIDE: Final = 4
"""Least units on either side of the end of a sentence: with fewer, the context of a phrase agrees by chance."""

_SENTENCE_END: Final = re.compile(r"[。！？!?…\n]|\.(?=\s|$)")
_POINT_BITS: Final = np.uint64(21)
_POINTS_BITS: Final = np.uint64(42)


def characters_of(text: Initials) -> Grams:
    """Return a number for each unit made of its first character, its last, and how many it has."""
    points = code_points(text.canonical.text).astype(np.uint64)
    last = text.chars_to - 1
    more = (last - text.chars_from).astype(np.uint64)
    numbers: Grams = points.take(text.chars_from) | points.take(last) << _POINT_BITS | more << _POINTS_BITS
    return numbers


def sentence_starts(text: Initials) -> Mask:
    """Return which units are the first of a sentence or of a line."""
    places = text.canonical.starts[text.chars_from]
    ends = [found.start() for found in _SENTENCE_END.finditer(text.canonical.source)]
    mask = np.zeros(len(places) + 1, dtype=np.bool_)
    mask[np.searchsorted(places, ends)] = True
    return mask[:-1]
