"""Candidates in a store of fingerprints alone, which may be larger than one with texts."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.speed.steps.lookups import WARMING, Processor, no_collection, source_of, times_of_sources
from benchmarks.speed.steps.timing import Waits, waits
from benchmarks.speed.store.material import CROWDED, Material, Probe
from fingerprint.compute import analyse
from matcher.retrieval.candidates import ALIGNED, find_candidates
from storage.engine import transaction
from storage.postgres.statement_stats import server_process

if TYPE_CHECKING:
    from sqlalchemy import Engine


@dataclass(frozen=True, slots=True)
class CandidatesAsked:
    """`uncrowded`: of texts with no part of the notice and the story that everybody has; `parts`: what each source of
    candidates takes by itself; `cpu_ms`: processor time of program and database, on average; `found` of `copies`: as a
    candidate to be aligned.
    """

    texts: int
    candidates: Waits
    uncrowded: Waits
    parts: dict[str, Waits]
    cpu_ms: float
    copies: int
    found: int


@dataclass(frozen=True, slots=True)
class _Answer:
    family: str
    clock_s: float
    cpu_s: float
    parts_s: dict[str, float]
    is_found: bool


def ask_candidates(
    engine: "Engine", material: Material, *, texts: int, progress: Callable[[str, int, int], None]
) -> CandidatesAsked:
    """Looks up every probe once, as `benchmarks.speed.steps.lookups.ask` does, without a check."""
    server = server_process(engine)
    answers = []
    with no_collection():
        for text in material.texts[-WARMING:]:
            _asked(engine, Probe("", text), server)
        for number, probe in enumerate(material.probes, start=1):
            answers.append(_asked(engine, probe, server))
            progress(f"candidates in {texts:,} fingerprints", number, len(material.probes))
    return CandidatesAsked(
        texts=texts,
        candidates=waits([answer.clock_s for answer in answers]),
        uncrowded=waits([answer.clock_s for answer in answers if answer.family not in CROWDED]),
        parts={name: waits([answer.parts_s[name] for answer in answers]) for name in answers[0].parts_s},
        cpu_ms=1_000 * sum(answer.cpu_s for answer in answers) / len(answers),
        copies=sum(probe.source is not None for probe in material.probes),
        found=sum(answer.is_found for answer in answers),
    )


def _asked(engine: "Engine", probe: Probe, server: int) -> _Answer:
    source, asked = source_of(probe), analyse(probe.text)
    parts = times_of_sources(engine, asked)
    with transaction(engine) as session:
        meter, began = Processor(server), perf_counter()
        found = find_candidates(session, asked)
        clock_s, cpu_s = perf_counter() - began, meter.spent()
    is_found = any(candidate.text_id == source for candidate in found.candidates[:ALIGNED])
    return _Answer(probe.family, clock_s, cpu_s, parts, is_found)
