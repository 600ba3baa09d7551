"""A page made of several sources: each stretch belongs to the source that explains it best."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from storage.records import Passage

OWN_STRETCH: Final = 0.12
"""Share of the page that a source must explain beyond all better ones to count as a part of the mosaic."""
WHOLE: Final = 0.7
"""A page that one source explains to this share is a copy of that source, whatever else resembles it."""


def parts_of_mosaic(sources: Sequence[Sequence[Passage]], length: int) -> frozenset[int]:
    """Which of the sources (by number) make up a mosaic of `length` characters; empty where there is none.

    Passages are seen from the page: left is the page, right the source. Greedy: the source that explains most comes
    first, each further one counts with what it adds.
    """
    masks = [_mask(passages, length) for passages in sources]
    if not length or any(mask.mean() >= WHOLE for mask in masks):
        return frozenset()
    taken = np.zeros(length, dtype=np.bool_)
    parts: set[int] = set()
    for number in sorted(range(len(masks)), key=lambda index: -int(masks[index].sum())):
        own = masks[number] & ~taken
        if own.mean() >= OWN_STRETCH:
            parts.add(number)
        taken |= masks[number]
    return frozenset(parts) if len(parts) > 1 else frozenset()


def _mask(passages: Sequence[Passage], length: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    mask = np.zeros(length, dtype=np.bool_)
    for passage in passages:
        if not passage.is_boilerplate:
            mask[passage.left_start : passage.left_end] = True
    return mask
