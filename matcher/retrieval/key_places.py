"""Compiled loop that finds the places of shared keys in the query text."""

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from matcher.alignment.kgrams import Indices, Numbers


@compiled("uint8[:, ::1](int32[::1], int64[::1], Array(int32, 1, 'C', True), int64[::1])")
def places_of_keys(known: Numbers, places: Indices, keys: Numbers, ends: Indices) -> npt.NDArray[np.uint8]:
    """Return for each hit a row of bytes with a bit for each place of its keys, the first place the lowest.

    `known`: the keys of the query text, ascending, with their `places`. Hit `i` has `keys[ends[i - 1]:ends[i]]`.
    """
    last = 0
    for place in places:
        last = max(last, place)
    found, begun = np.zeros((len(ends), last // 8 + 1), dtype=np.uint8), 0
    for hit in range(len(ends)):
        for number in range(begun, ends[hit]):
            low, high = 0, len(known)
            while low < high:
                middle = (low + high) // 2
                if known[middle] < keys[number]:
                    low = middle + 1
                else:
                    high = middle
            while low < len(known) and known[low] == keys[number]:
                found[hit, places[low] // 8] |= np.uint8(1 << places[low] % 8)
                low += 1
        begun = ends[hit]
    return found
