"""The ways to find near codes, in turns, at every size; each must name the codes that were planted near others."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from benchmarks.speed.steps.simhash_searches import DISTANCE, OURS, Search, in_postgres, searches
from benchmarks.speed.steps.timing import Waits, waits
from benchmarks.speed.store.simhash_generator import CodeModel, Codes, near, sums_of
from benchmarks.speed.store.stores import CODES_SCHEMA, Stores

ASKED: Final = 60
SEVEN: Final = f"{OURS}, 7 bits"


@dataclass(frozen=True, slots=True)
class Searched:
    """`found`: of the codes that were asked for, those whose source, `DISTANCE` bits away, is named."""

    name: str
    codes: int
    waits: Waits
    asked: int
    found: int


def measure_searches(
    stores: Stores, count: int, *, seed: int, progress: Callable[[str, int, int], None]
) -> list[Searched]:
    codes = CodeModel(sums_of(stores.material.texts), np.random.default_rng(seed)).draw(count)
    with stores.opened_codes(codes, progress=progress) as engine:
        ways = searches(codes)
        ways[OURS] = in_postgres(engine, schema=CODES_SCHEMA)
        ways[SEVEN] = in_postgres(engine, schema=CODES_SCHEMA, neighbours=True)
        return _in_turns(ways, codes, seed, progress)


def _in_turns(
    ways: dict[str, Search], codes: Codes, seed: int, progress: Callable[[str, int, int], None]
) -> list[Searched]:
    chance = np.random.default_rng(seed)
    sources = chance.integers(0, len(codes), ASKED + 1).tolist()
    taken: dict[str, list[float]] = {name: [] for name in ways}
    found = dict.fromkeys(ways, 0)
    for number, source in enumerate(sources):
        asked = near(int(codes[source]), DISTANCE, chance)
        for name, search in ways.items():
            began = perf_counter()
            places = set(search(asked))
            seconds = perf_counter() - began
            if number:  # the first one loads what is loaded once
                taken[name].append(seconds)
                found[name] += source in places
        progress(f"searches among {len(codes):,} codes", number, ASKED)
    return [Searched(name, len(codes), waits(taken[name]), ASKED, found[name]) for name in ways]
