"""Candidates and boilerplate runs as they cross the border of storage."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TextHit:
    """A stored text that one of the four candidate sources named."""

    text_id: int
    shared: int
    rarity: float
    """Sum over the shared keys of 1 / (number of stored texts that hold the key)."""
    keys: tuple[int, ...] = ()
    """The shared keys."""


@dataclass(frozen=True, slots=True)
class Hits:
    """`hits` best first; `cut` is how many more a bound left out; `frequencies`: texts per key, of the keys found."""

    hits: tuple[TextHit, ...] = ()
    cut: int = 0
    frequencies: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeyHits:
    """What was found by each kind of key."""

    seeds: Hits = field(default_factory=Hits)
    slices: Hits = field(default_factory=Hits)


@dataclass(frozen=True, slots=True)
class StoredText:
    id: int
    body: str
    family_id: int | None


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


@dataclass(frozen=True, slots=True)
class KnownRun:
    """Of a verdict what a comparison needs. `texts`: how many held the seed then; `units`: of what proves nothing."""

    site_id: int | None
    seed: int
    proves_nothing: bool
    texts: int
    units: bytes


@dataclass(frozen=True, slots=True)
class SeedHolder:
    """A stored text that holds a seed, with who publishes it."""

    text_id: int
    body: str
    site_ids: frozenset[int]
    owner_keys: frozenset[str]
