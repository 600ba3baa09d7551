"""What the database has cost the processor, as Linux tells it: the server with all that it started."""

import os
from pathlib import Path
from typing import Final

from benchmarks.common.process_memory import children

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_OWN_AND_ENDED: Final = slice(11, 15)
"""User and system time, of the process and of those that it has waited for, counted behind the name."""


def parent_of(pid: int) -> int:
    return int(_fields(pid)[1])


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
