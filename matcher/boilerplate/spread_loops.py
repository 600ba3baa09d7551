"""Inner loops over the holders of a repeated run, compiled (see `fingerprint.compiling`)."""

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes

_CODES = 37
"""Unit codes are 1…36."""


@compiled("uint8[::1](Array(uint8, 1, 'C', readonly=True), int64[::1], int64[::1], int64, float64, int64)")
def agreed_units(
    units: UnitCodes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], step: int, least: float, reach: int
) -> UnitCodes:
    """Return the units on which at least `least` of the stretches agree, up to the first on which fewer do.

    A stretch is read from `starts[i]` in steps of `step` (1 or -1) up to and without `ends[i]`; at most `reach` units.
    Of codes with equally many votes the lowest is taken. O(stretches × units returned).
    """
    found = np.empty(reach, dtype=np.uint8)
    votes = np.empty(_CODES, dtype=np.int64)
    for column in range(reach):
        votes[:] = 0
        for row in range(len(starts)):
            place = starts[row] + step * column
            if (ends[row] - place) * step > 0:
                votes[min(units[place], _CODES - 1)] += 1
        best = 1
        for code in range(2, _CODES):
            if votes[code] > votes[best]:
                best = code
        if votes[best] < least:
            return found[:column].copy()
        found[column] = best
    return found


@compiled("int64[:, ::1](int32[::1], int64[::1])")
def shared_numbers(numbers: npt.NDArray[np.int32], begins: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how many numbers each two of the sets have in common. Set `i` is `numbers[begins[i]:begins[i + 1]]`,
    sorted and distinct. O(sets × numbers).
    """
    sets = len(begins) - 1
    shared = np.zeros((sets, sets), dtype=np.int64)
    for one in range(sets):
        for other in range(one):
            left, right = begins[one], begins[other]
            while left < begins[one + 1] and right < begins[other + 1]:
                if numbers[left] == numbers[right]:
                    shared[one, other] += 1
                    left += 1
                    right += 1
                elif numbers[left] < numbers[right]:
                    left += 1
                else:
                    right += 1
            shared[other, one] = shared[one, other]
    return shared
