"""Records of candidate retrieval and of boilerplate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class TextHit:
    """A stored text that one of the four look-ups found."""

    text_id: int
    shared: int
    rarity: float
    """Sum over the shared keys of 1 / (number of stored texts that hold the key)."""
    keys: tuple[int, ...] = ()
    """The shared keys."""


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Hits in columns, best first: text `i` has `keys[ends[i - 1]:ends[i]]`. `cut`: how many more were left out by a
    bound. `frequencies`: texts per key found.
    """

    text_ids: Sequence[int] = ()
    rarity: Sequence[float] = ()
    ends: Sequence[int] = ()
    keys: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    cut: int = 0
    frequencies: Mapping[int, int] = field(default_factory=dict)

    @property
    def shared(self) -> list[int]:
        """How many keys each text shares."""
        return [end - start for start, end in pairwise((0, *self.ends))]

    @property
    def hits(self) -> tuple[TextHit, ...]:
        """The same as records."""
        keys = self.keys.tolist()
        held = (tuple(keys[start:end]) for start, end in pairwise((0, *self.ends)))
        rows = zip(self.text_ids, self.rarity, held, strict=True)
        return tuple(TextHit(text_id, len(shared), rarity, shared) for text_id, rarity, shared in rows)


@dataclass(frozen=True, slots=True)
class KeyHits:
    """The hits by each kind of key."""

    seeds: Hits = field(default_factory=Hits)
    slices: Hits = field(default_factory=Hits)


@dataclass(frozen=True, slots=True)
class StoredText:
    id: int
    body: str
    family_id: int | None


@dataclass(frozen=True, slots=True)
class StoredCode:
    """The part of a fingerprint that is made of words. `simhash`: 64 bits, unsigned; None if they are too few."""

    simhash: int | None
    feature_count: int


@dataclass(frozen=True, slots=True)
class BoilerplateRun:
    """The verdict on a run of units around a seed."""

    site_id: int | None
    seed: int
    proves_nothing: bool
    units: bytes
    sample: str
    texts: int
    families: int
    owners: int
    set_aside_id: int | None = None
    """The text that a person has set aside and that the run is of; None: it was learned."""
    owner_key: str | None = None
    """The party whose pages it holds for; None: not limited to one."""


@dataclass(frozen=True, slots=True)
class KnownRun:
    """The part of a verdict that comparisons need. `texts`: how many held the seed then. `units`: only of runs that
    prove nothing, else empty.
    """

    site_id: int | None
    seed: int
    proves_nothing: bool
    texts: int
    units: bytes
    set_aside_id: int | None = None
    owner_key: str | None = None


@dataclass(frozen=True, slots=True)
class SeedHolder:
    """A stored text that contains a seed, with its publishers."""

    text_id: int
    site_ids: frozenset[int]
    owner_keys: frozenset[str]
