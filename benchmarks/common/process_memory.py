"""How much memory the processes of a crawl use, as Linux tells it."""

import multiprocessing
from pathlib import Path
from typing import Final

from crawler.processes.watched_process import resident_bytes
from crawler.run.crawl_process import CRAWL_NAME

MEGABYTE: Final = 1_000_000


def crawl_megabytes() -> tuple[float, float]:
    """Of the spider that this process started, and of the largest of its readers; zeros where there is none."""
    for child in multiprocessing.active_children():
        if child.name == CRAWL_NAME and child.pid:
            readers = [resident_bytes(one) for one in children(child.pid)]
            return resident_bytes(child.pid) / MEGABYTE, max(readers, default=0) / MEGABYTE
    return 0.0, 0.0


def children(pid: int) -> list[int]:
    """Of a process and their children, in no order."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            child = int(status.parent.name)
            found += [child, *children(child)]
    return found
