"""How much memory the embedded server keeps its pages in: a share of its data, as far as the machine has it.

Every look-up by keys touches some thousand pages of an index. With a million texts those are 3 GB; out of 256 MB the
slices of one text took twice as long as out of 3 GB (docs/speed.md). Standard library only: the keeper imports this.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LEAST: Final = 256 * 1024 * 1024
"""Bytes: the index pages of some ten thousand articles."""
OF_DATA: Final = 4
"""A quarter of the data are the pages of the keys' indexes, those that every look-up touches."""
OF_MACHINE: Final = 8
"""Seven eighths are left to the crawls, to whatever else runs, and to the files that the system keeps in memory."""

# What a container may use, by control groups of either version; the machine's own memory says nothing there.
LIMITS: Final = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def shared_buffers(data: Path) -> int:
    """Bytes for the server that keeps `data`; it is asked at each start, so a store that grew has more at the next."""
    return buffers_for(_size(data / "base"), memory_of(LIMITS))


def buffers_for(data: int, memory: int) -> int:
    """All in bytes."""
    return max(LEAST, min(data // OF_DATA, memory // OF_MACHINE))


def memory_of(limits: Iterable[Path]) -> int:
    """Bytes that this machine has, or less where one of the files sets a limit."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for limit in limits:
        try:
            found.append(int(limit.read_text("ascii")))
        except (OSError, ValueError):  # no such file, or no limit: "max"
            continue
    return min(found)


def _size(folder: Path) -> int:
    """Bytes of the files below; one that is gone by the time it is asked for counts for nothing."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(path, name).stat().st_size
            except OSError:
                continue
    return total
