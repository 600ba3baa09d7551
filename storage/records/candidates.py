"""Records of candidate retrieval and of boilerplate."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TextHit:
    """A stored text that one of the four look-ups found."""

    text_id: int
    shared: int
    rarity: float
    """Sum over the shared keys of 1 / (number of stored texts that hold the key)."""
    keys: tuple[int, ...] = ()
    """The shared keys."""


@dataclass(frozen=True, slots=True)
class Hits:
    """`hits`, best first. `cut`: how many more were left out by a bound. `frequencies`: texts per key found."""

    hits: tuple[TextHit, ...] = ()
    cut: int = 0
    frequencies: Mapping[int, int] = field(default_factory=dict)


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
