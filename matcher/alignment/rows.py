"""Rows (left, right, length) of runs in compiled functions: room for more, copies, stable order.

Several chains or blocks are their rows one after the other, and the bounds between them.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled

Rows: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.int64]
Groups: TypeAlias = tuple[Rows, Indices]
"""Rows, and the number of the first row of each group; the last bound is the number of all rows."""


@compiled()
def with_room(rows: Rows, used: int, more: int) -> Rows:
    """Return rows with place for `more` after those in use."""
    if used + more <= len(rows):
        return rows
    longer = np.empty((max(2 * len(rows), used + more), 3), dtype=np.int64)
    copy_rows(rows, 0, used, longer, 0)
    return longer


@compiled()
def copy_rows(rows: Rows, start: int, end: int, to: Rows, place: int) -> int:
    """Copy the rows start…end to `place`; return the place after them. Shorter to compile than an assigned slice."""
    for number in range(start, end):
        to[place, 0], to[place, 1], to[place, 2] = rows[number, 0], rows[number, 1], rows[number, 2]
        place += 1
    return place


@compiled()
def with_place(numbers: Indices, place: int) -> Indices:
    """Return numbers that are long enough to have one at `place`; new ones are 0."""
    if place < len(numbers):
        return numbers
    longer = np.zeros(2 * place + 1, dtype=np.int64)
    for number in range(len(numbers)):
        longer[number] = numbers[number]
    return longer


@compiled()
def units_of_rows(rows: Rows) -> int:
    units = 0
    for number in range(len(rows)):
        units += rows[number, 2]
    return units


@compiled()
def chosen(groups: Groups, numbers: Indices) -> Groups:
    """Return the groups of these numbers, in their order."""
    rows, bounds = groups
    size = 0
    for number in numbers:
        size += bounds[number + 1] - bounds[number]
    kept, ends = np.empty((size, 3), dtype=np.int64), np.zeros(len(numbers) + 1, dtype=np.int64)
    for place, number in enumerate(numbers):
        ends[place + 1] = copy_rows(rows, bounds[number], bounds[number + 1], kept, ends[place])
    return kept, ends


@compiled()
def order_of(keys: Indices | npt.NDArray[np.float64]) -> Indices:
    """Return the numbers of the keys in ascending order, equal ones as they are: a merge sort from the bottom."""
    order, merged = np.arange(len(keys)), np.empty(len(keys), dtype=np.int64)
    width = 1
    while width < len(keys):
        for start in range(0, len(keys), 2 * width):
            one, other = start, min(start + width, len(keys))
            middle, end = other, min(start + 2 * width, len(keys))
            for place in range(start, end):
                if one < middle and (other == end or keys[order[one]] <= keys[order[other]]):
                    merged[place] = order[one]
                    one += 1
                else:
                    merged[place] = order[other]
                    other += 1
        order, merged = merged, order
        width *= 2
    return order
