"""How often a key would be met in a store many times as large: extrapolated from the growth in real text.

The stored texts are halved by chance. A key that texts from outside ask for and that stands in c texts of one half
stands on average in r(c) texts of the other: what Good (1953) calls the adjusted count, measured. So among M further
texts a key with count c in N texts is met about r(c) · M / N times.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.common.key_index import Counts, KeyIndex
from benchmarks.parameters.settings import Keys

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
        """Of keys that stand in so many texts: in how many of as many further ones they are expected."""
        adjusted = np.array(self._adjusted)
        return np.where(counts < MEASURED_ALONE, adjusted[np.minimum(counts, MEASURED_ALONE - 1)], counts)

    def background(self, counts: Counts, *, times: float, chance: np.random.Generator) -> Counts:
        """How many of a background `times` as large as the store hold each key, by chance."""
        return chance.poisson(self.rates(counts) * times)
