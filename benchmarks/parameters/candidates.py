"""Candidates among stored keys in memory, ranked as the matcher ranks, in the store as it is and in a larger one.

The stored texts are halved by chance. A key that texts from outside ask for and that stands in c texts of one half
stands on average in r(c) texts of the other: what Good (1953) calls the adjusted count, measured. So among M further
texts a key with count c in N texts is met about r(c) · M / N times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.common.key_index import Counts, KeyIndex
from benchmarks.parameters.settings import Keys


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer of one source: the texts that hold each key, and the number of texts of a background that do."""

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
    """The rank of the best of the `wanted` texts among all candidates, from 1 (None: not among them), and their number.

    A key of n texts adds 1/n. A text of the background is assumed to share one key only: they are generated key by
    key.
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


MEASURED_ALONE: Final = 8
"""Counts below are frequent enough to have a mean of their own; above, a count is what it is."""


class Growth:
    """The adjusted count of each count."""

    def __init__(self, halves: tuple[KeyIndex, KeyIndex], asked: list[Keys]) -> None:
        keys = np.concatenate(asked)
        one, other = (half.counts(keys) for half in halves)
        seen, met = np.concatenate([one, other]), np.concatenate([other, one])
        self._adjusted = [
            float(met[seen == count].mean()) if (seen == count).any() else float(count)
            for count in range(MEASURED_ALONE)
        ]

    def rates(self, counts: Counts) -> npt.NDArray[np.float64]:
        """For keys of so many texts: the expected number of texts with them among as many further ones."""
        adjusted = np.array(self._adjusted)
        return np.where(counts < MEASURED_ALONE, adjusted[np.minimum(counts, MEASURED_ALONE - 1)], counts)

    def background(self, counts: Counts, *, times: float, chance: np.random.Generator) -> Counts:
        """Random number of texts with each key in a background `times` as large as the store."""
        return chance.poisson(self.rates(counts) * times)
