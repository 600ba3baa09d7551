"""Small windows of two texts: the path of short equal runs that gains most after the cost of differing units.

For each unit of the left window, one word of bits holds where the right one has the same unit; shifted words of
following units, combined, hold where equal runs begin.
"""

from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import AlignmentParameters
from matcher.alignment.chaining import trimmed_units
from matcher.alignment.rows import Indices, Rows, copy_rows

SHORTEST: Final = 3
"""Least units of a run off the straight continuation. In unrelated texts six in a hundred units are equal, and one in
four thousand starts such a run of three."""
BRIDGING: Final = 4
"""Least units of a run that joins two blocks: the window is wider, and so is the room for chance."""
MISMATCH_COST: Final = 0.4
"""Cost of a differing unit, in equal units. With 30 % of words edited, half of the units differ."""
SHIFT_COST: Final = 1.5
"""Cost of leaving the diagonal, in equal units."""
NEEDED: Final = 3.0
"""Least gain of a continuation: four units in a row past one or two that differ."""
MOST_RUNS: Final = 48
"""Runs of a window that are considered, the longest first: repetitive text has hundreds."""

_AT_ONCE: Final = 61
"""Columns that one word covers: the runs that begin there reach up to three columns further."""
_ONE: Final = np.uint64(1)
_FIELD: Final = 20
"""Bits of a number in a key that orders runs. Windows are shorter than 2**20 units."""
_MASK: Final = (1 << _FIELD) - 1
_PRODUCT: Final = np.uint64(0x03F79D71B4CB0A89)
_PRODUCT_BITS: Final = np.uint64(58)
_PLACES: Final = np.zeros(64, dtype=np.int64)
"""Place of the one bit of a word, by the highest bits of its product with a de Bruijn sequence."""
for _place in range(64):
    _PLACES[((1 << _place) * int(_PRODUCT) % (1 << 64)) >> int(_PRODUCT_BITS)] = _place


@compiled()
def continuation(left: UnitCodes, right: UnitCodes) -> Rows:
    """Return the runs by which two windows continue from their start; none if they gain too little."""
    width = min(len(left), len(right))
    longest = _longest_runs(left, right, SHORTEST, width)
    keys, count = np.empty(MOST_RUNS + width, dtype=np.int64), 0
    for run in longest:
        if run[0] != run[1]:
            count = _insert(keys, count, _by_place(run[0], run[1], run[2]))
    start = 0
    for place in range(width):
        if left[place] != right[place]:
            start = place + 1
        elif place + 1 == width or left[place + 1] != right[place + 1]:
            count = _insert(keys, count, _by_place(start, start, place + 1 - start))
    return _best_way(_placed(keys[:count]), MISMATCH_COST, SHIFT_COST, NEEDED)


@compiled()
def between(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> Rows:
    """Return the runs, in order, that two stretches share from corner to corner."""
    longest = _longest_runs(left, right, BRIDGING, parameters.max_drift)
    keys = np.empty(MOST_RUNS, dtype=np.int64)
    for number, run in enumerate(longest):
        _insert(keys, number, _by_place(run[0], run[1], run[2]))
    return _best_way(_placed(keys[: len(longest)]), 0.0, 1.0, 0.0)


@compiled()
def _longest_runs(left: UnitCodes, right: UnitCodes, shortest: int, max_drift: int) -> Rows:
    """Return the longest maximal runs of at least `shortest` equal units near the diagonals of the corners.

    Of equally long ones the straighter comes first, then the lower diagonal, then the earlier one.
    """
    drift = len(left) - len(right)
    lowest, highest = min(0, drift) - max_drift, max(0, drift) + max_drift
    keys, count = np.empty(MOST_RUNS, dtype=np.int64), 0
    for first in range(0, len(right) - shortest + 1, _AT_ONCE):
        same = np.zeros(256, dtype=np.uint64)
        for place in range(first, min(len(right), first + 64)):
            same[right[place]] |= _ONE << np.uint64(place - first)
        allowed = (_ONE << np.uint64(min(_AT_ONCE, len(right) - shortest + 1 - first))) - _ONE
        for i in range(len(left) - shortest + 1):
            starts = same[left[i]] & allowed
            for offset in range(1, shortest):
                starts &= same[left[i + offset]] >> np.uint64(offset)
            while starts:
                j = first + _PLACES[((starts & (~starts + _ONE)) * _PRODUCT) >> _PRODUCT_BITS]
                starts &= starts - _ONE
                if lowest <= i - j <= highest and not (i > 0 and j > 0 and left[i - 1] == right[j - 1]):
                    count = _insert(keys, count, _by_length(i, j, _equal_from(left, right, i, j, shortest)))
    return _of_lengths(keys[:count])


@compiled()
def _equal_from(left: UnitCodes, right: UnitCodes, i: int, j: int, length: int) -> int:
    while i + length < len(left) and j + length < len(right) and left[i + length] == right[j + length]:
        length += 1
    return length


@compiled()
def _insert(keys: Indices, count: int, key: int) -> int:
    """Insert a key into the first `count`, which are sorted; return their new number. The last is lost if all are in
    use.
    """
    if count == len(keys):
        if count == 0 or keys[count - 1] < key:
            return count
        count -= 1
    place = count
    while place > 0 and keys[place - 1] > key:
        keys[place] = keys[place - 1]
        place -= 1
    keys[place] = key
    return count + 1


@compiled()
def _by_length(i: int, j: int, length: int) -> int:
    shift = 2 * (abs(i - j)) + (1 if i > j else 0)
    return ((_MASK - length) << (2 * _FIELD + 1)) | (shift << _FIELD) | i


@compiled()
def _of_lengths(keys: Indices) -> Rows:
    rows = np.empty((len(keys), 3), dtype=np.int64)
    for number, key in enumerate(keys):
        shift = (key >> _FIELD) & (2 * _MASK + 1)
        rows[number, 0] = key & _MASK
        rows[number, 1] = rows[number, 0] - (shift >> 1 if shift & 1 else -(shift >> 1))
        rows[number, 2] = _MASK - (key >> (2 * _FIELD + 1))
    return rows


@compiled()
def _by_place(i: int, j: int, length: int) -> int:
    return (i << (2 * _FIELD)) | (j << _FIELD) | length


@compiled()
def _placed(keys: Indices) -> Rows:
    rows = np.empty((len(keys), 3), dtype=np.int64)
    for number, key in enumerate(keys):
        rows[number, 0], rows[number, 1], rows[number, 2] = key >> (2 * _FIELD), (key >> _FIELD) & _MASK, key & _MASK
    return rows


@compiled()
def _best_way(runs: Rows, mismatch: float, shift: float, needed: float) -> Rows:
    """Return the chain of runs from the start of both texts that gains most; empty if it gains less than `needed`."""
    scores, ways = np.empty(len(runs), dtype=np.float64), np.empty(len(runs), dtype=np.int64)
    peak = -1
    for number in range(len(runs)):
        left, right, length = runs[number, 0], runs[number, 1], runs[number, 2]
        best, best_way = length - mismatch * max(left, right) - (shift if left != right else 0.0), -1
        for other in range(number):
            if scores[other] + length <= best:
                continue
            gap_left = left - runs[other, 0] - runs[other, 2]
            gap_right = right - runs[other, 1] - runs[other, 2]
            behind = max(-gap_left, -gap_right, 0)
            gain = length - behind - mismatch * (max(gap_left, gap_right) + behind)
            gain -= shift if gap_left != gap_right else 0.0
            if behind < length and scores[other] + gain > best:
                best, best_way = scores[other] + gain, other
        scores[number], ways[number] = best, best_way
        if peak < 0 or best > scores[peak]:
            peak = number
    if peak < 0 or scores[peak] < needed:
        return np.empty((0, 3), dtype=np.int64)
    size, last = 0, peak
    while last >= 0:
        size, last = size + 1, ways[last]
    way = np.empty((size, 3), dtype=np.int64)
    for place in range(size - 1, -1, -1):
        copy_rows(runs, peak, peak + 1, way, place)
        peak = ways[peak]
    trimmed_units(way, 0, size)
    return way
