"""Which candidates are worth aligning, given what aligning the ones before them has shown. Pure.

A masthead stands in a thousand texts, and so does the passage of a story that a thousand sites took over: by their
keys alone nobody can tell which it is. Ten texts that share the place can: where none of them turns out to be kin
there, the next nine hundred are not looked at for that place; where one does, twenty more are, and so on up to the
bound.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
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
"""Texts that are looked at for a place that has led nowhere."""
FOLLOWED_ON: Final = 20
"""Texts in a row that are looked at in vain for a place that has led to kin. Of a copy every place has, to its source:
to look at all that share a phrase with it took 55 alignments in a store of a million pages, most for nothing. Of 480
passages of 80 to 140 characters of one's source that stood in other texts there, 324 were found so; as many with 20
(36 alignments), 321 with 10 (27).
"""
PLACE: Final = 64
"""Units of the text asked about that are one place: a passage of 120 characters touches two or three."""


class Trails:
    """Remembers, for each place of the text asked about, how many texts in a row were aligned for it in vain, and
    whether any was kin.
    """

    def __init__(self) -> None:
        self._in_vain: Counter[int] = Counter()
        self._led: set[int] = set()

    def leads_on(self, places: Iterable[int]) -> bool:
        """Whether a text that shares keys at these places is worth a look."""
        return any(self._in_vain[place] < (FOLLOWED_ON if place in self._led else FOLLOWED) for place in places)

    def followed(self, places: Iterable[int], *, kin_at: Iterable[int] = ()) -> None:
        """Notes that a text was aligned for these places; `kin_at`: where it turned out to be kin."""
        self._in_vain.update(places)
        for place in kin_at:
            del self._in_vain[place]
            self._led.add(place)


class KeyPlaces:
    """Where in the text asked about a key stands. A key that stands there more than once is at all of its places."""

    def __init__(self, asked: Analysis) -> None:
        self._asked = asked

    @cached_property
    def _seeds(self) -> dict[int, set[int]]:
        asked = self._asked.asked_seeds
        return _places_of(asked.hashes, asked.positions + DEFAULT_SEEDS.k // 2)

    @cached_property
    def _slices(self) -> dict[int, set[int]]:
        return _places_of(self._asked.slice_keys, self._asked.asked_slices.positions + DEFAULT_SLICES.n // 2)

    @cached_property
    def _starts(self) -> Offsets:
        return self._asked.canonical.starts[self._asked.initials.chars_from]

    def of_seeds(self, hit: TextHit) -> frozenset[int]:
        return _union(self._seeds, hit.keys)

    def of_slices(self, hit: TextHit) -> frozenset[int]:
        return _union(self._slices, hit.keys)

    def of_passages(self, passages: Iterable[Passage]) -> frozenset[int]:
        """The places that the passages touch on the left side, boilerplate left out."""
        found: set[int] = set()
        for passage in passages:
            if not passage.is_boilerplate:
                first, last = np.searchsorted(self._starts, (passage.left_start, passage.left_end)).tolist()
                found.update(range(first // PLACE, max(last - 1, first) // PLACE + 1))
        return frozenset(found)


def _places_of(keys: npt.NDArray[np.int32], units: npt.NDArray[np.int32]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for key, place in zip(keys.tolist(), (units // PLACE).tolist(), strict=True):
        found.setdefault(key, set()).add(place)
    return found


def _union(places: Mapping[int, set[int]], keys: Iterable[int]) -> frozenset[int]:
    return frozenset(place for key in keys for place in places.get(key, ()))
