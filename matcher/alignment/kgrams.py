"""The k-grams of units that two texts have in common, and the runs of equal units that they form.

A query is aligned with dozens of candidates, most of which share next to nothing with it. So its grams are put into a
hash table once, with a table of bits before it that rules out most others.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import DEFAULT_ALIGNMENT
from matcher.alignment.rows import Rows, with_room

Grams: TypeAlias = npt.NDArray[np.uint64]
Indices: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.int32]
Tables: TypeAlias = tuple[Grams, Grams, Numbers, Numbers, Numbers]

ALPHABET: Final = 37
"""Unit codes are 1…36, so packing in base 37 is exact; 64 bits hold a gram of at most 12 units."""

_BITS: Final = 64
_START: Final = np.zeros(1, dtype=np.int64)
_BASE: Final = np.uint64(ALPHABET)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Odd, without a pattern in its bits: multiplication by it spreads numbers that are near each other."""
_MARGIN: Final = 16
"""Bits of the sieve for each gram: one other gram in sixteen passes."""
_FEWEST: Final = 1_024
_WORD: Final = np.uint64(6)
_ONE: Final = np.uint64(1)
_IN_WORD: Final = np.uint64(63)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A text prepared for alignment with many others."""

    codes: UnitCodes
    gram: int
    tables: Tables = field(repr=False)
    """Made by `_tables_of`."""


def prepare(codes: UnitCodes, gram: int = DEFAULT_ALIGNMENT.gram) -> Prepared:
    """Return a text prepared for alignment: O(n), once for all its candidates.

    `codes`: unit codes, 1…36. `gram`: units per gram, the same as in the alignment.
    """
    codes = np.ascontiguousarray(codes)
    return Prepared(codes, gram, _tables_of(codes, gram))


def common_runs(left: Prepared, right: UnitCodes, max_pairs: int) -> Rows:
    """Return the maximal runs of grams that both texts hold, as rows (left, right, length in units).

    They are ordered by their position in the right text, then in the left one. A gram with more than `max_pairs` pairs
    of positions is paired in order: the first with the first, and so on.
    """
    return _common_runs(*left.tables, right, left.gram, max_pairs)


def in_order(grams: Grams, places: Indices, gram: int) -> tuple[Grams, Indices]:
    """Return grams at ascending positions sorted by gram, equal ones by position."""
    bits = int(places[-1]).bit_length() if len(places) else 0
    if (ALPHABET**gram - 1).bit_length() + bits > _BITS:
        order = np.argsort(grams, kind="stable")
        return grams.take(order), places.take(order)
    # Gram and position in one number: sorting numbers takes a tenth of the time of finding their order.
    keys = grams << np.uint64(bits)
    keys |= places.view(np.uint64)
    keys.sort()
    return keys >> np.uint64(bits), (keys & np.uint64((1 << bits) - 1)).view(np.int64)


def groups_of(ordered: Grams | Indices) -> tuple[Indices, Indices]:
    """Return where groups of equal neighbours begin, and their sizes."""
    starts = np.concatenate((_START[: len(ordered)], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1))
    return starts, np.append(starts[1:], len(ordered)) - starts


@compiled()
def _power(exponent: int) -> np.uint64:
    """Return ALPHABET**exponent, modulo 2**64 as all of this arithmetic."""
    weight = np.uint64(1)
    for _ in range(exponent):
        weight *= _BASE
    return weight


@compiled("uint64[::1](Array(uint8, 1, 'C', readonly=True), int64)")
def unit_grams(codes: UnitCodes, gram: int) -> Grams:
    """Return every k-gram of the units as a number, by position; empty if the text is shorter than one."""
    grams = np.empty(max(0, len(codes) - gram + 1), dtype=np.uint64)
    leaving = _power(gram)
    packed = np.uint64(0)
    for place in range(len(codes)):
        packed = packed * _BASE + np.uint64(codes[place])
        if place >= gram:
            packed -= np.uint64(codes[place - gram]) * leaving
        if place >= gram - 1:
            grams[place - gram + 1] = packed
    return grams


@compiled()
def _shift(size: int) -> np.uint64:
    """Return by how many bits a number of 64 must be shifted to be less than `size`, a power of two."""
    shift = 64
    while size > 1:
        size //= 2
        shift -= 1
    return np.uint64(shift)


@compiled(
    "Tuple((uint64[::1], uint64[::1], int32[::1], int32[::1], int32[::1]))(Array(uint8, 1, 'C', readonly=True), int64)"
)
def _tables_of(codes: UnitCodes, gram: int) -> Tables:
    """Return the grams, the sieve, the hash table, and for each place the next of its gram (-1) and their number.

    The hash table holds the first place of each gram plus one, and 0 where it is empty.
    """
    grams = unit_grams(codes, gram)
    size = _FEWEST
    while size < 2 * len(grams):
        size *= 2
    slots, sieve = np.zeros(size, dtype=np.int32), np.zeros(size * _MARGIN // 128, dtype=np.uint64)
    following, counts = np.full(len(grams), -1, dtype=np.int32), np.zeros(len(grams), dtype=np.int32)
    shift, sieve_shift = _shift(len(slots)), _shift(64 * len(sieve))
    for place in range(len(grams) - 1, -1, -1):  # backwards: the first place comes first
        spread = grams[place] * _SPREAD
        bit = spread >> sieve_shift
        sieve[bit >> _WORD] |= _ONE << (bit & _IN_WORD)
        slot = np.int64(spread >> shift)
        while slots[slot] and grams[slots[slot] - 1] != grams[place]:
            slot = (slot + 1) & (size - 1)
        counts[place] = 1
        if slots[slot]:
            following[place] = slots[slot] - 1
            counts[place] += counts[slots[slot] - 1]
        slots[slot] = place + 1
    return grams, sieve, slots, following, counts


@compiled()
def _held(grams: Grams, sieve: Grams, slots: Numbers, right: UnitCodes, gram: int) -> tuple[Numbers, Numbers]:
    """Return the places of a text whose gram the other holds, and its first place there."""
    places = np.empty(max(0, len(right) - gram + 1), dtype=np.int32)
    firsts = np.empty(len(places), dtype=np.int32)
    shift, sieve_shift, leaving = _shift(len(slots)), _shift(64 * len(sieve)), _power(gram - 1)
    packed, found = np.uint64(0), 0
    for place in range(min(gram - 1, len(right))):
        packed = packed * _BASE + np.uint64(right[place])
    for place in range(len(places)):
        packed = packed * _BASE + np.uint64(right[place + gram - 1])
        spread = packed * _SPREAD
        bit = spread >> sieve_shift
        if sieve[bit >> _WORD] >> (bit & _IN_WORD) & _ONE:
            slot = np.int64(spread >> shift)
            while slots[slot] and grams[slots[slot] - 1] != packed:
                slot = (slot + 1) & (len(slots) - 1)
            if slots[slot]:
                places[found], firsts[found] = place, slots[slot] - 1
                found += 1
        packed -= np.uint64(right[place]) * leaving
    return places[:found], firsts[:found]


@compiled(
    "int64[:, ::1](uint64[::1], uint64[::1], int32[::1], int32[::1], int32[::1], "
    "Array(uint8, 1, 'C', readonly=True), int64, int64)"
)
def _common_runs(
    grams: Grams,
    sieve: Grams,
    slots: Numbers,
    following: Numbers,
    counts: Numbers,
    right: UnitCodes,
    gram: int,
    max_pairs: int,
) -> Rows:
    places, firsts = _held(grams, sieve, slots, right, gram)
    if not len(places):
        return np.empty((0, 3), dtype=np.int64)
    repeats, latest = np.zeros(len(grams), dtype=np.int32), np.empty(len(grams), dtype=np.int32)
    for first in firsts:
        repeats[first] += 1
        latest[first] = first
    # The number of the last run on each diagonal, plus one.
    on_diagonal = np.zeros(len(grams) + len(right), dtype=np.int32)
    rows, used = np.empty((64, 3), dtype=np.int64), 0
    for number in range(len(places)):
        at_right, first = np.int64(places[number]), firsts[number]
        in_order = counts[first] * np.int64(repeats[first]) > max_pairs
        at_left = np.int64(latest[first] if in_order else first)
        while at_left >= 0:
            run = np.int64(on_diagonal[at_left - at_right + len(right)]) - 1
            if run >= 0 and rows[run, 0] + rows[run, 2] == at_left + gram - 1:
                rows[run, 2] += 1
            else:
                rows = with_room(rows, used, 1)
                rows[used, 0], rows[used, 1], rows[used, 2] = at_left, at_right, gram
                used += 1
                on_diagonal[at_left - at_right + len(right)] = used
            at_left = np.int64(following[at_left])
            if in_order:
                latest[first] = at_left
                break
    return rows[:used]
