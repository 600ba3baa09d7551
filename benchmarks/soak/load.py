"""Resources that Zhiwen uses while it runs: memory, connections, open files, disk."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.common.processes import children
from storage.analytics.ledger import store_load
from storage.engine import transaction

if TYPE_CHECKING:
    from sqlalchemy import Engine

MEGABYTE: Final = 1_000_000
_KILOBYTE: Final = 1_024


@dataclass(frozen=True, slots=True)
class Sample:
    """Resources at one moment. Memory is private memory of the processes plus their share of shared memory."""

    elapsed_s: float
    worker_mb: float
    admin_mb: float
    crawls_mb: float
    postgres_mb: float
    connections: int
    open_files: int
    home_files: int
    home_mb: float
    database_mb: float
    pages: int
    waiting: int
    queued: int


def sampled(engine: "Engine", home: Path, up_pid: int, postgres_pid: int, *, elapsed_s: float) -> Sample:
    """Resources of a `zhiwen up` with this process id and its database."""
    parts = {name: pid for pid in children(up_pid) for name in ("worker", "serve") if _is_part(pid, name)}
    worker, admin = parts.get("worker", 0), parts.get("serve", 0)
    crawls = children(worker) if worker else []
    files, size = _home(home)
    with transaction(engine) as session:
        state = store_load(session)
    return Sample(
        elapsed_s=round(elapsed_s, 1),
        worker_mb=_megabytes([worker]),
        admin_mb=_megabytes([admin]),
        crawls_mb=_megabytes(crawls),
        postgres_mb=_megabytes([postgres_pid, *children(postgres_pid)]),
        connections=state.connections,
        open_files=sum(_open_files(pid) for pid in (up_pid, worker, admin)),
        home_files=files,
        home_mb=round(size / MEGABYTE, 1),
        database_mb=round(state.bytes / MEGABYTE, 1),
        pages=state.pages,
        waiting=state.waiting,
        queued=state.queued,
    )


def _is_part(pid: int, name: str) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"zhiwen.child" in words and name.encode() in words


def _megabytes(pids: Iterable[int]) -> float:
    return round(sum(_proportional_bytes(pid) for pid in pids) / MEGABYTE, 1)


def _proportional_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * _KILOBYTE for line in lines if line.startswith("Pss:"))


def _open_files(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def _home(home: Path) -> tuple[int, int]:
    sizes = list(_sizes(home))
    return len(sizes), sum(sizes)


def _sizes(folder: Path) -> Iterator[int]:
    """Of all files below, those of the database excepted: it is asked itself, and comes and goes with files."""
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "postgres"]
        for name in files:
            try:
                yield Path(root, name).lstat().st_size
            except OSError:
                continue
