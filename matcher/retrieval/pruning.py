"""Candidate pruning: which candidates are worth aligning, given the results of the previous ones. Pure.

A masthead occurs in a thousand texts, and so does a passage that a thousand sites republished: their keys do not tell
which it is. Alignments do: if none of ten texts that share a place matches there, no more texts are aligned for that
place. If one matches, up to twenty more are, and so on up to the bound.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.compute import Analysis
from fingerprint.dna import DEFAULT_SLICES
from fingerprint.model import Offsets
from fingerprint.winnowing import DEFAULT_SEEDS
from storage.records.candidates import TextHit
from storage.records.matches import Passage

FOLLOWED: Final = 10
"""Texts that are aligned for a place without a match."""
FOLLOWED_ON: Final = 20
"""Texts in a row that are aligned without a match, for a place where one has matched. In a copy every place has
matched its source: aligning all texts that share a phrase took 55 alignments in a store of a million pages, mostly
without result. Of 480 passages of 80 to 140 characters that other texts of the store hold, this found 324; as many with
20 (36 alignments), 321 with 10 (27).
"""
PLACE: Final = 64
"""Units of the query text that form one place: a passage of 120 characters touches two or three."""


class Pruning:
    """Counts, for each place of the query text, consecutive texts aligned without a match, and keeps the places where
    one matched.
    """

    def __init__(self) -> None:
        self._missed: Counter[int] = Counter()
        self._matched: set[int] = set()

    def keeps(self, places: Iterable[int]) -> bool:
        """Return whether a text that shares keys at these places is worth aligning."""
        return any(self._missed[place] < (FOLLOWED_ON if place in self._matched else FOLLOWED) for place in places)

    def note(self, places: Iterable[int], *, matched_at: Iterable[int] = ()) -> None:
        """Record that a text was aligned for these places, and where it matched."""
        self._missed.update(places)
        for place in matched_at:
            del self._missed[place]
            self._matched.add(place)


class KeyPlaces:
    """Places of keys in the query text. A repeated key has all of its places."""

    def __init__(self, asked: Analysis) -> None:
        self._asked = asked

    @cached_property
    def _starts(self) -> Offsets:
        return self._asked.canonical.starts[self._asked.initials.chars_from]

    def of_seeds(self, hits: Sequence[TextHit]) -> list[frozenset[int]]:
        """Return the places of each hit's keys."""
        asked = self._asked.asked_seeds
        return _places_of(asked.hashes, asked.positions + DEFAULT_SEEDS.k // 2, hits)

    def of_slices(self, hits: Sequence[TextHit]) -> list[frozenset[int]]:
        """Return the same for slices."""
        return _places_of(self._asked.slice_keys, self._asked.asked_slices.positions + DEFAULT_SLICES.n // 2, hits)

    def of_passages(self, passages: Iterable[Passage]) -> frozenset[int]:
        """Return the places that the passages touch on the left side, boilerplate left out."""
        found: set[int] = set()
        for passage in passages:
            if not passage.is_boilerplate:
                first, last = np.searchsorted(self._starts, (passage.left_start, passage.left_end)).tolist()
                found.update(range(first // PLACE, max(last - 1, first) // PLACE + 1))
        return frozenset(found)


def _places_of(
    keys: npt.NDArray[np.int32], units: npt.NDArray[np.int32], hits: Sequence[TextHit]
) -> list[frozenset[int]]:
    """Return for each hit the places of its keys. `units`: the unit at which each of `keys` is placed."""
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], units[order].astype(np.int64) // PLACE
    held = [len(hit.keys) for hit in hits]
    asked = np.fromiter(chain.from_iterable(hit.keys for hit in hits), dtype=np.int32, count=sum(held))
    first = np.searchsorted(keys, asked)
    found = np.searchsorted(keys, asked, side="right") - first
    # One entry for each place of each key: the hit and the place as one number, sorted and distinct.
    at = np.arange(found.sum()) + np.repeat(first - (np.cumsum(found) - found), found)
    beyond = int(places.max(initial=0)) + 1
    entries = np.unique(np.repeat(np.repeat(np.arange(len(hits)), held), found) * beyond + places[at])
    ends = np.searchsorted(entries, np.arange(len(hits) + 1) * beyond).tolist()
    numbers = (entries % beyond).tolist()
    return [frozenset(numbers[start:end]) for start, end in pairwise(ends)]
