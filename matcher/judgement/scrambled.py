"""Scrambled copies: the same characters, window by window, in another order.

No run of such a copy is long enough to be aligned. But a window of it holds nearly the same characters as the source's
window, and so do the neighbouring windows on the same diagonal. Slices of equal DNA say which diagonals to try. Windows
consist of the units that slices are made of: in Chinese, of Han characters, since shuffled letters destroy a word.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import code_points
from fingerprint.dna import Slices, sliced_units, slices_at_every_offset
from fingerprint.model import Initials, Offsets
from matcher.alignment.align import Indices, Mask, true_stretches
from matcher.alignment.prefilter import Sieve

Symbols = npt.NDArray[np.int64]

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
BAND: Final = 48
"""Units between diagonals that are treated as one."""
BANDS: Final = 12
"""Diagonals tried, those with the most slices first."""
FEWEST_SLICES: Final = 6
"""Least slices of a diagonal worth trying: chance gives one or two, a scrambled text of 400 characters over ten."""
SYMBOL_BITS: Final = 27
"""Bits of a code point combined with a unit's code."""
MAX_REPEATS: Final = 8
"""Occurrences in the other text up to which a DNA names a diagonal."""


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


def scrambled_stretches(left: Initials, left_slices: Slices, right: Initials) -> tuple[Stretch, ...]:
    """Return stretches of the same characters in another order, by position in the left text, disjoint in both texts.

    `left_slices`: those of `left` at every offset. Exact copies are such stretches too: leave them to the alignment. At
    most `BANDS` diagonals are tried, each in time linear in the left text.
    """
    units_left, units_right = _common_slices(left_slices, slices_at_every_offset(right))
    if len(units_left) < FEWEST_SLICES:
        return ()
    of_left, of_right = sliced_units(left), sliced_units(right)
    at_left, at_right = np.searchsorted(of_left, units_left), np.searchsorted(of_right, units_right)
    bands = _heaviest_bands(at_left - at_right)
    if not bands:  # as with most texts that share a slice by chance
        return ()
    one, other = _symbols(left)[of_left], _symbols(right)[of_right]
    free_left, free_right = np.ones(len(one), dtype=np.bool_), np.ones(len(other), dtype=np.bool_)
    found: list[Stretch] = []
    for low in bands:
        inside = (at_left - at_right >= low) & (at_left - at_right < low + 2 * BAND)
        for stretch in _along(one, other, at_left[inside], at_right[inside]):
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


def _symbols(initials: Initials) -> Symbols:
    """Return a number for each unit that identifies its character, not only its initial."""
    chars = code_points(initials.canonical.text)[initials.chars_from].astype(np.int64)
    return chars * 64 + initials.codes


def _common_slices(one: Slices, other: Slices) -> tuple[Offsets, Offsets]:
    """Return the positions at which both texts have a window of one DNA, as pairs."""
    # Sorting everything would be most of the work, and for unrelated texts hardly anything is needed.
    passing = Sieve.of(one.dna.view(np.uint64)).passing(other.dna.view(np.uint64))
    order = passing.take(np.argsort(other.dna.take(passing), kind="stable"))
    ordered = other.dna[order]
    first = np.searchsorted(ordered, one.dna, side="left")
    counts = np.searchsorted(ordered, one.dna, side="right") - first
    counts[counts > MAX_REPEATS] = 0
    repeated = np.repeat(np.arange(len(one.dna)), counts)
    within = np.arange(len(repeated)) - np.repeat(np.cumsum(counts) - counts, counts)
    return one.positions[repeated], other.positions[order[np.repeat(first, counts) + within]]


def _heaviest_bands(diagonals: Indices) -> list[int]:
    """Return the first diagonals of the bands, 2 × `BAND` wide and overlapping by half, that hold most slices."""
    bins, counts = np.unique(diagonals // BAND, return_counts=True)
    weight = dict(zip(bins.tolist(), counts.tolist(), strict=True))
    pairs = {low: weight.get(low, 0) + weight.get(low + 1, 0) for key in weight for low in (key - 1, key)}
    worth_trying = [low for low in pairs if pairs[low] >= FEWEST_SLICES]
    return [low * BAND for low in sorted(worth_trying, key=lambda low: (-pairs[low], low))[:BANDS]]


def _along(one: Symbols, other: Symbols, at_left: Indices, at_right: Indices) -> list[Stretch]:
    """Return the stretches along one diagonal, which shifts where its slices do."""
    starts = np.arange(0, len(one) - WINDOW + 1, STEP)
    if not len(starts) or not len(at_left):
        return []
    order = np.argsort(at_left, kind="stable")
    bend = np.interp(starts, at_left[order], (at_left - at_right)[order])
    partners = starts - np.rint(bend).astype(np.int64)
    kept, places = _best_shift(one, other, starts, partners)
    stretches = []
    for first, count in true_stretches(kept >= KEPT):
        if count >= FEWEST:
            last = first + count - 1
            left, left_end = int(starts[first]), int(starts[last]) + WINDOW
            right, right_end = int(places[first : last + 1].min()), int(places[first : last + 1].max()) + WINDOW
            stretches.append(Stretch(left, left_end, right, right_end, float(kept[first : last + 1].mean())))
    return stretches


def _best_shift(
    one: Symbols, other: Symbols, starts: npt.NDArray[np.int64], partners: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return for each window the largest share kept by a window near its partner, and the position of that one."""
    own, is_first = _tokens(one, starts)
    rich = is_first.sum(axis=1) >= FEWEST_DISTINCT
    best, places = np.full(len(starts), -1.0), partners.copy()
    for shift in SHIFTS:
        moved = partners + shift
        possible = rich & (moved >= 0) & (moved <= len(other) - WINDOW)
        if not possible.any():
            continue
        tokens, _ = _tokens(other, np.where(possible, moved, 0))
        share = np.where(possible, (_among(own, tokens) & is_first).sum(axis=1) / is_first.sum(axis=1), -1.0)
        better = share > best
        best[better], places[better] = share[better], moved[better]
    return best, places


def _tokens(symbols: Symbols, starts: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Mask]:
    """Return a row of numbers per window, made of row and symbol so that rows never collide; and which are first
    occurrences.

    The numbers ascend over all rows.
    """
    rows = np.sort(symbols[starts[:, np.newaxis] + np.arange(WINDOW)], axis=1)
    is_first = np.concatenate([np.ones((len(rows), 1), dtype=np.bool_), rows[:, 1:] != rows[:, :-1]], axis=1)
    return rows + (np.arange(len(starts)) << SYMBOL_BITS)[:, np.newaxis], is_first


def _among(own: npt.NDArray[np.int64], tokens: npt.NDArray[np.int64]) -> Mask:
    """Return which of the numbers are among the tokens. Both ascend: sorting again would be most of the work."""
    flat = tokens.ravel()
    places = np.minimum(np.searchsorted(flat, own.ravel()), len(flat) - 1)
    found: Mask = (flat[places] == own.ravel()).reshape(own.shape)
    return found


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
