"""Stored keys in memory, asked as the database is asked, ranked as the matcher ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.common.key_index import Counts, KeyIndex
from benchmarks.parameters.settings import Keys


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
