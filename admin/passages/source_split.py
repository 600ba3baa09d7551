"""A page with several sources: which stretch comes from which (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

from matcher.judgement.mosaic import NOBODY, owners
from storage.intake.check_records import CheckedSource
from storage.records.matches import HitRecord

Source = TypeVar("Source", HitRecord, CheckedSource)
"""A stored hit, or a source of a text that was checked. In its passages, left is the copy."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the copying page's text, in code points. `is_own`: no source that explains more of the page claims
    it.
    """

    start: int
    end: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class Lane(Generic[Source]):
    """One source. Own shares of all lanes add up to at most 1."""

    number: int
    hit: Source
    own_share: float
    stretches: tuple[Stretch, ...]


def lanes(hits: Sequence[Source], chars: int) -> tuple[Lane[Source], ...]:
    """One lane for each hit of a copying page with `chars` characters, those with the largest own share first.

    Hits that rest on boilerplate alone own nothing.
    """
    owned = owners([hit.passages for hit in hits], chars)
    made = [_lane(number, hit, owned == number, chars) for number, hit in enumerate(hits)]
    ordered = sorted(made, key=lambda lane: (-lane.own_share, lane.number))
    return tuple(Lane(number, lane.hit, lane.own_share, lane.stretches) for number, lane in enumerate(ordered, start=1))


def unexplained(hits: Sequence[Source], chars: int) -> float:
    """Share of the page that comes from none of the sources, 0…1."""
    owned = owners([hit.passages for hit in hits], chars)
    return int((owned == NOBODY).sum()) / chars if chars else 0.0


def _lane(number: int, hit: Source, own: np.ndarray[tuple[int], np.dtype[np.bool_]], chars: int) -> Lane[Source]:
    stretches = []
    for passage in hit.passages:
        if not passage.is_boilerplate:
            start, end = min(passage.left_start, chars), min(passage.left_end, chars)
            stretches += _runs(own, start, end)
    return Lane(number, hit, int(own.sum()) / chars if chars else 0.0, tuple(stretches))


def _runs(own: np.ndarray[tuple[int], np.dtype[np.bool_]], start: int, end: int) -> list[Stretch]:
    """`start` to `end`, split where the source's ownership changes."""
    if start >= end:
        return []
    changes = np.flatnonzero(np.diff(own[start:end])) + start + 1
    edges = [start, *changes.tolist(), end]
    return [Stretch(first, last, bool(own[first])) for first, last in pairwise(edges)]
