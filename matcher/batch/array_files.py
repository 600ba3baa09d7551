"""Arrays as plain files of numbers, memory-mapped."""

from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

S = TypeVar("S", bound=np.generic)


def mapped(path: Path, kind: type[S]) -> npt.NDArray[S]:
    """Return the numbers of a file; never written to."""
    # An empty file cannot be mapped.
    if not path.stat().st_size:
        return np.empty(0, dtype=kind)
    return np.asarray(np.memmap(path, dtype=kind, mode="r"))


def ranges(starts: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the numbers of all ranges, one range after the other."""
    begun = np.cumsum(counts) - counts
    spread: npt.NDArray[np.int64] = np.arange(int(counts.sum())) + np.repeat(starts - begun, counts)
    return spread


def sorted_once(some: npt.NDArray[S]) -> npt.NDArray[S]:
    """Return the distinct numbers, sorted: if they repeat, several times as fast as `np.unique`, which hashes."""
    found: npt.NDArray[S] = np.sort(some)
    is_first = np.concatenate((np.ones(min(len(found), 1), dtype=np.bool_), found[1:] != found[:-1]))
    once: npt.NDArray[S] = found[is_first]
    return once
