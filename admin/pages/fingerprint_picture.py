"""The fingerprint of a text as a picture: bits, seeds and slices along the text (pure)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from fingerprint.characters.tables import CONSONANTS
from fingerprint.dna import digits_of, slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.model import BAND_BITS, SIMHASH_BITS, Initials
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import winnow_arrays

PICTURED_CHARS: Final = 100_000
"""In characters: the beginning that is drawn of longer texts."""
SHOWN_SLICES: Final = 80
"""Columns of the picture, spread over the text if it has more slices."""
WIDTH: Final = 1_000
"""Width of the drawing; marks at the same place coincide."""


@dataclass(frozen=True, slots=True)
class Column:
    """One slice: its first unit, and its twenty digits in the order of `CONSONANTS`."""

    position: int
    digits: tuple[int, ...]

    @property
    def dna(self) -> str:
        return "".join(map(str, self.digits))


@dataclass(frozen=True, slots=True)
class Band:
    """16 of the 64 bits of a simhash, highest first."""

    bits: tuple[bool, ...]

    @property
    def hexadecimal(self) -> str:
        return f"{sum(bit << place for place, bit in enumerate(reversed(self.bits))):04x}"


@dataclass(frozen=True, slots=True)
class TextPicture:
    """`units`: units drawn. `seed_path`, `slice_path`: marks along `WIDTH`."""

    units: int
    seeds: int
    slices: int
    seed_path: str
    slice_path: str
    columns: tuple[Column, ...]
    level_paths: tuple[str, ...]
    """For each digit from 1 on: the cells that hold it, as an SVG path of unit squares."""

    @property
    def letters(self) -> str:
        return CONSONANTS


def bands(simhash: int) -> tuple[Band, ...]:
    bits = [bool(simhash >> place & 1) for place in reversed(range(SIMHASH_BITS))]
    return tuple(Band(tuple(bits[start : start + BAND_BITS])) for start in range(0, SIMHASH_BITS, BAND_BITS))


def picture(text: str) -> TextPicture:
    """The stored fingerprint of `text`, drawn over its units."""
    initials = to_initials(canonicalize(text[:PICTURED_CHARS]))
    seeds = winnow_arrays(initials).positions.tolist()
    slices = slices_at_stride(initials).positions.tolist()
    columns = tuple(_columns(initials, slices))
    highest = max((digit for column in columns for digit in column.digits), default=0)
    return TextPicture(
        units=len(initials),
        seeds=len(seeds),
        slices=len(slices),
        seed_path=_marks(seeds, len(initials)),
        slice_path=_marks(slices, len(initials)),
        columns=columns,
        level_paths=tuple(_squares(columns, level) for level in range(1, highest + 1)),
    )


def _columns(initials: Initials, positions: list[int]) -> Iterator[Column]:
    step = max(1, -(-len(positions) // SHOWN_SLICES))
    for position in positions[::step]:
        yield Column(position, digits_of(initials, position))


def _marks(positions: Iterable[int], units: int) -> str:
    """Marks at `positions` as an SVG path: lines of height ten."""
    places = sorted({round(WIDTH * position / units) for position in positions})
    return "".join(f"M{place} 0v10" for place in places)


def _squares(columns: tuple[Column, ...], level: int) -> str:
    found = (
        (column_number, row)
        for column_number, column in enumerate(columns)
        for row, digit in enumerate(column.digits)
        if digit == level
    )
    return "".join(f"M{column_number} {row}h1v1h-1z" for column_number, row in found)
