"""Compiled loops of the search for scrambled copies: equal numbers of two texts, and windows of the same characters.

Numbers (DNA of windows, symbols of units) are looked up in a hash table of the query text, made once for all its
candidates. The slot of a number in that table then stands for it.
"""

from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from matcher.alignment.kgrams import Indices

WINDOW: Final = 64
"""Units compared at a time: wide against a displacement of 15, narrow enough to find the edges of a passage."""
STEP: Final = 16
SHIFTS: Final = (-16, -8, 0, 8, 16)
"""Units by which a window may be off its diagonal: shifts by insertions and deletions since the last slice."""
FEWEST_DISTINCT: Final = 32
"""Least different characters in a window: prose has about 48, repetitive footnotes and tables fewer."""
KEPT: Final = 0.6
"""Share of a window's different characters that the other window must hold. Articles on one subject stay below .45,
characters shuffled within 15 places keep .8.
"""
FEWEST: Final = 4
"""Least windows in a row: chance finds one or two."""
NOWHERE: Final = -1
NOT_KEPT: Final = -1.0

_SPREAD: Final = 0x9E3779B97F4A7C15
"""Odd, without a pattern in its bits: multiplication by it spreads numbers that are near each other."""
_EMPTY: Final = -1
_FEWEST_BITS: Final = 4


def table_for(numbers: Indices) -> Indices:
    """Return a hash table of the numbers, each of them once: at most half full, a power of two in size."""
    bits = max(_FEWEST_BITS, len(numbers).bit_length() + 1)
    table = np.full(1 << bits, _EMPTY, dtype=np.int64)
    enter(numbers, table)
    return table


@compiled("int64(int64, int64[::1])")
def slot_of(number: int, table: Indices) -> int:
    """Return the slot of a number ≥ 0, or the empty one where it belongs. The table must have an empty slot."""
    mask = len(table) - 1
    slot = int(np.uint64(number) * np.uint64(_SPREAD) >> np.uint64(32)) & mask
    while table[slot] != number and table[slot] != _EMPTY:
        slot = (slot + 1) & mask
    return slot


@compiled("void(int64[::1], int64[::1])")
def enter(numbers: Indices, table: Indices) -> None:
    """Enter numbers ≥ 0 into a table with more slots than numbers."""
    for number in numbers:
        table[slot_of(number, table)] = number


@compiled("int64[::1](int64[::1], int64[::1])")
def slots_of(numbers: Indices, table: Indices) -> Indices:
    """Return the slot of each number; `NOWHERE` for those that are not in the table."""
    slots = np.empty(len(numbers), dtype=np.int64)
    for place in range(len(numbers)):
        slot = slot_of(numbers[place], table)
        slots[place] = slot if table[slot] == numbers[place] else NOWHERE
    return slots


@compiled("int64[:, ::1](int64[::1], int64[::1], int64, int64)")
def equal_places(one: Indices, other: Indices, slots: int, most: int) -> Indices:
    """Return the pairs of places of one slot in two texts, ordered: two rows, the places in `one` and in `other`.

    `one`: slots 0…`slots` - 1; `other`: these or `NOWHERE`. A slot that `other` has more than `most` times has no pair.
    """
    first, count = np.full(slots, NOWHERE, dtype=np.int64), np.zeros(slots, dtype=np.int64)
    following = np.empty(len(other), dtype=np.int64)
    for place in range(len(other) - 1, -1, -1):
        slot = other[place]
        if slot != NOWHERE:
            following[place], first[slot] = first[slot], place
            count[slot] += 1
    whole = 0
    for slot in one:
        whole += count[slot] if count[slot] <= most else 0
    pairs = np.empty((2, whole), dtype=np.int64)
    filled = 0
    for at in range(len(one)):
        place = first[one[at]] if count[one[at]] <= most else NOWHERE
        while place != NOWHERE:
            pairs[0, filled], pairs[1, filled] = at, place
            place = following[place]
            filled += 1
    return pairs


@compiled("int64(int64[::1], int64, int64[::1], int64[::1])")
def different(one: Indices, start: int, own: Indices, counts: Indices) -> int:
    """Write the different slots of a window into `own` and return how many there are. `counts`: zeros, and left so."""
    found = 0
    for place in range(start, start + WINDOW):
        if not counts[one[place]]:
            own[found] = one[place]
            found += 1
            counts[one[place]] = 1
    for number in range(found):
        counts[own[number]] = 0
    return found


@compiled("void(int64[::1], int64, int64, int64[::1], int64)")
def count_slots(other: Indices, start: int, end: int, counts: Indices, by: int) -> None:
    """Add `by` to the count of each slot from `start` to `end`."""
    for place in range(start, end):
        if other[place] != NOWHERE:
            counts[other[place]] += by


@compiled("Tuple((float64, int64))(int64[::1], int64[::1], int64, int64, int64[::1], int64[::1])")
def best_shift(
    one: Indices, other: Indices, start: int, partner: int, own: Indices, counts: Indices
) -> tuple[float, int]:
    """Return the largest share of a window's different characters that a window near its partner has, and where.

    `NOT_KEPT` if the window has too few different characters, or no partner. `own`: room for a window; `counts`: zeros
    for each slot, and left so.
    """
    distinct = different(one, start, own, counts)
    best, place = NOT_KEPT, partner
    if distinct < FEWEST_DISTINCT:
        return best, place
    counted = NOWHERE
    for shift in SHIFTS:
        moved = partner + shift
        if moved < 0 or moved > len(other) - WINDOW:
            continue
        if counted == NOWHERE:
            count_slots(other, moved, moved + WINDOW, counts, 1)
        else:  # the windows overlap: only what leaves and what enters is counted
            count_slots(other, counted, moved, counts, -1)
            count_slots(other, counted + WINDOW, moved + WINDOW, counts, 1)
        counted = moved
        kept = 0
        for number in range(distinct):
            kept += counts[own[number]] > 0
        if kept / distinct > best:
            best, place = kept / distinct, moved
    if counted != NOWHERE:
        count_slots(other, counted, counted + WINDOW, counts, -1)
    return best, place


@compiled("Tuple((float64[::1], int64[::1]))(int64[::1], int64[::1], int64[::1], int64)")
def kept_windows(
    one: Indices, other: Indices, partners: Indices, slots: int
) -> tuple["np.ndarray[tuple[int], np.dtype[np.float64]]", Indices]:
    """Return for each window of `one` the share that a window of `other` keeps, and the place of that window.

    Window `number` starts at `number * STEP` and is compared with those near `partners[number]`. Only rows of `FEWEST`
    and more windows that keep `KEPT` matter. One in `FEWEST` windows is in every such row, so the others are compared
    only beside one that keeps enough; `NOT_KEPT` are those not compared.
    """
    shares, places = np.full(len(partners), NOT_KEPT), partners.copy()
    own, counts = np.empty(WINDOW, dtype=np.int64), np.zeros(slots, dtype=np.int64)
    done = 0
    for tried in range(FEWEST - 1, len(partners), FEWEST):
        if tried < done:
            continue
        for step in (-1, 1):
            number = tried if step < 0 else tried + 1
            while done <= number < len(partners):
                shares[number], places[number] = best_shift(one, other, number * STEP, partners[number], own, counts)
                if shares[number] < KEPT:
                    break
                number += step
            if shares[tried] < KEPT:
                break
            done = done if step < 0 else number + 1
    return shares, places
