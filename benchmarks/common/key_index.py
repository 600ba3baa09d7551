"""Inverted index from keys to texts: the look-up of every method that hashes parts of texts."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Keys: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Counts: TypeAlias = npt.NDArray[np.int64]


class KeyIndex:
    """The distinct keys of each text. Texts are numbered in the order given."""

    def __init__(self, texts: Sequence[Keys]) -> None:
        lengths = [len(keys) for keys in texts]
        keys = np.concatenate([*texts, np.empty(0, dtype=texts[0].dtype if texts else np.int64)])
        order = np.argsort(keys, kind="stable")
        self.texts = len(texts)
        self.keys_per_text = float(np.mean(lengths)) if lengths else 0.0
        self._keys = keys[order]
        self._holders = np.repeat(np.arange(len(texts)), lengths)[order]

    def counts(self, asked: Keys) -> Counts:
        """Number of texts that hold each of the keys."""
        return np.searchsorted(self._keys, asked, "right") - np.searchsorted(self._keys, asked, "left")

    def holders(self, asked: Keys) -> tuple[Counts, Counts]:
        """Every pair (index in `asked`, text) whose text holds the key."""
        counts = self.counts(asked)
        place = np.repeat(np.arange(len(asked)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        first = np.searchsorted(self._keys, asked, "left")
        return place, self._holders[np.repeat(first, counts) + within]

    def shared(self, asked: Keys) -> Counts:
        """Number of these keys in each text that holds any."""
        return np.bincount(self.holders(asked)[1], minlength=self.texts)
