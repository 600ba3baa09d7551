"""The k-grams of units that two texts have in common, and the runs of equal units that they add up to.

A query meets dozens of candidates, most of which share next to nothing with it. So its grams are sorted once, behind
a sieve: a table of bits, one of which tells of nearly every gram of a stranger that the query does not hold it.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.model import UnitCodes
from matcher.blocks import DEFAULT_ALIGNMENT, Mask, Run

Grams: TypeAlias = npt.NDArray[np.uint64]
Indices: TypeAlias = npt.NDArray[np.int64]

ALPHABET: Final = 37
"""Unit codes run from 1 to 36, so packing in base 37 is exact: a gram of 12 units is the longest that 64 bits hold."""

_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Odd, without a pattern in its bits: multiplied by it, grams that are near each other fall far apart."""
_SIEVE_MARGIN: Final = 4
"""The sieve has 2**4 times as many places as there are grams: one strange gram in sixteen falls through."""
_FEWEST_SIEVE_BITS: Final = 10

_DIAGONAL_BITS: Final = np.int64(32)
_PLACE: Final = np.int64((1 << 32) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A text ready to be aligned with many others."""

    codes: UnitCodes
    gram: int
    grams: Grams = field(repr=False)
    """All its grams, sorted."""
    places: Indices = field(repr=False)
    """Where each of them starts; equal ones in order."""
    sieve: Mask = field(repr=False)
    shift: np.uint64


def prepare(codes: UnitCodes, gram: int = DEFAULT_ALIGNMENT.gram) -> Prepared:
    """Sorts what every alignment of this text needs: O(n log n), once for all its candidates."""
    grams = unit_grams(codes, gram)
    places = np.argsort(grams, kind="stable")
    bits = max(_FEWEST_SIEVE_BITS, len(grams).bit_length() + _SIEVE_MARGIN)
    shift = np.uint64(64 - bits)
    sieve = np.zeros(1 << bits, dtype=np.bool_)
    sieve[_sieve_places(grams, shift)] = True
    return Prepared(codes, gram, grams[places], places, sieve, shift)


def unit_grams(codes: UnitCodes, gram: int) -> Grams:
    """Every k-gram of the units as a number, by position; empty where the text is shorter than one."""
    if len(codes) < gram:
        return np.empty(0, dtype=np.uint64)
    whole, width = np.zeros(0, dtype=np.uint64), 0
    part, size = codes.astype(np.uint64), 1
    while size <= gram:  # doubling: the grams of 8 take three steps instead of eight
        if gram & size:
            whole, width = (_joined(whole, width, part, size) if width else part), width + size
        part, size = _joined(part, size, part, size) if 2 * size <= gram else part, 2 * size
    return whole


def _joined(first: Grams, first_size: int, then: Grams, then_size: int) -> Grams:
    count = len(then) - first_size
    packed = first[:count] * np.uint64(ALPHABET**then_size)
    packed += then[first_size:]
    return packed


def _sieve_places(grams: Grams, shift: np.uint64) -> Indices:
    spread = grams * _SPREAD
    spread >>= shift
    return spread.view(np.int64)


def common_runs(left: Prepared, right: UnitCodes, max_pairs: int) -> Indices:
    """The maximal runs of grams that both texts hold, as rows (left, right, length in units), by diagonal.

    A gram in more than `max_pairs` combinations of places is paired in order: the first with the first, and so on.
    """
    at_left, at_right = _common_places(left, unit_grams(right, left.gram), max_pairs)
    return runs_of_pairs(at_left, at_right, left.gram)


def _common_places(left: Prepared, right: Grams, max_pairs: int) -> tuple[Indices, Indices]:
    passed = np.flatnonzero(left.sieve[_sieve_places(right, left.shift)])
    grams = right[passed]
    first = np.searchsorted(left.grams, grams, side="left")
    in_left = np.searchsorted(left.grams, grams, side="right") - first
    held = np.flatnonzero(in_left)
    if not len(held):
        return held, held
    at_right, first, in_left = passed[held], first[held], in_left[held]
    repeats, rank = _repeats(first)
    in_order = in_left * repeats > max_pairs
    first[in_order] += rank[in_order]
    in_left[in_order] = rank[in_order] < in_left[in_order]
    within = np.arange(int(in_left.sum())) - np.repeat(np.cumsum(in_left) - in_left, in_left)
    return left.places[np.repeat(first, in_left) + within], np.repeat(at_right, in_left)


def _repeats(values: Indices) -> tuple[Indices, Indices]:
    """Of each value how often it occurs, and how often it has occurred before."""
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.concatenate(([True], np.diff(values[order]) != 0)))
    counts = np.diff(starts, append=len(values))
    repeats, rank = np.empty_like(values), np.empty_like(values)
    repeats[order] = np.repeat(counts, counts)
    rank[order] = np.arange(len(values)) - np.repeat(starts, counts)
    return repeats, rank


def runs_of_pairs(at_left: Indices, at_right: Indices, gram: int) -> Indices:
    """Pairs of equal grams that follow each other on one diagonal, made one run each: rows (left, right, length)."""
    if not len(at_left):
        return np.empty((0, 3), dtype=np.int64)
    # One number for diagonal and place: a plain sort is several times faster than one by two keys.
    keys = np.sort(((at_left - at_right) << _DIAGONAL_BITS) + at_left)
    starts = np.flatnonzero(np.concatenate(([True], np.diff(keys) != 1)))
    lengths = np.diff(starts, append=len(keys)) + (gram - 1)
    first_left = keys[starts] & _PLACE
    return np.column_stack((first_left, first_left - (keys[starts] >> _DIAGONAL_BITS), lengths))


def as_runs(rows: Indices) -> list[Run]:
    return [Run._make(row) for row in rows.tolist()]
