"""Canonical text → units: the stream from which slices and seeds are computed.

A Han character is one unit, the first letter of its pinyin; so is a character of another script without spaces; so is
a digit. A word of a script with spaces is one unit if it has at most three letters (its first letter), two if at most
five, three if at most eight, else four: its first letter, then letters from a hash of the whole word, each covering an
equal part of it. So a unit has about as many bytes, and as much information, in Latin script as in Han
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.characters.confusables import FIRST_SHAPE, latin_shapes
from fingerprint.characters.tables import APOSTROPHE, LAST_UNIT, LETTER_COUNT, WORD_LETTER, code_points, tables
from fingerprint.hashing import mix
from fingerprint.model import CanonicalText, Initials, Offsets, UnitCodes

SHORT_WORD: Final = 3
"""A word of at most this many letters is one unit, as one Han character is: most such words carry little."""

LONG_WORDS: Final = (5, 8)
"""Most letters of a word of two units, and of three. Longer words are four: they are rarer and say more."""

MOSTLY: Final = 0.5
"""A text is of Latin script if Latin ones exceed this share of the letters that pass for no other."""

WORD_HASH_BASE: Final = 0x9E3779B97F4A7C15
WORD_HASH_PERIOD: Final = 64
"""Powers repeat after this many letters: tables stay bounded, and no word is so long."""

_POWERS = np.multiply.accumulate(np.full(WORD_HASH_PERIOD, WORD_HASH_BASE, dtype=np.uint64))
_POWERS.setflags(write=False)

_CODES = np.arange(256, dtype=np.uint8)
_CODES[LAST_UNIT + 1 :] = 0
_PARTS = 1 + np.searchsorted((SHORT_WORD, *LONG_WORDS), np.arange(LONG_WORDS[-1] + 2))
"""Units of a word by its number of letters; the last entry is for all longer words."""
_CUTS = np.arange(_PARTS[-1] + 1)[:, np.newaxis]
_SHARES = np.uint64(LETTER_COUNT) ** np.arange(_PARTS[-1] - 1, dtype=np.uint64)[:, np.newaxis]
"""Divisors of the hash for the letter of the second, third and fourth part of a word."""
_FIRST = np.zeros(1, dtype=np.intp)
_OVER_ONE: Final = 2


def to_initials(canonical: CanonicalText) -> Initials:
    chars = code_points(canonical.text)
    classes = tables().unit_class.take(chars)
    code_at: UnitCodes = _CODES.take(classes)
    length_at: Offsets = np.ones(len(chars), dtype=np.int32)
    letters = np.flatnonzero(classes > WORD_LETTER)
    if len(letters):
        first = _first_letters(classes, letters)
        plain = _without_disguise(chars, letters, first, canonical)
        _write_words(plain, letters, first, code_at=code_at, length_at=length_at)
    chars_from = np.flatnonzero(code_at).astype(np.int32)
    return Initials(
        canonical=canonical,
        codes=code_at.take(chars_from),
        chars_from=chars_from,
        chars_to=chars_from + length_at.take(chars_from),
        classes=classes.take(chars_from),
    )


def _write_words(
    chars: npt.NDArray[np.uint32],
    letters: npt.NDArray[np.intp],
    first: npt.NDArray[np.intp],
    *,
    code_at: UnitCodes,
    length_at: Offsets,
) -> None:
    """Write each word in parts of equal length, the first with its first letter, the rest with letters of its hash."""
    last = np.append(first[1:], len(letters)) - 1
    counts = last - first + 1
    parts = _PARTS.take(np.minimum(counts, len(_PARTS) - 1))
    starts = letters.take(first)
    cuts = starts + (letters.take(last) + 1 - starts) * _CUTS // parts
    used = parts > _CUTS[:-1]
    length_at[cuts[:-1][used]] = (cuts[1:] - cuts[:-1])[used]
    code_at[starts] = tables().unit_class.take(chars.take(starts)) - WORD_LETTER
    hashed = _word_hashes(chars.take(letters), first, counts) // _SHARES % np.uint64(LETTER_COUNT) + np.uint64(1)
    code_at[cuts[1:-1][used[1:]]] = hashed[used[1:]]


def _first_letters(classes: npt.NDArray[np.uint8], letters: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return which of the `letters` begin a word."""
    steps = letters[1:] - letters[:-1]
    apart = np.flatnonzero(steps > 1) + 1
    # A gap of exactly one character, an apostrophe, does not end the word.
    joined = (steps.take(apart - 1) == _OVER_ONE) & (classes.take(letters.take(apart) - 1) == APOSTROPHE)
    return np.concatenate((_FIRST, apart[~joined]))


def _without_disguise(
    chars: npt.NDArray[np.uint32],
    letters: npt.NDArray[np.intp],
    first: npt.NDArray[np.intp],
    canonical: CanonicalText,
) -> npt.NDArray[np.uint32]:
    """Return the characters, with lookalikes replaced by Latin letters where they are a disguise.

    These are words of lookalikes and Latin letters only, with at least one lookalike, and words in a mostly Latin text.
    """
    supplied = code_points(canonical.source).take(canonical.starts.take(letters))
    if int(supplied.max()) < FIRST_SHAPE:
        return chars
    known = latin_shapes()
    passing = np.where(supplied < len(known), known[np.minimum(supplied, len(known) - 1)], 0)
    if not passing.any():
        return chars
    is_latin = (chars[letters] >= ord("a")) & (chars[letters] <= ord("z"))
    readable = np.logical_and.reduceat(is_latin | (passing > 0), first)
    latin_text = is_latin.sum() > MOSTLY * np.count_nonzero(passing == 0)
    mixed = np.logical_or.reduceat(is_latin, first) | latin_text
    counts = np.diff(first, append=len(letters))
    replaced = np.repeat(readable & mixed, counts) & ~is_latin
    plain = chars.copy()
    plain[letters[replaced]] = passing[replaced]
    return plain


def _word_hashes(
    letters: npt.NDArray[np.uint32], first: npt.NDArray[np.intp], counts: npt.NDArray[np.intp]
) -> npt.NDArray[np.uint64]:
    place = np.arange(len(letters)) - np.repeat(first, counts)
    return mix(np.add.reduceat(letters * _POWERS.take(place % WORD_HASH_PERIOD), first))
