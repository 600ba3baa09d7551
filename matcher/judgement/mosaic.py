"""Mosaics: pages made of several sources. Each stretch belongs to the source that explains it best."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from matcher.judgement.overlap import passage_mask
from storage.records.matches import Passage

OWN_STRETCH: Final = 0.12
"""Share of the page that a source must explain beyond all better ones to be a part of the mosaic."""
WHOLE: Final = 0.7
"""A page that one source explains to this share is a copy of that source, whatever else is similar to it."""


NOBODY: Final = -1

Owners: TypeAlias = npt.NDArray[np.int32]


def parts_of_mosaic(sources: Sequence[Sequence[Passage]], length: int) -> frozenset[int]:
    """Return the indices of the sources that make up a mosaic of `length` characters; empty if there is none.

    Passages are seen from the page: left is the page, right the source.
    """
    if not length or not sources[1:]:
        return frozenset()
    if any(passage_mask(passages, length).mean() >= WHOLE for passages in sources):
        return frozenset()
    parts = {number for number, share in enumerate(own_shares(sources, length)) if share >= OWN_STRETCH}
    return frozenset(parts) if len(parts) > 1 else frozenset()


def own_shares(sources: Sequence[Sequence[Passage]], length: int) -> tuple[float, ...]:
    """Return each source's own share of a page of `length` characters: every character is assigned to one source.

    Greedy: the source that explains most gets all it explains, each further one what it adds. So the shares are 0…1 and
    add up to at most 1, and copies of one story do not all claim the same stretch.
    """
    owned = owners(sources, length)
    counts = np.bincount(owned[owned >= 0], minlength=len(sources)).tolist()
    return tuple(count / length if length else 0.0 for count in counts)


def owners(sources: Sequence[Sequence[Passage]], length: int) -> Owners:
    """Return the index of the source of each character of the page; -1 where it has none."""
    masks = [passage_mask(passages, length) for passages in sources]
    owned = np.full(length, NOBODY, dtype=np.int32)
    for number in sorted(range(len(masks)), key=lambda index: -int(masks[index].sum())):
        owned[masks[number] & (owned == NOBODY)] = number
    return owned
