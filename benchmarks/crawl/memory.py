"""How much memory processes use, as Linux tells it."""

import os
from pathlib import Path
from typing import Final

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def resident_bytes(pid: int) -> int:
    """Of one process; 0 where it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


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
