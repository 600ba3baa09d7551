"""Stability of DNA slices: how likely a window keeps its digits when a few of its units are exchanged.

A digit is lost when its count passes the border to the next one. Whoever may choose between windows keeps the one
whose counts stand furthest from borders: scrambling and small edits leave its number as it was (docs/adr/0015).
"""

from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

EXCHANGED: Final = 4
"""Units that are thought to leave a window, and to enter it: about what scrambling within 15 moves over an end."""
GRAIN: Final = 256
"""Steps of a natural logarithm: whole numbers add up to the same on every machine."""
_NEVER: Final = 1e-9
_FIRST: Final = np.zeros(1, dtype=np.intp)
_PLACE_BITS: Final = np.int64(32)
_PLACE: Final = np.int64((1 << 32) - 1)


def stay_weights(levels: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """For each letter and count, the logarithm of the chance that the digit stays, at most 0, in steps of 1/`GRAIN`.

    `levels`: row i has the digit of each count of letter i; `shares`: how often that letter stands in running text.
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
    """Row i: how likely the count of letter i changes by -`EXCHANGED` … `EXCHANGED`."""
    some = np.arange(EXCHANGED + 1)
    ways = np.array([comb(EXCHANGED, number) for number in some.tolist()])
    drawn = ways * shares[:, np.newaxis] ** some * (1 - shares[:, np.newaxis]) ** (EXCHANGED - some)
    return np.array([np.convolve(row, row[::-1]) for row in drawn])


def steadiest(weights: npt.NDArray[np.int64], groups: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """The place of the greatest weight of each group, of equal ones the first. Groups ascend; weights are at most 0."""
    if not len(groups):
        return np.empty(0, dtype=np.intp)
    firsts = np.flatnonzero(groups[1:] != groups[:-1]) + 1
    firsts = np.concatenate((_FIRST, firsts))
    # Weight and place in one number, so that one pass finds both; the one is far below 2**31, the other fits 32 bits.
    ranked = np.arange(len(groups)) - (weights << _PLACE_BITS)
    places: npt.NDArray[np.intp] = np.minimum.reduceat(ranked, firsts) & _PLACE
    return places
