"""Winnowing (Schleimer, Wilkerson, Aiken 2003) on word characters as they are written."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.keys import Keys, shared_keys
from benchmarks.quality.baselines.method import Baseline

K: Final = 12
WINDOW: Final = 20
LEAST_SHARED: Final = 2

_BASE: Final = np.uint64(0x100000001B3)
_NO_WORD: Final = re.compile(r"[\W_]+")


def winnowing(stored: Sequence[str], asked: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    named = shared_keys(winnowed, stored, asked, workers, least=LEAST_SHARED)
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
