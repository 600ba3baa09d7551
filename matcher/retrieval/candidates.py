"""Candidate retrieval: the stored texts worth aligning, by four look-ups and one ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from fingerprint.compute import Analysis
from fingerprint.simhash import probe_neighbours
from matcher.retrieval.pruning import KeyPlaces, Places
from storage.fingerprints import candidates as stored
from storage.fingerprints.candidates import NO_TEXT
from storage.postgres import planner
from storage.records.candidates import Hits

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SIMHASH_DISTANCE: Final = 7
"""Bits. One-bit neighbours of each band make the look-up exact up to this distance."""

# Weights of the look-ups, relative to a seed that one other text holds.
SLICE_WEIGHT: Final = 0.5
BAND_WEIGHT: Final = 0.25

LOOKED_UP: Final = 200
"""Texts that one look-up may return; further ones are only counted."""
ALIGNED: Final = 60
"""Texts that are aligned, best first. The median page has far fewer."""


class Candidate(NamedTuple):
    """A stored text and what it shares with the query text. A tuple, since each page has dozens."""

    text_id: int
    weight: float
    shared_seeds: int
    shared_slices: int
    simhash_distance: int | None
    places: Places = 0
    """Positions of the shared keys in the query text (see `matcher.retrieval.pruning`). None: never pruned."""


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, best first; `cut`: number left out by bounds; `frequencies`: other texts with each shared seed."""

    candidates: tuple[Candidate, ...]
    cut: int
    frequencies: Mapping[int, int]


class LookUp(Protocol):
    """The signature of `find_candidates`."""

    def __call__(self, session: "Session", asked: Analysis, *, self_id: int = NO_TEXT) -> Found: ...


def find_candidates(session: "Session", asked: Analysis, *, self_id: int = NO_TEXT) -> Found:
    """Return the stored texts that share a band, slices or seeds with `asked`, ranked by the rarity of what they share.

    `self_id`: id of the query text itself, which is excluded.
    """
    distances: list[tuple[int, int]] = []
    cut = 0
    with planner.indexes_forced(session, alone=True):
        if (simhash := asked.fingerprint.simhash) is not None:
            distances, cut = stored.by_bands(
                session, simhash, probe_neighbours(simhash), distance=SIMHASH_DISTANCE, bound=LOOKED_UP, self_id=self_id
            )
        by_keys = stored.by_keys(
            session,
            seeds=asked.asked_seeds.hashes.tolist(),
            slices=asked.slice_keys.tolist(),
            bound=LOOKED_UP,
            self_id=self_id,
        )
    return rank(asked, distances, by_keys.seeds, by_keys.slices, cut=cut)


def rank(asked: Analysis, distances: Sequence[tuple[int, int]], seeds: Hits, slices: Hits, *, cut: int) -> Found:
    """Rank the texts of all look-ups in one list.

    `distances`: ids of texts with near simhashes, and their distances in bits. `cut`: further texts that a bound left
    out.
    """
    weights = {text_id: BAND_WEIGHT * (SIMHASH_DISTANCE + 1 - distance) for text_id, distance in distances}
    for hits, weight in ((seeds, 1.0), (slices, SLICE_WEIGHT)):
        for text_id, rarity in zip(hits.text_ids, hits.rarity, strict=True):
            weights[text_id] = weights.get(text_id, 0.0) + weight * rarity
    where = KeyPlaces(asked)
    places = dict(zip(seeds.text_ids, where.of_seeds(seeds), strict=True))
    for text_id, found in zip(slices.text_ids, where.of_slices(slices), strict=True):
        places[text_id] = places.get(text_id, 0) | found
    by_distance = dict(distances)
    places |= dict.fromkeys(by_distance, 0)
    by_seeds = dict(zip(seeds.text_ids, seeds.shared, strict=True))
    by_slices = dict(zip(slices.text_ids, slices.shared, strict=True))
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return Found(
        candidates=tuple(
            [
                Candidate(
                    *(text_id, weight, by_seeds.get(text_id, 0), by_slices.get(text_id, 0)),
                    *(by_distance.get(text_id), places[text_id]),
                )
                for text_id, weight in ranked
            ]
        ),
        cut=cut + seeds.cut + slices.cut,
        frequencies=seeds.frequencies,
    )
