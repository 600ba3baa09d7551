"""Units → DNA slices, the letter-frequency fingerprint of the Datagrand notes.

In a window of n units, the twenty consonant initials are counted. Each count, minus its expected value in running text
(the reference), is quantised to a digit 0…m-1; the twenty digits in letter order form one number in base m.
Slices are stored one per stride and queried at every offset: a fixed grid on both sides loses nearly all matches when a
few characters are inserted at the top. Slices find what seeds cannot, copies with scrambled characters. For that a text
needs a certain number of slices, not a certain density, so the stride grows with the length. Since every offset is
queried, any slice of a stride may be stored: the one most likely to survive an edit is chosen.

Reordering Han characters keeps them the same, but reordering letters changes a word. So a text with enough Han
characters is sliced by these alone: a third of the units of technical prose are words of letters.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import CONSONANTS, tables
from fingerprint.compiling import compiled
from fingerprint.dna_stability import stay_weights
from fingerprint.errors import ParameterError
from fingerprint.hashing import mix
from fingerprint.model import FIRST_DIGIT, Initials, Offsets

Table: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.int64]

RADIXES: Final = (2, 4, 8, 10)
DIGITS: Final = len(CONSONANTS)
TWO_LEVELS: Final = 2
"""Radixes without a middle digit: the expected count is the border between two digits."""
LARGEST_STORED_RADIX: Final = 8
"""8^20 is 60 bits and fits a bigint; 10^20 does not fit 64."""
MIN_COUNTED_SHARE: Final = 0.5
"""A window with fewer consonants (figures, kana) makes no slice: its DNA would be shared by thousands of texts."""
LARGEST_N: Final = 32_768

BASE32: Final = "0123456789abcdefghijklmnopqrstuv"
BASE32_BITS: Final = 5
_BITS_PER_DIGIT: Final = {2: 1, 4: 2, 8: 3}
_CONSONANT_OF = np.full(256, DIGITS, dtype=np.uint8)
_CONSONANT_OF[[ord(letter) - ord("a") + 1 for letter in CONSONANTS]] = np.arange(DIGITS)
"""The number of the consonant of each unit code; `DIGITS` for all other codes."""


class Normalisation(StrEnum):
    ZSCORE = "zscore"
    DATAGRAND2016 = "datagrand2016"


@dataclass(frozen=True, slots=True)
class SliceParameters:
    """`n` units per slice; digits 0…`radix` - 1, each `step` standard deviations wide (`ZSCORE` only).

    One slice is stored for every `stride` units. A text that would have more than `wanted` slices gets a wider stride
    that yields about `wanted`, up to `widest` units (None: always `stride`). The stored slice is the most stable of
    `choices` that start at even distances within the stride; with 1, the first. `spelled`: include words of letters and
    digits even if the text has a slice without them. The defaults are those of ADR 15.
    """

    n: int = 64
    stride: int = 24
    widest: int | None = 100
    wanted: int = 24
    choices: int = 8
    radix: int = 4
    step: float = 1.6
    normalisation: Normalisation = Normalisation.ZSCORE
    spelled: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.n <= LARGEST_N:
            raise ParameterError(f"n={self.n}: a slice has 1 to {LARGEST_N} units; 20 to 200 make sense")
        if not 1 <= self.stride <= self.n:
            raise ParameterError(f"stride={self.stride}: choose 1 to n={self.n}, or some units would be in no slice")
        if self.widest is not None and self.widest < self.stride:
            raise ParameterError(f"widest={self.widest}: choose stride={self.stride} or more")
        if self.wanted < 1:
            raise ParameterError(f"wanted={self.wanted}: choose 1 slice or more")
        if self.choices < 1:
            raise ParameterError(f"choices={self.choices}: choose 1 (the first slice of each stride) or more")
        if not self.step > 0:
            raise ParameterError(f"step={self.step}: choose more than 0 standard deviations; 1 to 2 make sense")
        if self.radix not in RADIXES:
            raise ParameterError(f"radix={self.radix}: choose one of {', '.join(map(str, RADIXES))}")

    @classmethod
    def with_overlap(
        cls, n: int, overlap: float, *, radix: int = 4, normalisation: Normalisation = Normalisation.ZSCORE
    ) -> "SliceParameters":
        """Return parameters whose slices overlap by the share `overlap`, 0 ≤ overlap < 1.

        Raises ParameterError outside this range.
        """
        if not 0 <= overlap < 1:
            raise ParameterError(f"overlap={overlap}: choose a share from 0 up to, but less than, 1")
        stride = max(1, round(n * (1 - overlap)))
        return cls(n=n, stride=stride, widest=None, choices=1, radix=radix, normalisation=normalisation, spelled=True)

    def stride_for(self, length: int) -> int:
        """Return the stride in units for a text of `length` sliced units."""
        return self.stride if self.widest is None else min(max(length // self.wanted, self.stride), self.widest)

    def stored_at(self, length: int) -> Offsets:
        """Return the offsets at which stored slices may start in `length` sliced units; with one choice, all do."""
        return windows(length, self.n, max(self.stride_for(length) // self.choices, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Slices:
    """DNA numbers and the units at which they start, in order of position."""

    dna: npt.NDArray[np.int64]
    positions: Offsets


DEFAULT_SLICES: Final = SliceParameters()


def windows(length: int, size: int, stride: int) -> Offsets:
    """Return the first units of windows of `size` units, one per `stride`, plus one that reaches the end if none does.

    In the counting of the notes, 2n units at an overlap of one half have three: [1, n], [n/2, 3n/2] and [n, 2n].

    >>> windows(100, 50, 25).tolist()
    [0, 25, 50]
    """
    last = length - size
    if last < 0:
        return np.empty(0, dtype=np.int32)
    starts = np.arange(0, last + 1, stride, dtype=np.int32)
    return starts if starts[-1] == last else np.append(starts, np.int32(last))


def sliced_units(initials: Initials, parameters: SliceParameters = DEFAULT_SLICES) -> Offsets:
    """Return the indices of the units that slices are made of, in order."""
    if not parameters.spelled:
        unspelled = np.flatnonzero(initials.classes < FIRST_DIGIT)
        if len(unspelled) >= parameters.n:
            return unspelled.astype(np.int32)
    return np.arange(len(initials), dtype=np.int32)


def slices_at_stride(initials: Initials, parameters: SliceParameters = DEFAULT_SLICES) -> Slices:
    """Return the slices to store. Any shared run of n + 2 * stride - 2 sliced units holds a whole stored slice."""
    units = sliced_units(initials, parameters)
    stride = parameters.stride_for(len(units))
    return _slices(initials, units, parameters, step=max(stride // parameters.choices, 1), stride=stride)


def slices_at_every_offset(initials: Initials, parameters: SliceParameters = DEFAULT_SLICES) -> Slices:
    """Return the slices at every offset, for look-ups."""
    return _slices(initials, sliced_units(initials, parameters), parameters, step=1, stride=1)


def keys_of(dna: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Return the keys of DNA numbers, one per number, as stored and looked up: 32 bits, signed.

    A key of four bytes takes a fifth less of row and index than one of eight; two numbers of 40 bits share a key once
    in 2**32.
    """
    return mix(dna.view(np.uint64)).astype(np.uint32).view(np.int32)


def digits_of(initials: Initials, position: int, parameters: SliceParameters = DEFAULT_SLICES) -> tuple[int, ...]:
    """Return the twenty digits of the slice at a unit, in letter order, for any radix, including 10.

    Raises ParameterError if no slice starts there.
    """
    units = sliced_units(initials, parameters)
    start = int(np.searchsorted(units, position))
    if not 0 <= start <= len(units) - parameters.n or units[start] != position:
        raise ParameterError(f"position={position}: no slice of {parameters.n} units starts there in this text")
    window = initials.codes[units[start : start + parameters.n]]
    counts = np.bincount(_CONSONANT_OF[window], minlength=DIGITS)[:DIGITS]
    return tuple(int(level) for level in _levels(parameters)[np.arange(DIGITS), counts])


def dna_text(initials: Initials, position: int, parameters: SliceParameters = DEFAULT_SLICES) -> str:
    """Return the DNA of one window as text, one character per digit: the only form of radix 10, as 10^20 > 2^64."""
    return "".join(map(str, digits_of(initials, position, parameters)))


def packed(dna: int, radix: int) -> str:
    """Return a stored DNA in the notation of the notes: each group of five digits as characters of base 32.

    Five digits of base 2, 4 or 8 are 5, 10 or 15 bits, exactly 1, 2 or 3 characters. Raises ParameterError for others.
    """
    if radix not in _BITS_PER_DIGIT:
        raise ParameterError(f"radix={radix}: only {', '.join(map(str, _BITS_PER_DIGIT))} pack into base 32")
    length = DIGITS * _BITS_PER_DIGIT[radix] // BASE32_BITS
    return "".join(BASE32[dna >> BASE32_BITS * place & (len(BASE32) - 1)] for place in reversed(range(length)))


def _slices(initials: Initials, units: Offsets, parameters: SliceParameters, *, step: int, stride: int) -> Slices:
    consonants = _CONSONANT_OF.take(initials.codes.take(units))
    places, dna = _steadiest(consonants, step, stride if parameters.choices > 1 else 1, *_tables_of(parameters))
    return Slices(dna, units.take(places))


@compiled(
    "Tuple((int32[::1], int64[::1]))"
    "(uint8[::1], int64, int64, Array(int64, 2, 'C', True), Array(int64, 2, 'C', True), Array(int64, 1, 'C', True))"
)
def _steadiest(
    consonants: npt.NDArray[np.uint8], step: int, one_in: int, digit_gains: Table, stay_gains: Table, of_none: Numbers
) -> tuple[Offsets, Numbers]:
    """Return starts and DNA numbers of windows with enough consonants.

    Windows start at every `step` units, and one reaches the end. Of those that start in the same `one_in` units, the
    one most likely to keep its digits is returned, the first of equals. The tables are those of `_tables_of`.
    """
    n = digit_gains.shape[1]
    end = len(consonants) - n
    starts, dna = np.empty(max(end // step + 2, 0), np.int32), np.empty(max(end // step + 2, 0), np.int64)
    counts = np.zeros(DIGITS + 1, np.int64)
    number, stay = of_none[0], of_none[1]
    found = upcoming = best = 0
    for last in range(len(consonants)):
        start = last - n + 1
        if start > 0:
            gone = consonants[start - 1]
            counts[gone] -= 1
            number -= digit_gains[gone, counts[gone]]
            if one_in > 1:
                stay -= stay_gains[gone, counts[gone]]
        new = consonants[last]
        number += digit_gains[new, counts[new]]
        if one_in > 1:
            stay += stay_gains[new, counts[new]]
        counts[new] += 1
        if start < 0 or (start < upcoming and start != end):
            continue
        upcoming = start + step
        if n - counts[DIGITS] < n * MIN_COUNTED_SHARE:
            continue
        if one_in > 1 and found and starts[found - 1] // one_in == start // one_in:
            if stay <= best:
                continue
            found -= 1
        starts[found], dna[found], best = start, number, stay
        found += 1
    return starts[:found].copy(), dna[:found].copy()


@lru_cache(maxsize=16)
def _levels(parameters: SliceParameters) -> Table:
    """Return a table: row i holds the digit for each count 0…n of consonant i."""
    counts = np.arange(parameters.n + 1)
    expected = (parameters.n * tables().reference)[:, np.newaxis]
    if parameters.normalisation is Normalisation.ZSCORE:
        deviation = np.sqrt(expected * (1 - tables().reference[:, np.newaxis]))
        # Running text is the middle of a digit: as a border, it would put half of the windows next to one.
        middle = parameters.radix / 2 + (0.5 if parameters.radix > TWO_LEVELS else 0.0)
        steps = (counts - expected) / deviation / parameters.step + middle
    else:
        steps = counts - expected + 0.5
    levels = np.clip(np.floor(steps), 0, parameters.radix - 1).astype(np.int64)
    levels.setflags(write=False)
    return levels


@lru_cache(maxsize=16)
def _tables_of(parameters: SliceParameters) -> tuple[Table, Table, Numbers]:
    """Return what each further unit of a consonant adds to the DNA number of a window and to its stay weight, by
    consonant and count before, 0…n - 1; and both for a window without consonants.
    """
    if parameters.radix > LARGEST_STORED_RADIX:
        raise ParameterError(
            f"radix={parameters.radix}: {parameters.radix}^{DIGITS} does not fit 64 bits; "
            f"use dna_text, or a radix of at most {LARGEST_STORED_RADIX}"
        )
    places = np.array([parameters.radix**place for place in reversed(range(DIGITS))], dtype=np.int64)
    levels = _levels(parameters)
    values, stays = levels * places[:, np.newaxis], stay_weights(levels, tables().reference)
    return _gains(values), _gains(stays), np.array([values[:, 0].sum(), stays[:, 0].sum()])


def _gains(table: Table) -> Table:
    """Return the differences along each row, and a row of zeros for what counts for no digit."""
    return np.append(np.diff(table), np.zeros((1, table.shape[1] - 1), np.int64), axis=0)
