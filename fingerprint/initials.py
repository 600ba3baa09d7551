"""Canonical text → units: the stream that slices and seeds are made of.

A Han character is one unit, the first letter of its pinyin; a character of another script without spaces is one;
a digit is one. A word of a script with spaces is one unit if it has at most three letters (its first letter), two if
it has at most five, three up to eight, else four: its first letter and others of a hash of the whole word, each
standing for an equal part of it. So a unit has about as many bytes, and tells about as much, in Latin script as in Han
(docs/adr/0015).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.homoglyphs import latin_shapes
from fingerprint.mixing import mix
from fingerprint.model import CanonicalText, Initials, Offsets, UnitCodes
from fingerprint.tables import APOSTROPHE, LAST_UNIT, LETTER_COUNT, WORD_LETTER, code_points, tables

SHORT_WORD: Final = 3
"""Up to this many letters a word is one unit, as one Han character is: most such words carry little."""

LONG_WORDS: Final = (5, 8)
"""Letters up to which a word is two units, and three; beyond it is four: long words are rarer, and say more."""

MOSTLY: Final = 0.5
"""With more than this share of Latin ones among the letters that pass for no other, a text is of Latin script."""

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
        chars = _without_disguise(chars, letters, canonical)
        _write_words(chars, tables().unit_class[chars], letters, code_at=code_at, length_at=length_at)
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
    first = _first_letters(classes, letters)
    letter_counts = np.diff(first, append=len(letters))
    starts = letters[first]
    ends = letters[first + letter_counts - 1] + 1
    code_at[starts] = classes[starts] - WORD_LETTER
    length_at[starts] = ends - starts
    hashes = _word_hashes(chars[letters], first)
    parts = 2 + np.searchsorted(LONG_WORDS, letter_counts)
    for units in range(2, len(LONG_WORDS) + 3):
        which = (letter_counts > SHORT_WORD) & (parts == units)
        _write_parts(starts[which], ends[which], hashes[which], units, code_at=code_at, length_at=length_at)


def _write_parts(
    starts: npt.NDArray[np.intp],
    ends: npt.NDArray[np.intp],
    hashes: npt.NDArray[np.uint64],
    units: int,
    *,
    code_at: UnitCodes,
    length_at: Offsets,
) -> None:
    """Each word in `units` parts of equal length; all but the first have a letter of its hash."""
    cuts = [starts + (ends - starts) * part // units for part in range(units + 1)]
    for part in range(units):
        length_at[cuts[part]] = cuts[part + 1] - cuts[part]
        if part:
            code_at[cuts[part]] = (hashes % np.uint64(LETTER_COUNT) + np.uint64(1)).astype(np.uint8)
            hashes = hashes // np.uint64(LETTER_COUNT)


def _first_letters(classes: npt.NDArray[np.uint8], letters: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Which of the `letters` begin a word."""
    steps = np.diff(letters)
    # A step over exactly one character, an apostrophe, stays in the word.
    joined = (steps == 1) | ((classes[letters[1:] - 1] == APOSTROPHE) & (classes[letters[1:] - 2] > WORD_LETTER))
    return np.concatenate(([0], np.flatnonzero(~joined) + 1))


def _without_disguise(
    chars: npt.NDArray[np.uint32], letters: npt.NDArray[np.intp], canonical: CanonicalText
) -> npt.NDArray[np.uint32]:
    """The characters with Latin letters where others pass for them: in words that hold no letter but such ones and
    Latin ones, and at least one of these, or that stand in a text mostly of Latin letters.
    """
    known = latin_shapes()
    supplied = code_points(canonical.source)[canonical.starts[letters]]
    passing = np.where(supplied < len(known), known[np.minimum(supplied, len(known) - 1)], 0)
    if not passing.any():
        return chars
    is_latin = (chars[letters] >= ord("a")) & (chars[letters] <= ord("z"))
    first = _first_letters(tables().unit_class[chars], letters)
    readable = np.logical_and.reduceat(is_latin | (passing > 0), first)
    latin_text = is_latin.sum() > MOSTLY * np.count_nonzero(passing == 0)
    mixed = np.logical_or.reduceat(is_latin, first) | latin_text
    counts = np.diff(first, append=len(letters))
    replaced = np.repeat(readable & mixed, counts) & ~is_latin
    plain = chars.copy()
    plain[letters[replaced]] = passing[replaced]
    return plain


def _word_hashes(letters: npt.NDArray[np.uint32], first: npt.NDArray[np.intp]) -> npt.NDArray[np.uint64]:
    counts = np.diff(first, append=len(letters))
    place = np.arange(len(letters)) - np.repeat(first, counts)
    return mix(np.add.reduceat(letters * _POWERS[place % WORD_HASH_PERIOD], first))
