"""A page made of several sources, taken apart: which stretch of it is from whom (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from matcher.judgement.mosaic import NOBODY, owners
from storage.records.matches import HitRecord


@dataclass(frozen=True, slots=True)
class Stretch:
    """In code points of the copying page's text. `is_own`: no source that explains more of the page claims it."""

    start: int
    end: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class Lane:
    """One source. Own shares of all lanes add up to at most 1."""

    number: int
    hit: HitRecord
    own_share: float
    stretches: tuple[Stretch, ...]


def lanes(hits: Sequence[HitRecord], chars: int) -> tuple[Lane, ...]:
    """`hits`: all of one page in one text of `chars` characters, in which the page is the copy. Those of which most
    is the page's only explanation come first; hits that rest on boilerplate alone own nothing.
    """
    owned = owners([hit.passages for hit in hits], chars)
    made = [_lane(number, hit, owned == number, chars) for number, hit in enumerate(hits)]
    ordered = sorted(made, key=lambda lane: (-lane.own_share, lane.number))
    return tuple(Lane(number, lane.hit, lane.own_share, lane.stretches) for number, lane in enumerate(ordered, start=1))


def unexplained(hits: Sequence[HitRecord], chars: int) -> float:
    """Share of the page that is from none of the sources."""
    owned = owners([hit.passages for hit in hits], chars)
    return int((owned == NOBODY).sum()) / chars if chars else 0.0


def _lane(number: int, hit: HitRecord, own: np.ndarray[tuple[int], np.dtype[np.bool_]], chars: int) -> Lane:
    stretches = []
    for passage in hit.passages:
        if not passage.is_boilerplate:
            start, end = min(passage.left_start, chars), min(passage.left_end, chars)
            stretches += _runs(own, start, end)
    return Lane(number, hit, int(own.sum()) / chars if chars else 0.0, tuple(stretches))


def _runs(own: np.ndarray[tuple[int], np.dtype[np.bool_]], start: int, end: int) -> list[Stretch]:
    """`start` to `end`, cut where it begins or ends to be the source's own."""
    if start >= end:
        return []
    changes = np.flatnonzero(np.diff(own[start:end])) + start + 1
    edges = [start, *changes.tolist(), end]
    return [Stretch(first, last, bool(own[first])) for first, last in pairwise(edges)]
