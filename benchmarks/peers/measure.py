"""Measures one peer in a process of its own: what one leaves in memory does not count for the next."""

import gc
import multiprocessing
import os
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from benchmarks.common.workers import WorkFailed
from benchmarks.peers.table import PEERS
from crawler.processes.watched_process import resident_bytes


@dataclass(frozen=True, slots=True)
class Measured:
    """`index_s`, `query_s`: processor time of the whole index and of all queries. `found`: numbers, for each query."""

    index_s: float
    index_bytes: int
    query_s: float
    found: tuple[frozenset[int], ...]


def measure(name: str, stored: Sequence[str], queries: Sequence[str]) -> Measured:
    """Measures the peer of this name. Raises WorkFailed."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, name), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.send((list(stored), list(queries)))
        answer = ours.recv()
    except (EOFError, OSError) as error:
        raise WorkFailed(f"The process of {name} died; most likely the machine ran out of memory.") from error
    finally:
        ours.close()
        process.kill()
        process.join()
    if not isinstance(answer, Measured):
        raise WorkFailed(str(answer))
    return answer


def _serve(connection: Connection, name: str) -> None:
    stored, queries = connection.recv()
    try:
        connection.send(_measured(name, stored, queries))
    except Exception:  # sent to the parent, which raises it
        connection.send(traceback.format_exc())


def _measured(name: str, stored: Sequence[str], queries: Sequence[str]) -> Measured:
    build = next(peer.build for peer in PEERS if peer.name == name)
    build(stored[:2]).found(stored[0])  # imports, and tables that are made once
    gc.collect()
    before, began = resident_bytes(os.getpid()), time.process_time()
    index = build(stored)
    indexed = time.process_time()
    gc.collect()
    size = resident_bytes(os.getpid()) - before
    asked = time.process_time()
    found = tuple(frozenset(index.found(query)) for query in queries)
    return Measured(indexed - began, size, time.process_time() - asked, found)
