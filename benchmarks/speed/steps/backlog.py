"""A backlog as after an import: real articles and disguised copies of some, compared by one process, then by two."""

import json
import os
import re
import resource
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Progress
from benchmarks.common.stores import opened
from benchmarks.disguises.texts import DISGUISES
from benchmarks.speed.steps.imports import CommandFailed, ended, started
from storage.embedded import server
from storage.engine import transaction
from storage.matches import backlog, hits
from storage.postgres.statement_stats import server_process

if TYPE_CHECKING:
    from sqlalchemy import Engine

COPIED: Final = 8
"""One article in so many is copied."""
LEAST_COPIED: Final = 600
"""Characters of an article that is copied: an excerpt of 250 is then a part of it."""
HOSTS: Final = 20
"""Hosts of the articles, in their order: neighbours are often of one publisher. As many have the copies."""
ENDED_S: Final = 0.5
"""Time for the server's processes to end after their client."""
_COMPARED: Final = re.compile(r"Compared (\d+) pages")


@dataclass(frozen=True, slots=True)
class Emptied:
    """A backlog of `pages` worked off by so many processes, with the survey and the programs' start: pages a second by
    the clock, and for each page milliseconds of processor time of the programs and of the database (None where the
    system does not tell); pages compared, and hits found.
    """

    processes: int
    pages: int
    rate: float
    program_ms: float
    database_ms: float | None
    compared: int
    hits: int


def measure_backlog(texts: Sequence[str], *, seed: int, progress: Progress) -> list[Emptied]:
    """Import the texts and the copies into a store of its own for each number of processes, and compare them."""
    with tempfile.TemporaryDirectory(prefix="zhiwen-bench-") as folder:
        file = Path(folder) / "articles.jsonl"
        file.write_text("".join(_lines(texts, seed)), "utf-8")
        found = []
        for processes in (1, 2):
            progress(f"backlog, {processes} at once", 0, len(texts))
            home = Path(folder) / f"home{processes}"
            try:
                with opened(home) as (_, engine):
                    found.append(_emptied(engine, home, file, processes))
            finally:
                server.delete(home)
    return found


def _emptied(engine: "Engine", home: Path, file: Path, processes: int) -> Emptied:
    with started("import", str(file), home=home) as process:
        ended(process)
    with transaction(engine) as session:
        pages = backlog.waiting(session)
    main = _parent(server_process(engine))
    began, program, database = perf_counter(), _of_programs(), _of_children(main)
    running = [started("match", home=home) for _ in range(processes)]
    said = [ended(process) for process in running]
    seconds, program = perf_counter() - began, _of_programs() - program
    sleep(ENDED_S)
    used = _of_children(main)
    compared = [_COMPARED.search(words) for words in said]
    if not all(compared):
        raise CommandFailed("\n".join(said))
    with transaction(engine) as session:
        shown = hits.count_hits(session)
    return Emptied(
        processes=processes,
        pages=pages,
        rate=pages / seconds,
        program_ms=1e3 * program / pages,
        database_ms=None if used is None or database is None else 1e3 * (used - database) / pages,
        compared=sum(int(one[1]) for one in compared if one is not None),
        hits=shown,
    )


def _lines(texts: Sequence[str], seed: int) -> Iterator[str]:
    """Yield import records: the texts, and then the copies on others."""
    for number, text in enumerate(texts):
        yield _line(f"https://{number * HOSTS // len(texts)}.original.example/{number}", text)
    chance = Random(f"{seed}/backlog")  # a benchmark, not a secret
    long = [text for text in texts if len(text) >= LEAST_COPIED]
    disguises = sorted(DISGUISES)
    for number, text in enumerate(chance.sample(long, min(len(long), len(texts) // COPIED))):
        made = DISGUISES[disguises[number % len(disguises)]](text, chance)
        yield _line(f"https://{number % HOSTS}.copier.example/{number}", made)


def _line(url: str, text: str) -> str:
    return json.dumps({"url": url, "title": text[:20], "text": text}, ensure_ascii=False) + "\n"


def _of_programs() -> float:
    """Seconds of processor time of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _of_children(process: int | None) -> float | None:
    """The same of the ended children of a process: of the database's main process, one for each connection."""
    stat = _stat(process)
    return None if stat is None else (int(stat[13]) + int(stat[14])) / os.sysconf("SC_CLK_TCK")


def _parent(process: int) -> int | None:
    stat = _stat(process)
    return None if stat is None else int(stat[1])


def _stat(process: int | None) -> list[str] | None:
    """What the system tells of a process after its name, from its state on; None where it does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return None
