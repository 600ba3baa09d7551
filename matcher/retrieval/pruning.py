"""Candidate pruning: which candidates are worth aligning, given the results of the previous ones. Pure.

A masthead occurs in a thousand texts, and so does a passage that a thousand sites republished: their keys do not tell
which it is. Alignments do: if none of ten texts that share a place matches there, no more texts are aligned for that
place. If one matches, up to twenty more are, and so on up to the bound.

Places are the bits of a number, the first place the lowest: hundreds of texts are tested for each that is aligned.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compute import Analysis
from fingerprint.dna import DEFAULT_SLICES
from fingerprint.model import Offsets
from fingerprint.winnowing import DEFAULT_SEEDS
from matcher.retrieval.key_places import places_of_keys
from storage.records.candidates import Hits
from storage.records.matches import Passage

Places: TypeAlias = int

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
        self._matched: Places = 0
        self._done: Places = 0
        """Places for which no more texts are aligned."""

    def keeps(self, places: Places) -> bool:
        """Return whether a text that shares keys at these places is worth aligning."""
        return bool(places & ~self._done)

    def note(self, places: Places, *, matched_at: Places = 0) -> None:
        """Record that a text was aligned for these places, and where it matched."""
        self._matched |= matched_at
        self._done &= ~matched_at
        for place in numbers_of(matched_at):
            self._missed[place] = 0
        for place in numbers_of(places & ~matched_at):
            self._missed[place] += 1
            if self._missed[place] >= (FOLLOWED_ON if self._matched >> place & 1 else FOLLOWED):
                self._done |= 1 << place


def numbers_of(places: Places) -> Iterator[int]:
    """Yield the numbers of places, ascending."""
    while places:
        place = (places & -places).bit_length() - 1
        yield place
        places &= places - 1


class KeyPlaces:
    """Places of keys in the query text. A repeated key has all of its places."""

    def __init__(self, asked: Analysis) -> None:
        self._asked = asked

    @cached_property
    def _starts(self) -> Offsets:
        return self._asked.canonical.starts[self._asked.initials.chars_from]

    def of_seeds(self, hits: Hits) -> list[Places]:
        """Return the places of each hit's keys."""
        asked = self._asked.asked_seeds
        return _places_of(asked.hashes, asked.positions + DEFAULT_SEEDS.k // 2, hits)

    def of_slices(self, hits: Hits) -> list[Places]:
        """Return the same for slices."""
        return _places_of(self._asked.slice_keys, self._asked.asked_slices.positions + DEFAULT_SLICES.n // 2, hits)

    def of_passages(self, passages: Iterable[Passage]) -> Places:
        """Return the places that the passages touch on the left side, boilerplate left out."""
        found = 0
        for passage in passages:
            if not passage.is_boilerplate:
                first, last = np.searchsorted(self._starts, (passage.left_start, passage.left_end)).tolist()
                start, end = first // PLACE, max(last - 1, first) // PLACE + 1
                found |= (1 << end) - (1 << start)
        return found


def _places_of(keys: npt.NDArray[np.int32], units: npt.NDArray[np.int32], hits: Hits) -> list[Places]:
    """Return for each hit the places of its keys. `units`: the unit at which each of `keys` is placed."""
    order = np.argsort(keys)
    places = units.take(order).astype(np.int64) // PLACE
    words = places_of_keys(keys.take(order), places, np.ascontiguousarray(hits.keys), np.array(hits.ends, np.int64))
    return [int.from_bytes(row.tobytes(), "little") for row in words]
