"""Candidates in a store of fingerprints alone, which may be larger than one with texts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.speed.steps.lookups import WARMING, look_up, no_collection, waits_of_parts
from benchmarks.speed.steps.timing import Waits, waits
from benchmarks.speed.store.material import CROWDED, Material, Probe
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


def ask_candidates(
    engine: "Engine", material: Material, *, texts: int, progress: Callable[[str, int, int], None]
) -> CandidatesAsked:
    """Looks up every probe once, as `benchmarks.speed.steps.lookups.ask` does, without a check."""
    server = server_process(engine)
    answers = []
    with no_collection():
        for text in material.texts[-WARMING:]:
            look_up(engine, Probe("", text), server)
        for number, probe in enumerate(material.probes, start=1):
            answers.append(look_up(engine, probe, server))
            progress(f"candidates in {texts:,} fingerprints", number, len(material.probes))
    return CandidatesAsked(
        texts=texts,
        candidates=waits([answer.candidates_s for answer in answers]),
        uncrowded=waits([answer.candidates_s for answer in answers if answer.family not in CROWDED]),
        parts=waits_of_parts(answers),
        cpu_ms=1_000 * sum(answer.candidates_cpu_s for answer in answers) / len(answers),
        copies=sum(answer.is_copy for answer in answers),
        found=sum(answer.is_candidate for answer in answers),
    )
