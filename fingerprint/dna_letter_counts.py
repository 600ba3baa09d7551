"""Counts of twenty letters in every window of a text, several counts packed into one 64-bit number.

A number has four lanes of 16 bits. A letter adds a constant to one lane. Running sums are taken over the text, and the
difference of two sums holds the counts of the units between. Lanes overflow in the sums, but the difference is exact:
it is taken modulo 2**64 and its own lanes do not overflow. For windows that are not too wide a lane holds two counts,
so that a table by lane looks up two letters at a time. One further lane counts all twenty.
"""

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import CONSONANTS, LAST_UNIT
from fingerprint.model import Offsets, UnitCodes

Table: TypeAlias = npt.NDArray[np.int64]
Sums: TypeAlias = npt.NDArray[np.uint64]
Cells: TypeAlias = npt.NDArray[np.intp]

LETTERS: Final = len(CONSONANTS)
IN_A_NUMBER: Final = 4
WIDEST_PAIRED: Final = 255
"""Largest window in units: two counts up to n fit one number below (n + 1)**2, which must be at most 2**16."""
WIDEST: Final = 2**16 - 1


def running_sums(codes: UnitCodes, n: int) -> Sums:
    """Return running sums for windows of n units (1…`WIDEST`): one row per four lanes, one column per unit boundary."""
    adds = _adds(n)
    sums = np.empty((len(adds), len(codes) + 1), dtype=np.uint64)
    sums[:, 0] = 0
    adds.take(codes, axis=1).cumsum(axis=1, out=sums[:, 1:])
    return sums


def cells_of_windows(sums: Sums, starts: Offsets, n: int) -> tuple[Cells, Cells]:
    """Return the cells of the windows of n units at `starts` in a table `by_lane`, a row per lane; and the totals."""
    counts = sums.take(starts + n, axis=1)
    counts -= sums.take(starts, axis=1)
    lanes = counts.view(np.uint16).reshape(len(sums), len(starts), IN_A_NUMBER).transpose(0, 2, 1)
    cells = (lanes + _first_cells(n)).reshape(len(sums) * IN_A_NUMBER, len(starts))
    used = LETTERS // _together(n)
    return cells[:used], cells[used]


def by_lane(table: Table) -> Table:
    """Return a flat table for `cells_of_windows` from one with a row per letter and a column for each count 0…n."""
    n = table.shape[1] - 1
    if _together(n) == 1:
        return table.ravel()
    return (table[1::2, :, np.newaxis] + table[::2, np.newaxis, :]).ravel()


def _together(n: int) -> int:
    """Return the number of letters per lane."""
    return 2 if n <= WIDEST_PAIRED else 1


@lru_cache(maxsize=16)
def _adds(n: int) -> Sums:
    """Return what a unit of each code adds to the sums."""
    together = _together(n)
    used = LETTERS // together
    lanes = np.zeros((LAST_UNIT + 1, -(-(used + 1) // IN_A_NUMBER) * IN_A_NUMBER), dtype=np.uint16)
    for place, letter in enumerate(CONSONANTS):
        code = ord(letter) - ord("a") + 1
        lanes[code, place // together] = (n + 1) ** (place % together)
        lanes[code, used] = 1
    adds = np.ascontiguousarray(lanes.view(np.uint64).T)
    adds.setflags(write=False)
    return adds


@lru_cache(maxsize=16)
def _first_cells(n: int) -> Cells:
    """Return where the part of each lane begins in a table; 0 for the upper lanes, which are read as they are."""
    together = _together(n)
    used = LETTERS // together
    first = np.zeros((len(_adds(n)), IN_A_NUMBER, 1), dtype=np.intp)
    first.ravel()[:used] = np.arange(used) * (n + 1) ** together
    first.setflags(write=False)
    return first
