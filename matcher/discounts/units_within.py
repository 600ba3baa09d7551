"""Maps spans of the source text to a mask of its units."""

from collections.abc import Callable, Iterable

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.scanning import Points


def units_within(text: Initials, spans: Iterable[tuple[int, int]]) -> Mask:
    """Return which units begin inside one of the spans, given as start and end in code points of the source."""
    source = text.canonical
    inside = np.zeros(len(source.source) + 1, dtype=np.bool_)
    for start, end in spans:
        inside[start:end] = True
    return inside[source.starts.take(text.chars_from)]


def units_marked(text: Initials, mark: Callable[[Points, Mask], None]) -> Mask:
    """Return which units begin at a character that `mark` marks, given the code points of the source and a mask."""
    points = code_points(text.canonical.source)
    inside = np.zeros(len(points) + 1, dtype=np.bool_)
    mark(points, inside)
    return inside.take(text.canonical.starts.take(text.chars_from))
