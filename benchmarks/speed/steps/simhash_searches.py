"""Ways to find the codes within three bits of one among very many: the published notes' own, peers', and ours.

All but ours hold everything in memory. A small reference of each is enough to see how its cost grows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.speed.store.simhash_generator import Codes
from fingerprint.model import BAND_BITS, BAND_COUNT, SIMHASH_BITS
from fingerprint.simhash import bands
from storage.engine import transaction
from storage.fingerprints import candidates
from storage.postgres import planner
from storage.postgres.copy_rows import looking_into

if TYPE_CHECKING:
    from sqlalchemy import Engine

Search: TypeAlias = Callable[[int], Iterable[int]]
"""Indexes of the codes within `DISTANCE` bits of the query."""

DISTANCE: Final = 3
LINEAR: Final = "linear scan"
BIT_LISTS: Final = "one posting list per bit"
BAND_LISTS: Final = "four 16-bit posting lists"
SORTED: Final = "sorted bands (numpy)"
SIMHASH_INDEX: Final = "SimhashIndex"
FAISS_FLAT: Final = "faiss flat"
FAISS_BANDS: Final = "faiss 4 × 16"
OURS: Final = "Zhiwen (Postgres)"
MOST_CODES: Final[Mapping[str, int]] = {LINEAR: 10**6, BIT_LISTS: 10**5, BAND_LISTS: 10**6, SIMHASH_INDEX: 10**5}
"""Where a way takes minutes or gigabytes to make, or a second to ask, it is left out of larger stores."""


def searches(codes: Codes) -> dict[str, Search]:
    """The ways that hold so many codes, made ready; without those whose package is not installed."""
    makers: dict[str, tuple[str, Callable[[Codes], Search]]] = {
        LINEAR: ("numpy", linear_scan),
        BIT_LISTS: ("numpy", bit_lists),
        BAND_LISTS: ("numpy", band_lists),
        SORTED: ("numpy", sorted_bands),
        SIMHASH_INDEX: ("simhash", simhash_index),
        FAISS_FLAT: ("faiss", faiss_flat),
        FAISS_BANDS: ("faiss", faiss_bands),
    }
    return {
        name: make(codes)
        for name, (package, make) in makers.items()
        if find_spec(package) is not None and len(codes) <= MOST_CODES.get(name, len(codes))
    }


def linear_scan(codes: Codes) -> Search:
    """Every code, one by one."""
    known = codes.tolist()
    return lambda query: [place for place, code in enumerate(known) if (code ^ query).bit_count() <= DISTANCE]


def bit_lists(codes: Codes) -> Search:
    """For each bit and value the texts that have it; texts in all lists but at most three are near."""
    bits = codes[:, np.newaxis] >> np.arange(SIMHASH_BITS, dtype=np.uint64) & np.uint64(1)
    lists = [[np.flatnonzero(bits[:, place] == value) for value in (0, 1)] for place in range(SIMHASH_BITS)]

    def search(query: int) -> Sequence[int]:
        hits = np.zeros(len(codes), dtype=np.uint8)
        for place, by_value in enumerate(lists):
            hits[by_value[query >> place & 1]] += 1
        found: list[int] = np.flatnonzero(hits >= SIMHASH_BITS - DISTANCE).tolist()
        return found

    return search


def band_lists(codes: Codes) -> Search:
    """For each of four bands and value a list of texts, in a dictionary; those of the asked values are compared."""
    known = codes.tolist()
    lists: tuple[defaultdict[int, list[int]], ...] = tuple(defaultdict(list) for _ in range(BAND_COUNT))
    for place, code in enumerate(known):
        for by_value, value in zip(lists, bands(code), strict=True):
            by_value[value].append(place)

    def search(query: int) -> set[int]:
        return {
            place
            for by_value, value in zip(lists, bands(query), strict=True)
            for place in by_value.get(value, ())
            if (known[place] ^ query).bit_count() <= DISTANCE
        }

    return search


def sorted_bands(codes: Codes) -> Search:
    """For each band the codes in its order, as arrays: a stretch of each is compared."""
    rows = []
    for turn in range(BAND_COUNT):
        values = _band(codes, turn)
        order = np.argsort(values, kind="stable").astype(np.int32)
        starts = np.searchsorted(values[order], np.arange((1 << BAND_BITS) + 1))
        rows.append((starts, order, codes[order]))

    def search(query: int) -> set[int]:
        found: set[int] = set()
        for (starts, order, ordered), value in zip(rows, bands(query), strict=True):
            stretch = slice(starts[value], starts[value + 1])
            near = np.bitwise_count(ordered[stretch] ^ np.uint64(query)) <= DISTANCE
            found.update(order[stretch][near].tolist())
        return found

    return search


def _band(codes: Codes, turn: int) -> npt.NDArray[np.uint16]:
    shift = np.uint64(SIMHASH_BITS - BAND_BITS * (turn + 1))
    return (codes >> shift & np.uint64((1 << BAND_BITS) - 1)).astype(np.uint16)


def simhash_index(codes: Codes) -> Search:
    """The index of the package `simhash`."""
    from simhash import Simhash, SimhashIndex  # noqa: PLC0415  # of the bench extra

    index = SimhashIndex([(str(place), Simhash(code)) for place, code in enumerate(codes.tolist())], k=DISTANCE)
    return lambda query: map(int, index.get_near_dups(Simhash(query)))


def faiss_flat(codes: Codes) -> Search:
    import faiss  # noqa: PLC0415  # of the bench extra

    index = faiss.IndexBinaryFlat(SIMHASH_BITS)
    index.add(_octets(codes))
    return lambda query: _in_range(index, query)


def faiss_bands(codes: Codes) -> Search:
    import faiss  # noqa: PLC0415  # of the bench extra

    index = faiss.IndexBinaryMultiHash(SIMHASH_BITS, BAND_COUNT, BAND_BITS)
    index.add(_octets(codes))
    return lambda query: _in_range(index, query)


def _octets(codes: Codes) -> npt.NDArray[np.uint8]:
    return codes.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)


def _in_range(index: object, query: int) -> list[int]:
    """What is nearer than the radius is found, and not what is as near."""
    _, _, found = index.range_search(_octets(np.array([query], dtype=np.uint64)), DISTANCE + 1)  # type: ignore[attr-defined]
    return [int(place) for place in found]


def in_postgres(engine: "Engine", *, schema: str, neighbours: bool = False) -> Search:
    """The program's own query, in a table that holds codes from 1 on. `neighbours`: to a distance of 7, as it asks."""
    from fingerprint.simhash import probe_neighbours  # noqa: PLC0415
    from matcher.retrieval.candidates import LOOKED_UP, SIMHASH_DISTANCE  # noqa: PLC0415

    def search(query: int) -> list[int]:
        probes = probe_neighbours(query) if neighbours else tuple((value,) for value in bands(query))
        reach = SIMHASH_DISTANCE if neighbours else DISTANCE
        with transaction(engine) as session:
            looking_into(session, schema)
            with planner.indexes_forced(session, alone=True):
                found, _ = candidates.by_bands(session, query, probes, distance=reach, bound=LOOKED_UP)
        return [text_id - 1 for text_id, _ in found]

    return search
