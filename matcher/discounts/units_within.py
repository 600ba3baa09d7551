"""Maps spans of the source text to a mask of its units."""

from collections.abc import Iterable

import numpy as np

from fingerprint.model import Initials
from matcher.alignment.align import Mask


def units_within(text: Initials, spans: Iterable[tuple[int, int]]) -> Mask:
    """Return which units begin inside one of the spans, given as start and end in code points of the source."""
    source = text.canonical
    inside = np.zeros(len(source.source) + 1, dtype=np.bool_)
    for start, end in spans:
        inside[start:end] = True
    return inside[source.starts[text.chars_from]]
