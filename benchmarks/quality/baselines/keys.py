"""Methods that hash parts of texts: winnowing, and the letter-frequency DNA of 2016."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from benchmarks.common.key_index import KeyIndex, Keys
from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.method import MOST_NAMED, Baseline, each_text
from benchmarks.quality.scenarios.checking import Named
from fingerprint.dna import Normalisation, SliceParameters, slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize

PARAMETERS: Final = SliceParameters.with_overlap(50, 0.5, radix=2, normalisation=Normalisation.DATAGRAND2016)
K: Final = 12
WINDOW: Final = 20
LEAST_SHARED: Final = 2

_BASE: Final = np.uint64(0x100000001B3)
_NO_WORD: Final = re.compile(r"[\W_]+")


def datagrand(stored: Sequence[str], queries: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    """Exactly as published: base 2, their normalisation, one grid on both sides."""
    named = shared_keys(grid_slices, stored, queries, workers, least=1)
    setting = "slices of 50 units, half overlapping, base 2; the number of shared slices that serves best on these data"
    yield Baseline("datagrand2016 DNA", setting, named)


def grid_slices(_engine: object, texts: list[str]) -> list[Keys]:
    return [np.unique(slices_at_stride(to_initials(canonicalize(text)), PARAMETERS).dna) for text in texts]


def winnowing(stored: Sequence[str], queries: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    """Schleimer, Wilkerson, Aiken 2003, on word characters as they are written."""
    named = shared_keys(winnowed, stored, queries, workers, least=LEAST_SHARED)
    setting = f"{K}-grams of word characters in small letters, the least of every {WINDOW}, {LEAST_SHARED} shared"
    yield Baseline("winnowing", setting, named, LEAST_SHARED)


def winnowed(_engine: object, texts: list[str]) -> list[Keys]:
    return [_winnowed(text) for text in texts]


def _winnowed(text: str) -> Keys:
    letters = _NO_WORD.sub("", text.lower()).encode("utf-32-le", "surrogatepass")
    chars = np.frombuffer(letters, dtype=np.uint32)
    if len(chars) < K:
        return np.empty(0, dtype=np.int64)
    hashes = np.zeros(len(chars) - K + 1, dtype=np.uint64)
    for step in range(K):
        hashes = (hashes ^ chars[step : step + len(hashes)]) * _BASE
    # The low bits of a product are those of its factors alone: order by the well mixed ones.
    hashes ^= hashes >> np.uint64(32)
    window = min(WINDOW, len(hashes))
    least = np.lib.stride_tricks.sliding_window_view(hashes, window).min(axis=1)
    return np.unique(least).view(np.int64)


def shared_keys(
    task: "Callable[[object, list[str]], list[Keys]]",
    stored: Sequence[str],
    queries: Sequence[str],
    workers: Workers,
    *,
    least: int,
) -> tuple[tuple[Named, ...], ...]:
    """`task` gives the distinct keys of each text of a chunk, in a process of the benchmark."""
    index = KeyIndex(list(each_text(task, stored, workers)))
    return tuple(nearest(index, keys, least=least) for keys in each_text(task, queries, workers))


def nearest(index: KeyIndex, keys: Keys, *, least: int) -> tuple[Named, ...]:
    """The texts that share at least that many distinct keys, most first; the score is their number."""
    shared = index.shared(keys)
    best = np.argsort(-shared, kind="stable")[:MOST_NAMED]
    return tuple(Named(int(number), float(shared[number])) for number in best if shared[number] >= least)
