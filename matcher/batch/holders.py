"""Texts that share keys with one query, and their ranking."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.batch.model import Numbers

DIGITS: Final = 12
"""Significant digits of a rarity: sums of the same fractions in another order differ beyond them."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """`holders` in order; `keys[firsts[i]:firsts[i + 1]]` are the indices of the keys that the i-th of them holds."""

    holders: Numbers
    firsts: Numbers
    keys: Numbers

    @classmethod
    def of_entries(cls, holders: Numbers, keys: Numbers) -> "Held":
        """Return `holders` in order, each as often as it holds a key."""
        if not len(holders):
            return cls(holders, np.zeros(1, dtype=np.int64), keys)
        begins = np.flatnonzero(np.concatenate(([True], holders[1:] != holders[:-1])))
        return cls(holders[begins], np.append(begins, len(holders)), keys)

    @property
    def shared(self) -> Numbers:
        return np.diff(self.firsts)

    def rarity(self, often: Numbers) -> npt.NDArray[np.float64]:
        """Return for each holder the sum over its keys of 1 / (texts that hold the key)."""
        if not len(self.holders):
            return np.empty(0)
        sums: npt.NDArray[np.float64] = np.add.reduceat(1.0 / often[self.keys], self.firsts[:-1])
        return np.round(sums, DIGITS)


def best(rarity: npt.NDArray[np.float64], shared: Numbers, bound: int) -> npt.NDArray[np.intp]:
    """Return indices of the best holders, in order: rarest, then most shared keys, then oldest; at most `bound`."""
    return in_order(at_least(rarity, bound), rarity, shared)[:bound]


def in_order(some: npt.NDArray[np.intp], rarity: npt.NDArray[np.float64], shared: Numbers) -> npt.NDArray[np.intp]:
    """Return these of the holders in the order of `best`."""
    return some[np.lexsort((some, -shared[some], -rarity[some]))]


def at_least(rarity: npt.NDArray[np.float64], bound: int, *, less: float = 0.0) -> npt.NDArray[np.intp]:
    """Return indices of those with at least the rarity of the one at rank `bound`, minus `less`."""
    if len(rarity) <= bound:
        return np.arange(len(rarity))
    return np.flatnonzero(rarity >= np.partition(rarity, -bound)[-bound] - less)
