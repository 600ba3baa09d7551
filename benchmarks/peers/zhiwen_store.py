"""Zhiwen on the same texts: stored as an import stores them, and checked as `zhiwen check` does."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.common.processes import cpu_seconds, parent_of
from benchmarks.common.report import Progress
from benchmarks.common.workers import Workers
from benchmarks.corpus.model import Probe
from benchmarks.peers.measure import Measured
from benchmarks.quality.scenarios.checking import Answer, check_all
from benchmarks.quality.scenarios.scratch_store import Shelf, fill, make_sites
from matcher.boilerplate.survey import survey
from storage.engine import transaction
from storage.monitoring.table_sizes import fingerprint_sizes
from storage.postgres.statement_stats import server_process

if TYPE_CHECKING:
    from sqlalchemy import Engine


def measure_zhiwen(
    engine: "Engine", url: str, shelf: Shelf, probes: Sequence[Probe], *, progress: Progress
) -> Measured:
    """One process on an empty store at `url`. Time includes that of the server; bytes are those of the fingerprints
    with their indexes. Raises WorkFailed.
    """
    server = parent_of(server_process(engine))
    with Workers(url, count=1) as workers:
        ids = {name: number for made in make_sites(workers, shelf) for name, number in made.items()}
        began = _processor_s(server)
        done = 0
        for stored in fill(workers, shelf, ids):
            done += stored
            progress("Zhiwen: storing", done, len(shelf.items))
        survey(engine, should_stop=lambda: False)
        indexed = _processor_s(server)
        with transaction(engine) as session:
            size = fingerprint_sizes(session).total
        asked = _processor_s(server)
        answers: dict[int, Answer] = {}
        for number, answer in check_all(engine, workers, probes):
            answers[number] = answer
            progress("Zhiwen: checking", len(answers), len(probes))
        query_s = _processor_s(server) - asked
    found = tuple(frozenset(one.number for one in answers[number].named) for number in range(len(probes)))
    return Measured(indexed - began, size, query_s, found)


def _processor_s(server: int) -> float:
    return cpu_seconds(os.getpid()) + cpu_seconds(server)
