"""Shared buffers of the embedded server: a share of its data, within the machine's memory.

Every look-up by keys touches some thousand pages of an index, with a million texts 3 GB; with 256 MB of buffers the
slices of one text took twice as long as with 3 GB (docs/speed.md). Standard library only: the keeper imports this.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LEAST: Final = 256 * 1024 * 1024
"""Bytes: the index pages of some ten thousand articles."""
OF_DATA: Final = 4
"""A quarter of the data are pages of the keys' indexes, which every look-up touches."""
OF_MACHINE: Final = 8
"""Seven eighths are left to crawls, other programs and the system's file cache."""

# Memory limits of a container, by control groups of either version; the machine's own memory is irrelevant there.
LIMITS: Final = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def shared_buffers(data: Path) -> int:
    """Return the buffers in bytes for the server of `data`; computed at each start, so they grow with the store."""
    return buffers_for(_size(data / "base"), memory_of(LIMITS))


def buffers_for(data: int, memory: int) -> int:
    """Return the buffers; all values in bytes."""
    return max(LEAST, min(data // OF_DATA, memory // OF_MACHINE))


def memory_of(limits: Iterable[Path]) -> int:
    """Return the memory of this machine in bytes, or the lowest limit in the files."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for limit in limits:
        try:
            found.append(int(limit.read_text("ascii")))
        except (OSError, ValueError):  # no such file, or no limit: "max"
            continue
    return min(found)


def _size(folder: Path) -> int:
    """Return the bytes of the files in the folder; a file that disappears meanwhile counts nothing."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(path, name).stat().st_size
            except OSError:
                continue
    return total
