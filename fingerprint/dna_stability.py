"""Stability of DNA slices: the probability that a window keeps its digits when a few of its units are exchanged.

A digit changes when its count crosses the border to the next one. Among several windows, the one whose counts are
furthest from borders is the most stable: scrambling and small edits leave its number unchanged (docs/adr/0015).
"""

from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

EXCHANGED: Final = 4
"""Units assumed to leave and to enter a window: about what scrambling within 15 places moves across one end."""
GRAIN: Final = 256
"""Steps per natural logarithm: sums of whole numbers are the same on every machine."""
_NEVER: Final = 1e-9


def stay_weights(levels: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return, by letter and count, the logarithm of the probability that the digit stays: ≤ 0, in steps of 1/`GRAIN`.

    `levels`: row i has the digit of each count of letter i. `shares`: the frequency of each letter in running text.
    """
    counts = np.arange(levels.shape[1])
    chance = np.zeros(levels.shape)
    for change, weight in zip(range(-EXCHANGED, EXCHANGED + 1), _chances_of_change(shares).T, strict=True):
        counted = counts + change
        possible = (counted >= 0) & (counted < len(counts))
        moved = levels[:, np.clip(counted, 0, len(counts) - 1)]
        chance += weight[:, np.newaxis] * (possible & (moved == levels))
    weights: npt.NDArray[np.int64] = np.rint(GRAIN * np.log(np.maximum(chance, _NEVER))).astype(np.int64)
    return weights


def _chances_of_change(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a table: row i has the probabilities that the count of letter i changes by -`EXCHANGED`…`EXCHANGED`."""
    some = np.arange(EXCHANGED + 1)
    ways = np.array([comb(EXCHANGED, number) for number in some.tolist()])
    drawn = ways * shares[:, np.newaxis] ** some * (1 - shares[:, np.newaxis]) ** (EXCHANGED - some)
    return np.array([np.convolve(row, row[::-1]) for row in drawn])
