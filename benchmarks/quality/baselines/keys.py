"""Texts that share the most keys with another: the look-up of every method that hashes parts of texts."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.method import MOST_NAMED, chunks
from benchmarks.quality.scenarios.checking import Named

Keys: TypeAlias = npt.NDArray[np.int64]


class KeyIndex:
    """The distinct keys of each text."""

    def __init__(self, keys: Sequence[Keys]) -> None:
        together = np.concatenate([*keys, np.empty(0, dtype=np.int64)])
        holders = np.repeat(np.arange(len(keys), dtype=np.int32), [len(item) for item in keys])
        order = np.argsort(together, kind="stable")
        self._keys, self._holders = together[order], holders[order]
        self._texts = len(keys)

    def nearest(self, keys: Keys, *, least: int) -> tuple[Named, ...]:
        """The texts that share at least that many distinct keys, most first; the score is their number."""
        first = np.searchsorted(self._keys, keys, side="left")
        counts = np.searchsorted(self._keys, keys, side="right") - first
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        shared = np.bincount(self._holders[np.repeat(first, counts) + within], minlength=self._texts)
        best = np.argsort(-shared, kind="stable")[:MOST_NAMED]
        return tuple(Named(int(number), float(shared[number])) for number in best if shared[number] >= least)


def shared_keys(
    task: "Callable[[object, list[str]], list[Keys]]",
    stored: Sequence[str],
    asked: Sequence[str],
    workers: Workers,
    *,
    least: int,
) -> tuple[tuple[Named, ...], ...]:
    """`task` gives the distinct keys of each text of a chunk, in a process of the benchmark."""
    index = KeyIndex(list(_keys_of(task, stored, workers)))
    return tuple(index.nearest(keys, least=least) for keys in _keys_of(task, asked, workers))


def _keys_of(
    task: "Callable[[object, list[str]], list[Keys]]", texts: Sequence[str], workers: Workers
) -> Iterator[Keys]:
    done = dict(workers.map(task, chunks(texts)))
    for number in range(len(done)):
        yield from done[number]
