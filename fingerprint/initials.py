"""Canonical text → units: the stream that slices and seeds are made of.

A Han character is one unit, the first letter of its pinyin; a character of another script without spaces is one;
a digit is one. A word of a script with spaces is one unit if it has at most three letters (its first letter), else
two: its first letter and a hash of the whole word, each standing for one half of it.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.mixing import mix
from fingerprint.model import CanonicalText, Initials, Offsets, UnitCodes
from fingerprint.tables import APOSTROPHE, LAST_UNIT, LETTER_COUNT, WORD_LETTER, code_points, tables

SHORT_WORD: Final = 3
"""Up to this many letters a word is one unit, as one Han character is: most such words carry little."""

WORD_HASH_BASE: Final = 0x9E3779B97F4A7C15
WORD_HASH_PERIOD: Final = 64
"""Powers repeat after this many letters: bounded tables, and no word is so long."""

_POWERS = np.multiply.accumulate(np.full(WORD_HASH_PERIOD, WORD_HASH_BASE, dtype=np.uint64))
_POWERS.setflags(write=False)


def to_initials(canonical: CanonicalText) -> Initials:
    chars = code_points(canonical.text)
    classes = tables().unit_class[chars]
    code_at: UnitCodes = np.where(classes <= LAST_UNIT, classes, 0).astype(np.uint8, copy=False)
    length_at: Offsets = np.ones(len(chars), dtype=np.int32)
    letters = np.flatnonzero(classes > WORD_LETTER)
    if len(letters):
        _write_words(chars, classes, letters, code_at=code_at, length_at=length_at)
    chars_from = np.flatnonzero(code_at).astype(np.int32)
    return Initials(
        canonical=canonical,
        codes=code_at[chars_from],
        chars_from=chars_from,
        chars_to=chars_from + length_at[chars_from],
    )


def _write_words(
    chars: npt.NDArray[np.uint32],
    classes: npt.NDArray[np.uint8],
    letters: npt.NDArray[np.intp],
    *,
    code_at: UnitCodes,
    length_at: Offsets,
) -> None:
    steps = np.diff(letters)
    # A step over exactly one character, an apostrophe, stays in the word.
    joined = (steps == 1) | ((classes[letters[1:] - 1] == APOSTROPHE) & (classes[letters[1:] - 2] > WORD_LETTER))
    first = np.concatenate(([0], np.flatnonzero(~joined) + 1))
    letter_counts = np.diff(first, append=len(letters))
    starts = letters[first]
    ends = letters[first + letter_counts - 1] + 1
    code_at[starts] = classes[starts] - WORD_LETTER
    length_at[starts] = ends - starts
    long = np.flatnonzero(letter_counts > SHORT_WORD)
    if not len(long):
        return
    middles = (starts + (ends - starts) // 2)[long]
    code_at[middles] = _word_codes(chars[letters], first, letter_counts)[long]
    length_at[starts[long]] = middles - starts[long]
    length_at[middles] = ends[long] - middles


def _word_codes(
    letters: npt.NDArray[np.uint32], first: npt.NDArray[np.intp], counts: npt.NDArray[np.intp]
) -> UnitCodes:
    place = np.arange(len(letters)) - np.repeat(first, counts)
    sums = np.add.reduceat(letters * _POWERS[place % WORD_HASH_PERIOD], first)
    return (mix(sums) % np.uint64(LETTER_COUNT) + np.uint64(1)).astype(np.uint8)
