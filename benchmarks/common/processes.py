"""Memory and processor time of processes and their children, from /proc."""

import multiprocessing
import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Final

from crawler.processes.watched_process import resident_bytes
from crawler.run.crawl_process import CRAWL_NAME

MEGABYTE: Final = 1_000_000
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_OWN_AND_ENDED: Final = slice(11, 15)
"""Fields of user and system time, of the process and of ended children, counted behind the name."""


def crawl_megabytes() -> tuple[float, float]:
    """Megabytes of the spider that this process started, and of the largest of its readers; zeros if there is none."""
    for child in multiprocessing.active_children():
        if child.name == CRAWL_NAME and child.pid:
            readers = [resident_bytes(one) for one in children(child.pid)]
            return resident_bytes(child.pid) / MEGABYTE, max(readers, default=0) / MEGABYTE
    return 0.0, 0.0


def parent_of(pid: int) -> int:
    return int(_fields(pid)[1])


def children(pid: int) -> list[int]:
    """All descendants of a process, in no order."""
    children_of = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):  # it has just ended
            children_of[parent_of(int(folder.name))].append(int(folder.name))
    found = [*children_of[pid]]
    for one in found:
        found += children_of[one]
    return found


def cpu_seconds(pid: int) -> float:
    """Processor seconds of a process and its descendants since their start."""
    found = 0
    for one in (pid, *children(pid)):
        try:
            found += sum(map(int, _fields(one)[_OWN_AND_ENDED]))
        except OSError:  # it has just ended: its time counts for its parent
            continue
    return found / _TICKS


def _fields(pid: int) -> list[str]:
    """The fields behind the name, which may hold any characters."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
