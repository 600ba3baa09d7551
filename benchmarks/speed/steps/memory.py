"""Memory of a step, and the gain of a second process, each measured in processes that do nothing else."""

import multiprocessing
import os
import re
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.speed.steps.peers import peers
from benchmarks.speed.steps.pipeline_stages import WHOLE
from crawler.processes.watched_process import resident_bytes
from fingerprint.compute import fingerprint_text

MEGABYTE: Final = 1_000_000
_KILOBYTE: Final = 1_024
_PEAK: Final = re.compile(r"^VmHWM:\s*(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of a process: when its libraries are loaded and one text is done, and at most until the last one."""

    name: str
    loaded_mb: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Flat:
    """Megabytes resident after a tenth of so many texts, and after all."""

    texts: int
    early_mb: float
    late_mb: float


def memory_of(names: Sequence[str], texts: Sequence[str]) -> list[Memory]:
    """Of the whole fingerprint, then of the peers of these names."""
    return [Memory(name, *_in_a_child(_peak, name, texts)) for name in (WHOLE, *names)]


def memory_over(texts: Sequence[str], count: int) -> Flat:
    """Of the whole fingerprint over `count` texts, from the start again when all had their turn."""
    return Flat(count, *_in_a_child(_resident, str(count), texts))


def rates_of_processes(texts: Sequence[str], *, rounds: int) -> list[tuple[float, float]]:
    """Fingerprints a second by the clock, with one process and with two, round by round."""
    halves = [texts[: len(texts) // 2], texts[len(texts) // 2 :]]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = []
        for turn in range(rounds + 1):
            began = perf_counter()
            pool.map(_fingerprinted, halves[:1], chunksize=1)
            between = perf_counter()
            pool.map(_fingerprinted, halves, chunksize=1)
            if turn:
                found.append((len(halves[0]) / (between - began), len(texts) / (perf_counter() - between)))
    return found


def _fingerprinted(texts: Sequence[str]) -> int:
    for text in texts:
        fingerprint_text(text)
    return len(texts)


def _in_a_child(
    work: Callable[[Connection, str, Sequence[str]], None], asked: str, texts: Sequence[str]
) -> tuple[float, float]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, asked, texts), daemon=True)
    process.start()
    theirs.close()
    try:
        found: tuple[float, float] = ours.recv()
    finally:
        process.join()
    return found


def _peak(answer: Connection, name: str, texts: Sequence[str]) -> None:
    work: Callable[[], object]
    if name == WHOLE:
        turns = iter(texts)
        work = lambda: fingerprint_text(next(turns))  # noqa: E731  # either of two
    else:
        work = next(task.work for task in peers(texts, share=1)[0] if task.name == name)
    work()
    loaded = resident_bytes(os.getpid())
    for _ in texts[1:]:
        work()
    answer.send((loaded / MEGABYTE, _most_resident() / MEGABYTE))


def _most_resident() -> int:
    """Bytes that this process held at most. What the system counts with a process' times was its parent's, too, of
    which it was a copy for a moment before it was executed: that of a store of a million pages has 1.7 GB.
    """
    try:
        found = _PEAK.search(Path("/proc/self/status").read_text("ascii"))
    except OSError:
        found = None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(found[1] if found else most) * _KILOBYTE


def _resident(answer: Connection, asked: str, texts: Sequence[str]) -> None:
    count, found = int(asked), []
    for number in range(count):
        fingerprint_text(texts[number % len(texts)])
        if number + 1 in {count // 10, count}:
            found.append(resident_bytes(os.getpid()) / MEGABYTE)
    answer.send((found[0], found[-1]))
