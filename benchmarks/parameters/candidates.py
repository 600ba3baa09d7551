"""Stored keys in memory, asked as the database is asked, ranked as the matcher ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.parameters.settings import Keys

Counts: TypeAlias = npt.NDArray[np.int64]


class KeyIndex:
    """Which texts hold a key. Texts are numbered in the order given."""

    def __init__(self, texts: Sequence[Keys]) -> None:
        lengths = [len(keys) for keys in texts]
        keys = np.concatenate(texts)
        order = np.argsort(keys, kind="stable")
        self.texts = len(texts)
        self.keys_per_text = float(np.mean(lengths))
        self._keys = keys[order]
        self._holders = np.repeat(np.arange(len(texts)), lengths)[order]

    def counts(self, asked: Keys) -> Counts:
        """How many texts hold each of the keys."""
        return np.searchsorted(self._keys, asked, "right") - np.searchsorted(self._keys, asked, "left")

    def holders(self, asked: Keys) -> tuple[Counts, Counts]:
        """Every (place in `asked`, text) of which the text holds the key."""
        first = np.searchsorted(self._keys, asked, "left")
        counts = np.searchsorted(self._keys, asked, "right") - first
        place = np.repeat(np.arange(len(asked)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        return place, self._holders[np.repeat(first, counts) + within]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one source answered: the texts that hold each key, and how many texts of a background do."""

    weight: float
    place: Counts
    text: Counts
    counts: Counts
    background: Counts


def ask(index: KeyIndex, keys: Keys, weight: float, background: Counts | None = None) -> Asked:
    place, text = index.holders(keys)
    extra = np.zeros(len(keys), dtype=np.int64) if background is None else background
    return Asked(weight, place, text, index.counts(keys), extra)


def ranks(answers: Sequence[Asked], texts: int, wanted: frozenset[int]) -> tuple[int | None, int]:
    """The place of the best of the `wanted` texts among all candidates, from 1 (None: it is none), and their number.

    A key that stands in n texts adds 1/n. A text of the background is taken to share one key only: they are made up
    key by key.
    """
    weights = np.zeros(texts)
    rivals: list[npt.NDArray[np.float64]] = []
    for answer in answers:
        rarity = answer.weight / np.maximum(answer.counts + answer.background, 1)
        np.add.at(weights, answer.text, rarity[answer.place])
        rivals.append(np.repeat(rarity, answer.background))
    count = int((weights > 0).sum()) + sum(map(len, rivals))
    best = max((float(weights[number]) for number in wanted), default=0.0)
    if best <= 0:
        return None, count
    before = int((weights > best).sum()) + sum(int((rival > best).sum()) for rival in rivals)
    return before + 1, count
