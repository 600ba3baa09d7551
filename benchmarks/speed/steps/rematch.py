"""A rematch of a whole store: sorted files, look-ups of many texts at once; and pages compared by two processes."""

import re
import resource
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.speed.steps.imports import CommandFailed, ended, started
from matcher.batch.export import export
from matcher.batch.index import Index
from matcher.worker.rematch import BLOCK
from storage.engine import transaction
from storage.matches import backlog
from storage.pages import backlog_entry, pages

if TYPE_CHECKING:
    from sqlalchemy import Engine

WORKED_OFF: Final = 400
"""Pages; from 500 on the whole store would be judged for what repeats itself, once and not by both."""
CORES: Final = 2
_COMPARED: Final = re.compile(r"Compared (\d+) pages")


@dataclass(frozen=True, slots=True)
class Swept:
    """Seconds by the clock to write the files; for each text milliseconds of processor time to find what it asks for,
    and to look that up; texts named for one.
    """

    pages: int
    files_s: float
    asking_ms: float
    looking_up_ms: float
    named: float


@dataclass(frozen=True, slots=True)
class WorkedOff:
    """Pages that waited; pages a second by the clock with so many processes at once, and for each page milliseconds of
    their processor time, both without the programs' start; how many pages they say they compared: as many as waited,
    or one was compared twice or not at all.
    """

    pages: int
    processes: int
    rate: float
    cpu_ms: float
    compared: int
    left: int


def measure_sweep(engine: "Engine", texts: Sequence[str], *, pages: int, seed: int) -> Swept:
    """Asks for `texts` as if they stood at places of the store chosen by the seed."""
    with tempfile.TemporaryDirectory(prefix="zhiwen-bench-") as folder:
        began = perf_counter()
        export(engine, Path(folder), should_stop=lambda: False, tell=lambda *_: None)
        files_s = perf_counter() - began
        index = Index.opened(Path(folder))
        places = np.random.default_rng(seed).integers(0, len(index.ids), len(texts))
        before = process_time()
        found = (index.asked_by(text_id, text) for text_id, text in zip(index.ids[places].tolist(), texts, strict=True))
        asked = [one for one in found if one is not None]
        between = process_time()
        named = 0
        for start in range(0, len(asked), BLOCK):
            for one in index.look_up(asked[start : start + BLOCK]):
                named += len(one.near.texts) + len(one.seeds.texts) + len(one.slices.texts)
        after = process_time()
    count = len(asked)
    return Swept(pages, files_s, 1e3 * (between - before) / count, 1e3 * (after - between) / count, named / count)


def measure_workers(engine: "Engine", home: Path, *, count: int = WORKED_OFF) -> list[WorkedOff]:
    """The same pages worked off by one process, then by two at once."""
    _matched(home, CORES)  # whatever waits already: an import came before
    start = _matched(home, 1)
    return [_worked_off(engine, home, processes, count, start) for processes in (1, 2)]


def _worked_off(engine: "Engine", home: Path, processes: int, count: int, start: "_Matched") -> WorkedOff:
    with transaction(engine) as session:
        waiting = [page.version_id for page in islice(pages.list_pages(session), count)]
        backlog_entry.enqueue(session, waiting)
    done = _matched(home, processes)
    with transaction(engine) as session:
        left = backlog.waiting(session)
    number = len(waiting)
    working_s = done.seconds - start.seconds
    if working_s <= 0:
        raise CommandFailed(f"{number} pages took {done.seconds:.1f} s, and none {start.seconds:.1f} s")
    cpu_ms = 1e3 * (done.cpu_s - processes * start.cpu_s) / number
    return WorkedOff(number, processes, number / working_s, cpu_ms, done.compared, left)


@dataclass(frozen=True, slots=True)
class _Matched:
    seconds: float
    cpu_s: float
    compared: int


def _matched(home: Path, processes: int) -> _Matched:
    began, before = perf_counter(), _processor_time()
    running = [started("match", home=home) for _ in range(processes)]
    said = [ended(process) for process in running]
    seconds, cpu_s = perf_counter() - began, _processor_time() - before
    found = [_COMPARED.search(words) for words in said]
    if not all(found):
        raise CommandFailed("\n".join(said))
    return _Matched(seconds, cpu_s, sum(int(one[1]) for one in found if one is not None))


def _processor_time() -> float:
    """Of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
