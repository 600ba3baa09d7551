"""Queries and results of a sweep, and its bounds."""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from matcher.batch.sorted_keys import Biased
from matcher.retrieval.candidates import LOOKED_UP, SIMHASH_DISTANCE
from storage.fingerprints.frequent_terms import FREQUENT_ASKED, FREQUENT_NAMED, FREQUENT_SCAN, FREQUENT_TEXTS
from storage.records.candidates import Hits

Texts: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.int64]

BUCKET: Final = 100_000
"""Codes with one band value that are compared. Evenly distributed, ten thousand million texts have as many."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of `storage.fingerprints.frequent_terms` and `matcher.retrieval.candidates`; tests have smaller ones."""

    named: int = LOOKED_UP
    distance: int = SIMHASH_DISTANCE
    hot: int = FREQUENT_TEXTS
    hot_asked: int = FREQUENT_ASKED
    hot_scan: int = FREQUENT_SCAN
    hot_named: int = FREQUENT_NAMED
    bucket: int = BUCKET


DEFAULT_BOUNDS: Final = Bounds()


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A query: the keys of a text, each once and in order. `place`: its index among the stored texts."""

    place: int
    simhash: int | None
    seeds: Biased
    slices: Biased


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Texts within a few bits, nearest first; `cut`: how many a bound left out."""

    texts: Texts
    distances: npt.NDArray[np.integer]
    cut: int

    def pairs(self) -> list[tuple[int, int]]:
        return list(zip(self.texts.tolist(), self.distances.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Sharing:
    """Texts that share keys, those that share the rarest first. Text `i` shares `keys[ends[i - 1]:ends[i]]`."""

    texts: Texts
    rarity: npt.NDArray[np.float64]
    ends: Numbers
    keys: npt.NDArray[np.int32]
    cut: int
    known: npt.NDArray[np.int32]
    """The keys of the query that other texts hold; `often`: how many texts."""
    often: Numbers

    def hits(self) -> Hits:
        """The same in the form of a database look-up."""
        frequencies = dict(zip(self.known.tolist(), self.often.tolist(), strict=True))
        return Hits(self.texts.tolist(), self.rarity.tolist(), self.ends.tolist(), self.keys, self.cut, frequencies)


@dataclass(frozen=True, slots=True, eq=False)
class LookedUp:
    """The results of one query."""

    near: Near
    seeds: Sharing
    slices: Sharing

    @property
    def is_any(self) -> bool:
        """Whether there is any result, or any was left out."""
        return any(len(some.texts) or some.cut for some in (self.near, self.seeds, self.slices))
