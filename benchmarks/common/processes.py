"""Memory and processor time of processes and their children, from /proc."""

import multiprocessing
import os
from pathlib import Path
from typing import Final

from crawler.processes.watched_process import resident_bytes
from crawler.run.crawl_process import CRAWL_NAME

MEGABYTE: Final = 1_000_000
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_OWN_AND_ENDED: Final = slice(11, 15)
"""User and system time, of the process and of those that it has waited for, counted behind the name."""


def crawl_megabytes() -> tuple[float, float]:
    """Of the spider that this process started, and of the largest of its readers; zeros where there is none."""
    for child in multiprocessing.active_children():
        if child.name == CRAWL_NAME and child.pid:
            readers = [resident_bytes(one) for one in children(child.pid)]
            return resident_bytes(child.pid) / MEGABYTE, max(readers, default=0) / MEGABYTE
    return 0.0, 0.0


def parent_of(pid: int) -> int:
    return int(_fields(pid)[1])


def children(pid: int) -> list[int]:
    """Of a process and their children, in no order."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        one = int(folder.name)
        try:
            is_child = parent_of(one) == pid
        except (OSError, IndexError):
            continue
        if is_child:
            found += [one, *children(one)]
    return found


def cpu_seconds(pid: int) -> float:
    """Of a process and everything under it, from their beginning."""
    found = 0
    for one in (pid, *children(pid)):
        try:
            found += sum(map(int, _fields(one)[_OWN_AND_ENDED]))
        except OSError:  # it ended just now: its time is its parent's
            continue
    return found / _TICKS


def _fields(pid: int) -> list[str]:
    """Behind the name, which may hold anything."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
