"""The k-grams of units that two texts have in common, and the runs of equal units that they form.

A query is aligned with dozens of candidates, most of which share next to nothing with it. So its grams are sorted
once, and a prefilter rules out most others.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.model import UnitCodes
from matcher.alignment.blocks import DEFAULT_ALIGNMENT, Run
from matcher.alignment.prefilter import Sieve

Grams: TypeAlias = npt.NDArray[np.uint64]
Indices: TypeAlias = npt.NDArray[np.int64]

ALPHABET: Final = 37
"""Unit codes are 1…36, so packing in base 37 is exact; 64 bits hold a gram of at most 12 units."""

_BITS: Final = 64
_START: Final = np.zeros(1, dtype=np.int64)
_DIAGONAL_BITS: Final = np.int64(32)
_PLACE: Final = np.int64((1 << 32) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A text prepared for alignment with many others."""

    codes: UnitCodes
    gram: int
    grams: Grams = field(repr=False)
    """All grams of the text, sorted."""
    places: Indices = field(repr=False)
    """Start of each gram; equal grams in order of position."""
    counts: Indices = field(repr=False)
    """At the first of equal grams their number, elsewhere 0."""
    sieve: Sieve = field(repr=False)


def prepare(codes: UnitCodes, gram: int = DEFAULT_ALIGNMENT.gram) -> Prepared:
    """Return a text prepared for alignment: O(n log n), once for all its candidates.

    `codes`: unit codes, 1…36. `gram`: units per gram, the same as in the alignment.
    """
    unsorted = unit_grams(codes, gram)
    grams, places = in_order(unsorted, np.arange(len(unsorted)), gram)
    counts = np.zeros(len(grams), dtype=np.int64)
    starts, repeats = groups_of(grams)
    counts[starts] = repeats
    return Prepared(codes, gram, grams, places, counts, Sieve.of(grams))


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


def unit_grams(codes: UnitCodes, gram: int) -> Grams:
    """Return every k-gram of the units as a number, by position; empty if the text is shorter than one."""
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


def common_runs(left: Prepared, right: UnitCodes, max_pairs: int) -> Indices:
    """Return the maximal runs of grams that both texts hold, as rows (left, right, length in units), by diagonal.

    A gram with more than `max_pairs` pairs of positions is paired in order: the first with the first, and so on.
    """
    at_left, at_right = _common_places(left, unit_grams(right, left.gram), max_pairs)
    return runs_of_pairs(at_left, at_right, left.gram)


def _common_places(left: Prepared, right: Grams, max_pairs: int) -> tuple[Indices, Indices]:
    passed = left.sieve.passing(right)
    if not len(passed):
        return passed, passed
    # Sorted, since each is then searched next to the one before.
    grams, at_right = in_order(right.take(passed), passed, left.gram)
    first = left.grams.searchsorted(grams)
    held = np.flatnonzero(left.grams.take(first, mode="clip") == grams)
    if not len(held):
        return held, held
    first, at_right = first.take(held), at_right.take(held)
    in_left = left.counts.take(first)
    starts, repeats = groups_of(first)
    too_many = in_left.take(starts) * repeats > max_pairs
    if too_many.any():
        bounded = np.repeat(too_many, repeats)
        rank = (np.arange(len(first)) - np.repeat(starts, repeats))[bounded]
        first[bounded] += rank
        in_left[bounded] = rank < in_left[bounded]
    if (in_left == 1).all():
        return left.places.take(first), at_right
    within = np.arange(int(in_left.sum())) - np.repeat(np.cumsum(in_left) - in_left, in_left)
    return left.places.take(np.repeat(first, in_left) + within), np.repeat(at_right, in_left)


def runs_of_pairs(at_left: Indices, at_right: Indices, gram: int) -> Indices:
    """Join pairs of equal grams that are consecutive on one diagonal into runs: rows (left, right, length)."""
    if not len(at_left):
        return np.empty((0, 3), dtype=np.int64)
    # One number for diagonal and position: a plain sort is several times faster than one by two keys.
    keys = at_left - at_right
    keys <<= _DIAGONAL_BITS
    keys += at_left
    keys.sort()
    starts = np.concatenate((_START, np.flatnonzero(keys[1:] - keys[:-1] != 1) + 1))
    rows = np.empty((len(starts), 3), dtype=np.int64)
    first = keys.take(starts)
    np.bitwise_and(first, _PLACE, out=rows[:, 0])
    np.subtract(rows[:, 0], first >> _DIAGONAL_BITS, out=rows[:, 1])
    rows[:-1, 2] = starts[1:] - starts[:-1]
    rows[-1, 2] = len(keys) - starts[-1]
    rows[:, 2] += gram - 1
    return rows


def as_runs(rows: Indices) -> list[Run]:
    return list(map(Run._make, rows.tolist()))
