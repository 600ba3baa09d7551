"""Scrambled copies: the same characters, window by window, in another order.

No run of such a copy is long enough to be aligned. But a window of it holds nearly the same characters as the source's
window, and so do the neighbouring windows on the same diagonal. Slices of equal DNA say which diagonals to try. Windows
consist of the units that slices are made of: in Chinese, of Han characters, since shuffled letters destroy a word.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from fingerprint.characters.tables import code_points
from fingerprint.dna import Slices, sliced_units, slices_at_every_offset
from fingerprint.model import Initials, Offsets
from matcher.alignment.align import Indices, Mask, true_stretches
from matcher.judgement.scrambled_windows import (
    FEWEST,
    KEPT,
    STEP,
    WINDOW,
    equal_places,
    kept_windows,
    slots_of,
    table_for,
)

BAND: Final = 48
"""Units between diagonals that are treated as one."""
BANDS: Final = 12
"""Diagonals tried, those with the most slices first."""
FEWEST_SLICES: Final = 6
"""Least slices of a diagonal worth trying: chance gives one or two, a scrambled text of 400 characters over ten."""
MAX_REPEATS: Final = 8
"""Occurrences in the other text up to which a DNA names a diagonal."""
KEPT_TEXTS: Final = 4
"""Query texts whose tables are cached: one text is searched for in many."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Units `left` to `left_end` hold, in any order, the share `kept` of the units `right` to `right_end`."""

    left: int
    left_end: int
    right: int
    right_end: int
    kept: float
    compared: int = 0
    """Compared units of the left text: fewer than the stretch has if it includes others than Han characters."""

    @property
    def length(self) -> int:
        return self.left_end - self.left


@dataclass(frozen=True, eq=False)
class _Asked:
    """A text that is searched for in many others. `units`: those of which slices are made."""

    text: Initials
    slices: Slices
    units: Offsets

    @cached_property
    def at_slices(self) -> Indices:
        """The place of each slice among the units."""
        return np.searchsorted(self.units, self.slices.positions)

    @cached_property
    def dna_table(self) -> Indices:
        return table_for(self.slices.dna)

    @cached_property
    def dna(self) -> Indices:
        return slots_of(self.slices.dna, self.dna_table)

    @cached_property
    def symbol_table(self) -> Indices:
        return table_for(_symbols(self.text, self.units))

    @cached_property
    def symbols(self) -> Indices:
        return slots_of(_symbols(self.text, self.units), self.symbol_table)


@lru_cache(maxsize=KEPT_TEXTS)
def _asked(text: Initials, slices: Slices) -> _Asked:
    return _Asked(text, slices, sliced_units(text))


def scrambled_stretches(left: Initials, left_slices: Slices, right: Initials) -> tuple[Stretch, ...]:
    """Return stretches of the same characters in another order, by position in the left text, disjoint in both texts.

    `left_slices`: those of `left` at every offset. Exact copies are such stretches too: leave them to the alignment. At
    most `BANDS` diagonals are tried, each in time linear in the left text.
    """
    asked, slices = _asked(left, left_slices), slices_at_every_offset(right)
    found_left, found_right = equal_places(
        asked.dna, slots_of(slices.dna, asked.dna_table), len(asked.dna_table), MAX_REPEATS
    )
    if len(found_left) < FEWEST_SLICES:
        return ()
    of_left, of_right = asked.units, sliced_units(right)
    at_left = asked.at_slices.take(found_left)
    at_right = np.searchsorted(of_right, slices.positions.take(found_right))
    bands = _heaviest_bands(at_left - at_right)
    if not bands:  # as with most texts that share a slice by chance
        return ()
    one, other = asked.symbols, slots_of(_symbols(right, of_right), asked.symbol_table)
    free_left, free_right = np.ones(len(one), dtype=np.bool_), np.ones(len(other), dtype=np.bool_)
    found: list[Stretch] = []
    for low in bands:
        inside = (at_left - at_right >= low) & (at_left - at_right < low + 2 * BAND)
        for stretch in _along(one, other, at_left[inside], at_right[inside], len(asked.symbol_table)):
            spans = free_left[stretch.left : stretch.left_end], free_right[stretch.right : stretch.right_end]
            if spans[0].mean() >= KEPT and spans[1].mean() >= KEPT:
                cut = _cut_to_free(stretch, free_left, free_right)
                if cut is not None:
                    found.append(cut)
                    free_left[cut.left : cut.left_end] = False
                    free_right[cut.right : cut.right_end] = False
    return tuple(_in_units(stretch, of_left, of_right) for stretch in _joined(found))


def _joined(found: list[Stretch]) -> list[Stretch]:
    """Return the stretches by position in the left text; adjacent ones, found on either side of a shift, are joined."""
    joined: list[Stretch] = []
    for stretch in sorted(found, key=lambda stretch: stretch.left):
        last = joined[-1] if joined else None
        if last is not None and stretch.left - last.left_end <= STEP and 0 <= stretch.right - last.right_end <= STEP:
            kept = (last.length * last.kept + stretch.length * stretch.kept) / (last.length + stretch.length)
            joined[-1] = Stretch(last.left, stretch.left_end, last.right, stretch.right_end, kept)
        else:
            joined.append(stretch)
    return joined


def _in_units(stretch: Stretch, of_left: Offsets, of_right: Offsets) -> Stretch:
    """Convert a stretch from positions among the compared units to units of the texts."""
    return Stretch(
        left=int(of_left[stretch.left]),
        left_end=int(of_left[stretch.left_end - 1]) + 1,
        right=int(of_right[stretch.right]),
        right_end=int(of_right[stretch.right_end - 1]) + 1,
        kept=stretch.kept,
        compared=stretch.length,
    )


def _symbols(initials: Initials, units: Offsets) -> Indices:
    """Return a number for each of the units that identifies its character, not only its initial."""
    chars = code_points(initials.canonical.text).take(initials.chars_from.take(units)).astype(np.int64)
    return chars * 64 + initials.codes.take(units)


def _heaviest_bands(diagonals: Indices) -> list[int]:
    """Return the first diagonals of the bands, 2 × `BAND` wide and overlapping by half, that hold most slices."""
    bins = diagonals // BAND
    lowest = int(bins.min()) - 1
    counts = np.bincount(bins - lowest)
    pairs = counts + np.append(counts[1:], 0)
    worth_trying = np.flatnonzero(pairs >= FEWEST_SLICES)
    heaviest_first = worth_trying[np.argsort(-pairs[worth_trying], kind="stable")]
    return [(lowest + low) * BAND for low in heaviest_first[:BANDS].tolist()]


def _along(one: Indices, other: Indices, at_left: Indices, at_right: Indices, slots: int) -> list[Stretch]:
    """Return the stretches along one diagonal, which shifts where its slices do. `slots`: of the texts' symbols."""
    starts = np.arange(0, len(one) - WINDOW + 1, STEP)
    if not len(starts) or not len(at_left):
        return []
    order = np.argsort(at_left, kind="stable")
    bend = np.interp(starts, at_left[order], (at_left - at_right)[order])
    partners = starts - np.rint(bend).astype(np.int64)
    kept, places = kept_windows(one, other, partners, slots)
    stretches = []
    for first, count in true_stretches(kept >= KEPT):
        if count >= FEWEST:
            last = first + count - 1
            left, left_end = int(starts[first]), int(starts[last]) + WINDOW
            right, right_end = int(places[first : last + 1].min()), int(places[first : last + 1].max()) + WINDOW
            stretches.append(Stretch(left, left_end, right, right_end, float(kept[first : last + 1].mean())))
    return stretches


def _cut_to_free(stretch: Stretch, free_left: Mask, free_right: Mask) -> Stretch | None:
    """Return the stretch less ends that a heavier one has taken; None if too little is left or its middle is taken."""
    left = stretch.left + _taken(free_left[stretch.left : stretch.left_end])
    left_end = stretch.left_end - _taken(free_left[left : stretch.left_end][::-1])
    right = stretch.right + _taken(free_right[stretch.right : stretch.right_end])
    right_end = stretch.right_end - _taken(free_right[right : stretch.right_end][::-1])
    enough = min(left_end - left, right_end - right) >= WINDOW
    if not enough or not free_left[left:left_end].all() or not free_right[right:right_end].all():
        return None
    return Stretch(left, left_end, right, right_end, stretch.kept)


def _taken(mask: Mask) -> int:
    """Return how many values at the start are false."""
    return int(np.argmax(mask)) if mask.any() else len(mask)
