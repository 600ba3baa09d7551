"""The cost of a query to a store of many pages, and whether it finds the planted copies."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

from benchmarks.common.processes import cpu_seconds
from benchmarks.speed.steps.timing import Waits, waits
from benchmarks.speed.store.material import CROWDED, Material, Probe
from benchmarks.speed.store.rows import PLANTED_EVERY
from fingerprint.compute import Analysis, analyse
from fingerprint.simhash import bands, probe_neighbours
from matcher.comparison.check import check, compared_with
from matcher.retrieval.candidates import ALIGNED, LOOKED_UP, SIMHASH_DISTANCE, find_candidates
from storage.engine import transaction
from storage.fingerprints import candidates
from storage.monitoring.table_sizes import sizes_of
from storage.postgres import planner
from storage.postgres.statement_stats import server_process
from storage.records.pages import NewArticle
from storage.types import FoundBy

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

WARMING: Final = 40
"""Queries before the measured ones: a server that has just been started has empty caches."""
TABLES: Final = ("text", "fingerprint", "page", "page_version", "boilerplate")


@dataclass(frozen=True, slots=True)
class FamilyAsked:
    """Probes of one kind. `found` of those that have a source: as a candidate to be aligned, and by the check."""

    family: str
    candidates: Waits
    check: Waits
    candidates_cpu_ms: float
    check_cpu_ms: float
    """Processor time of one query in ms: program and database together, on average."""
    copies: int
    candidates_found: int
    checks_found: int
    cut: int
    """Texts that a bound left out, over all its probes: counted by every look-up, and shown by every check."""


@dataclass(frozen=True, slots=True)
class StoreAsked:
    """`check_uncrowded`: of texts with no part of the notice and the story that everybody has; `parts`: what each
    source of candidates takes by itself; `sizes`: bytes of each table and index.
    """

    pages: int
    candidates: Waits
    check: Waits
    check_uncrowded: Waits
    parts: dict[str, Waits]
    families: tuple[FamilyAsked, ...]
    sizes: dict[str, dict[str, int]]
    text_bytes: int

    @property
    def bytes_a_page(self) -> float:
        return sum(sum(parts.values()) for parts in self.sizes.values()) / self.pages

    @property
    def text_bytes_a_page(self) -> float:
        return self.text_bytes / self.pages


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The candidates of a probe: seconds by the clock, of the processor, and of each source of candidates by itself."""

    family: str
    candidates_s: float
    candidates_cpu_s: float
    parts_s: dict[str, float]
    is_copy: bool
    is_candidate: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    looked_up: LookedUp
    check_s: float
    check_cpu_s: float
    is_found: bool
    cut: int

    @property
    def family(self) -> str:
        return self.looked_up.family


class Processor:
    """Seconds of the processor since it was made, of this process and the database; without what looking costs."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._database = cpu_seconds(server)
        self._own = process_time()

    def spent(self) -> float:
        own = process_time() - self._own
        return own + cpu_seconds(self._server) - self._database


def ask(engine: "Engine", material: Material, *, pages: int, progress: Callable[[str, int, int], None]) -> StoreAsked:
    """Looks up every probe once, each in transactions of its own, as the program does."""
    server = server_process(engine)
    answers = []
    with no_collection():
        for text in material.texts[-WARMING:]:
            _asked(engine, Probe("", text), server)
        for number, probe in enumerate(material.probes, start=1):
            answers.append(_asked(engine, probe, server))
            progress(f"questions to {pages:,} pages", number, len(material.probes))
    with transaction(engine) as session:
        sizes, text_bytes = sizes_of(session, TABLES)
    looked_up = [answer.looked_up for answer in answers]
    return StoreAsked(
        pages=pages,
        candidates=waits([one.candidates_s for one in looked_up]),
        check=waits([answer.check_s for answer in answers]),
        check_uncrowded=waits([answer.check_s for answer in answers if answer.family not in CROWDED]),
        parts=waits_of_parts(looked_up),
        families=tuple(_families(answers)),
        sizes=sizes,
        text_bytes=text_bytes,
    )


def waits_of_parts(looked_up: Sequence[LookedUp]) -> dict[str, Waits]:
    """What each source of candidates takes by itself."""
    return {name: waits([one.parts_s[name] for one in looked_up]) for name in looked_up[0].parts_s}


@contextmanager
def no_collection() -> Iterator[None]:
    """What the benchmark itself holds is a hundred times what the program does: to look through it for garbage took 70
    ms of a question now and then.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _families(answers: Sequence[_Answer]) -> Iterator[FamilyAsked]:
    for family in dict.fromkeys(answer.family for answer in answers):
        own = [answer for answer in answers if answer.family == family]
        looked_up = [answer.looked_up for answer in own]
        yield FamilyAsked(
            family=family,
            candidates=waits([one.candidates_s for one in looked_up]),
            check=waits([answer.check_s for answer in own]),
            candidates_cpu_ms=1_000 * sum(one.candidates_cpu_s for one in looked_up) / len(own),
            check_cpu_ms=1_000 * sum(answer.check_cpu_s for answer in own) / len(own),
            copies=sum(one.is_copy for one in looked_up),
            candidates_found=sum(one.is_candidate for one in looked_up),
            checks_found=sum(answer.is_found for answer in own),
            cut=sum(answer.cut for answer in own),
        )


def _asked(engine: "Engine", probe: Probe, server: int) -> _Answer:
    looked_up = look_up(engine, probe, server)
    article = NewArticle("https://probe.invalid/", probe.text, FoundBy.HAND, datetime.now(UTC))
    meter, began = Processor(server), perf_counter()
    with transaction(engine) as session:
        result = check(session, article, against=compared_with(session))
    return _Answer(
        looked_up,
        check_s=perf_counter() - began,
        check_cpu_s=meter.spent(),
        is_found=any(match.stored.id == source_of(probe) for match in result.matches),
        cut=result.cut,
    )


def look_up(engine: "Engine", probe: Probe, server: int) -> LookedUp:
    """Looks up the candidates of a probe in a transaction of its own."""
    source, asked = source_of(probe), analyse(probe.text)
    parts = times_of_sources(engine, asked)
    with transaction(engine) as session:
        meter, began = Processor(server), perf_counter()
        found = find_candidates(session, asked)
        clock_s, cpu_s = perf_counter() - began, meter.spent()
    is_candidate = any(candidate.text_id == source for candidate in found.candidates[:ALIGNED])
    return LookedUp(probe.family, clock_s, cpu_s, parts, source is not None, is_candidate)


def source_of(probe: Probe) -> int | None:
    """The text that a probe is copied from, by id."""
    return None if probe.source is None else PLANTED_EVERY * (probe.source + 1)


def times_of_sources(engine: "Engine", asked: Analysis) -> dict[str, float]:
    """Seconds of each source of candidates by itself."""
    with transaction(engine) as session, planner.indexes_forced(session, alone=True):
        return {name: _seconds(look_up) for name, look_up in _sources(session, asked).items()}


def _sources(session: "Session", asked: Analysis) -> dict[str, Callable[[], object]]:
    code = asked.fingerprint.simhash or 0
    near: dict[str, Callable[[], object]] = {}
    for name, probes, distance in (
        ("bands, 3 bits", tuple((value,) for value in bands(code)), 3),
        ("bands, 7 bits", probe_neighbours(code), SIMHASH_DISTANCE),
    ):
        near[name] = _bands(session, code, probes, distance)
    return near | {
        "seeds": lambda: candidates.by_keys(session, seeds=asked.asked_seeds.hashes.tolist(), bound=LOOKED_UP),
        "slices": lambda: candidates.by_keys(session, slices=asked.slice_keys.tolist(), bound=LOOKED_UP),
    }


def _bands(session: "Session", code: int, probes: tuple[tuple[int, ...], ...], distance: int) -> Callable[[], object]:
    return lambda: candidates.by_bands(session, code, probes, distance=distance, bound=LOOKED_UP)


def _seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began
