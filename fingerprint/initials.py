"""Canonical text → units: the stream from which slices and seeds are computed.

A Han character is one unit, the first letter of its pinyin; so is a character of another script without spaces; so is
a digit. A word of a script with spaces is one unit if it has at most three letters (its first letter), two if at most
five, three if at most eight, else four: its first letter, then letters from a hash of the whole word, each covering an
equal part of it. So a unit has about as many bytes, and as much information, in Latin script as in Han
"""

from typing import Final

import numpy as np

from fingerprint.characters.confusables import latin_shapes
from fingerprint.characters.tables import APOSTROPHE, LAST_UNIT, LETTER_COUNT, WORD_LETTER, code_points, tables
from fingerprint.compiling import compiled
from fingerprint.model import CanonicalText, CodePoints, Initials, Offsets, UnitCodes

SHORT_WORD: Final = 3
"""A word of at most this many letters is one unit, as one Han character is: most such words carry little."""

LONG_WORDS: Final = (5, 8)
"""Most letters of a word of two units, and of three. Longer words are four: they are rarer and say more."""

MOSTLY: Final = 0.5
"""A text is of Latin script if Latin ones exceed this share of the letters that pass for no other."""

WORD_HASH_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
WORD_HASH_PERIOD: Final = 64
"""Powers of the base repeat after this many letters, and no word is so long."""

_LETTERS: Final = np.uint64(LETTER_COUNT)
_FIRST_LETTER: Final = ord("a")
_LAST_LETTER: Final = ord("z")


def to_initials(canonical: CanonicalText) -> Initials:
    chars = code_points(canonical.text)
    classes = tables().unit_class
    plain = _without_disguise(chars, code_points(canonical.source), canonical.starts, classes, latin_shapes())
    return Initials(canonical, *_units(chars, plain, classes))


@compiled("int64(Array(uint32, 1, 'C', True), Array(uint8, 1, 'C', True), int64)")
def _end_of_word(chars: CodePoints, unit_class: UnitCodes, start: int) -> int:
    """Return the place after the last letter of the word that begins at `start`."""
    end = place = start + 1
    while place < len(chars):
        found = unit_class[chars[place]]
        if found > WORD_LETTER:
            end = place + 1
        elif found != APOSTROPHE or end < place:
            break
        place += 1
    return end


@compiled(
    "Tuple((uint8[::1], int32[::1], int32[::1], uint8[::1]))"
    "(Array(uint32, 1, 'C', True), uint32[::1], Array(uint8, 1, 'C', True))"
)
def _units(
    chars: CodePoints, plain: CodePoints, unit_class: UnitCodes
) -> tuple[UnitCodes, Offsets, Offsets, UnitCodes]:
    """Return for each unit: code, first character, end, class of the first character. `plain`: without disguise."""
    codes, of_first = np.empty(len(chars), np.uint8), np.empty(len(chars), np.uint8)
    chars_from, chars_to = np.empty(len(chars), np.int32), np.empty(len(chars), np.int32)
    count = place = 0
    while place < len(chars):
        found = unit_class[chars[place]]
        if found <= WORD_LETTER:
            if 0 < found <= LAST_UNIT:
                codes[count] = of_first[count] = found
                chars_from[count], chars_to[count] = place, place + 1
                count += 1
            place += 1
            continue
        end = _end_of_word(chars, unit_class, place)
        letters, hashed, power = 0, np.uint64(0), WORD_HASH_BASE
        for inside in range(place, end):
            if unit_class[chars[inside]] > WORD_LETTER:
                letters += 1
                hashed += plain[inside] * power
                power = power * WORD_HASH_BASE if letters % WORD_HASH_PERIOD else WORD_HASH_BASE
        # The same as `hashing.mix`.
        hashed = (hashed ^ hashed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        hashed = (hashed ^ hashed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        hashed ^= hashed >> np.uint64(31)
        code = unit_class[plain[place]] - WORD_LETTER
        parts = 1 + (letters > SHORT_WORD) + (letters > LONG_WORDS[0]) + (letters > LONG_WORDS[1])
        for part in range(parts):
            first = place + (end - place) * part // parts
            codes[count], of_first[count] = code, unit_class[chars[first]]
            chars_from[count], chars_to[count] = first, place + (end - place) * (part + 1) // parts
            count += 1
            code = np.int64(hashed % _LETTERS) + 1
            hashed //= _LETTERS
        place = end
    return codes[:count].copy(), chars_from[:count].copy(), chars_to[:count].copy(), of_first[:count].copy()


@compiled(
    "uint32[::1](Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True), Array(int32, 1, 'C', True),"
    " Array(uint8, 1, 'C', True), Array(uint32, 1, 'C', True))"
)
def _without_disguise(
    chars: CodePoints, source: CodePoints, starts: Offsets, unit_class: UnitCodes, latin_shapes: CodePoints
) -> CodePoints:
    """Return the characters, with lookalikes replaced by Latin letters where they are a disguise.

    These are words of lookalikes and Latin letters only, with at least one lookalike, and words in a mostly Latin text.
    """
    plain = chars.copy()
    latin = standing = replaced = 0
    for place in range(len(chars)):
        if unit_class[chars[place]] > WORD_LETTER:
            supplied = source[starts[place]]
            shape = latin_shapes[supplied] if supplied < len(latin_shapes) else np.uint32(0)
            is_latin = _FIRST_LETTER <= chars[place] <= _LAST_LETTER
            latin += is_latin
            standing += shape == 0
            if shape and not is_latin:
                plain[place] = shape
                replaced += 1
    place = 0 if replaced else len(chars)
    while place < len(chars):
        if unit_class[chars[place]] <= WORD_LETTER:
            place += 1
            continue
        end = _end_of_word(chars, unit_class, place)
        readable, mixed = True, latin > MOSTLY * standing
        for inside in range(place, end):
            mixed |= _FIRST_LETTER <= chars[inside] <= _LAST_LETTER
            readable &= _FIRST_LETTER <= plain[inside] <= _LAST_LETTER or unit_class[chars[inside]] == APOSTROPHE
        if not (readable and mixed):
            plain[place:end] = chars[place:end]
        place = end
    return plain
