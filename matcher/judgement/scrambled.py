"""Scrambled copies: the same characters, window by window, in another order.

No run of such a copy is long enough to be aligned. But a window of it holds nearly the characters that the source's
window holds, and so do the windows beside it on the same diagonal. Slices of equal DNA say which diagonals to try.
Windows are of what slices are made of: in Chinese, of Han characters, since a word whose letters were shuffled is lost.
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
"""Units by which a window may lie beside its diagonal: what insertions and deletions moved since the last slice."""
FEWEST_DISTINCT: Final = 32
"""Different characters in a window: prose has some 48, footnotes and tables that repeat their form fewer."""
KEPT: Final = 0.6
"""Share of a window's different characters that the other window holds too. Articles on one subject stay below .45,
characters shuffled within 15 places keep .8.
"""
FEWEST: Final = 4
"""Windows in a row: chance finds one or two."""
BAND: Final = 48
"""Units between diagonals that are one."""
BANDS: Final = 12
"""Diagonals tried, those with most slices first."""
FEWEST_SLICES: Final = 6
"""Slices that name a diagonal worth trying: chance gives it one or two, a scrambled text of 400 characters over ten."""
SYMBOL_BITS: Final = 27
"""A code point and a unit's code beside it take no more."""
MAX_REPEATS: Final = 8
"""A DNA that the other text holds more often names no diagonal."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Units `left` to `left_end` hold, up to order, the share `kept` of the units `right` to `right_end`."""

    left: int
    left_end: int
    right: int
    right_end: int
    kept: float
    compared: int = 0
    """Units of the left text that were looked at: fewer than lie between, where others than Han characters do."""

    @property
    def length(self) -> int:
        return self.left_end - self.left


def scrambled_stretches(left: Initials, left_slices: Slices, right: Initials) -> tuple[Stretch, ...]:
    """Stretches of the same characters in another order, by place in the left text, none over another in either.

    `left_slices`: those of `left` at every offset. Exact copies are such stretches too: whoever asks leaves them to the
    alignment. At most `BANDS` diagonals are tried, each in time linear in the left text.
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
    """In order of the left text; neighbours that nothing lies between are one, found on either side of a bend."""
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
    """The same stretch in units of the texts, of which only some were looked at."""
    return Stretch(
        left=int(of_left[stretch.left]),
        left_end=int(of_left[stretch.left_end - 1]) + 1,
        right=int(of_right[stretch.right]),
        right_end=int(of_right[stretch.right_end - 1]) + 1,
        kept=stretch.kept,
        compared=stretch.length,
    )


def _symbols(initials: Initials) -> Symbols:
    """A number for each unit that tells characters apart, not only their initials."""
    chars = code_points(initials.canonical.text)[initials.chars_from].astype(np.int64)
    return chars * 64 + initials.codes


def _common_slices(one: Slices, other: Slices) -> tuple[Offsets, Offsets]:
    """Where both texts have a window of one DNA, pair by pair."""
    # To put all in order would be most of the work, and of a stranger hardly any are needed.
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
    """First diagonals of the bands, 2 × `BAND` wide and overlapping by half, that hold most slices."""
    bins, counts = np.unique(diagonals // BAND, return_counts=True)
    weight = dict(zip(bins.tolist(), counts.tolist(), strict=True))
    pairs = {low: weight.get(low, 0) + weight.get(low + 1, 0) for key in weight for low in (key - 1, key)}
    worth_trying = [low for low in pairs if pairs[low] >= FEWEST_SLICES]
    return [low * BAND for low in sorted(worth_trying, key=lambda low: (-pairs[low], low))[:BANDS]]


def _along(one: Symbols, other: Symbols, at_left: Indices, at_right: Indices) -> list[Stretch]:
    """The stretches along one diagonal, which bends where its slices do."""
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
    """For each window, the largest share that a window near its partner keeps, and where that one stands."""
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
    """A row of numbers a window: row and symbol, so that rows never meet; and which stand in it for the first time.

    The numbers ascend, over all rows.
    """
    rows = np.sort(symbols[starts[:, np.newaxis] + np.arange(WINDOW)], axis=1)
    is_first = np.concatenate([np.ones((len(rows), 1), dtype=np.bool_), rows[:, 1:] != rows[:, :-1]], axis=1)
    return rows + (np.arange(len(starts)) << SYMBOL_BITS)[:, np.newaxis], is_first


def _among(own: npt.NDArray[np.int64], tokens: npt.NDArray[np.int64]) -> Mask:
    """Which of the numbers stand among the tokens. Both ascend: to sort them once more would be most of the work."""
    flat = tokens.ravel()
    places = np.minimum(np.searchsorted(flat, own.ravel()), len(flat) - 1)
    found: Mask = (flat[places] == own.ravel()).reshape(own.shape)
    return found


def _cut_to_free(stretch: Stretch, free_left: Mask, free_right: Mask) -> Stretch | None:
    """Without the ends that a heavier stretch has taken; None where too little is left or its middle is taken."""
    left = stretch.left + _taken(free_left[stretch.left : stretch.left_end])
    left_end = stretch.left_end - _taken(free_left[left : stretch.left_end][::-1])
    right = stretch.right + _taken(free_right[stretch.right : stretch.right_end])
    right_end = stretch.right_end - _taken(free_right[right : stretch.right_end][::-1])
    enough = min(left_end - left, right_end - right) >= WINDOW
    if not enough or not free_left[left:left_end].all() or not free_right[right:right_end].all():
        return None
    return Stretch(left, left_end, right, right_end, stretch.kept)


def _taken(mask: Mask) -> int:
    """How many values at the start are false."""
    return int(np.argmax(mask)) if mask.any() else len(mask)
