"""Pinyin DNA: the share of slices with the same frequencies of pinyin initials.

The letter-frequency fingerprint that Datagrand (达观数据) published in 2016, in both normalisations. `fingerprint.dna`
makes the slices.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.dna import DEFAULT_SLICES, Normalisation, SliceParameters, slices_at_stride
from matcher.measures.model import Measured, Side, no_value

LITERAL: Final = SliceParameters.with_overlap(50, 0.5, radix=2, normalisation=Normalisation.DATAGRAND2016)
"""As in the notes: half of a slice is repeated by the next one, digits 0 and 1."""
TOO_SHORT: Final = f"a text of fewer than {DEFAULT_SLICES.n} units has no slice"


def dna_share(left: Side, right: Side) -> Measured:
    """Our form (z-scores, digits 0…3): share of both texts' stored slices that stand in the other at any offset.

    0…1, symmetric. Moved passages do not matter; a single edit inside a slice mostly does. Time O(n log n).
    """
    one, other = left.analysis, right.analysis
    found_left = _held(one.stored_slices.dna, other.asked_slices.dna)
    found_right = _held(other.stored_slices.dna, one.asked_slices.dna)
    return _share(found_left, found_right)


def literal_dna_share(left: Side, right: Side) -> Measured:
    """The form of the notes (`datagrand2016`): slices on a fixed grid in both texts, share that stands in the other.

    0…1, symmetric. A few characters put in at the top shift the grid, and nearly all slices are lost. Time O(n log n).
    """
    one = slices_at_stride(left.analysis.initials, LITERAL).dna
    other = slices_at_stride(right.analysis.initials, LITERAL).dna
    return _share(_held(one, other), _held(other, one))


def _held(wanted: npt.NDArray[np.int64], held: npt.NDArray[np.int64]) -> tuple[int, int]:
    """How many of the different slices wanted the other text holds, and of how many."""
    different = np.unique(wanted)
    return int(np.isin(different, held).sum()), len(different)


def _share(left: tuple[int, int], right: tuple[int, int]) -> Measured:
    if not left[1] or not right[1]:
        return no_value(TOO_SHORT)
    figures = {"left_found": left[0], "left": left[1], "right_found": right[0], "right": right[1]}
    return Measured((left[0] + right[0]) / (left[1] + right[1]), figures=figures)
