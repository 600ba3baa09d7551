"""The values that this package returns. All are frozen; arrays are never written after construction."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

ALGORITHM_VERSION: Final = 2
"""Version of tables, parameters and the segmenter's data. Fingerprints of different versions are never compared."""

SIMHASH_BITS: Final = 64
BAND_COUNT: Final = 4
BAND_BITS: Final = SIMHASH_BITS // BAND_COUNT

FIRST_DIGIT: Final = 27
"""First unit code of a digit; codes below are letters."""

Offsets: TypeAlias = npt.NDArray[np.int32]
UnitCodes: TypeAlias = npt.NDArray[np.uint8]
CodePoints: TypeAlias = npt.NDArray[np.uint32]
Hashes: TypeAlias = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalText:
    """A text after normalisation. Character `i` of `text` came from `source[starts[i]:ends[i]]`."""

    source: str
    text: str
    starts: Offsets
    ends: Offsets


@dataclass(frozen=True, slots=True, eq=False)
class Initials:
    """A canonical text as a stream of units.

    Unit `i` has code `codes[i]` (1…26: the letters a…z, 27…36: the digits 0…9) and stands for
    `canonical.text[chars_from[i]:chars_to[i]]`, the first of which is of class `classes[i]` in the table of characters.
    Offsets into the text as supplied: `source_span`.
    """

    canonical: CanonicalText
    codes: UnitCodes
    chars_from: Offsets
    chars_to: Offsets
    classes: UnitCodes

    def __len__(self) -> int:
        return len(self.codes)

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """Start and end, in code points of the text as supplied, of the units `first` to `last` (inclusive)."""
        return (
            int(self.canonical.starts[self.chars_from[first]]),
            int(self.canonical.ends[self.chars_to[last] - 1]),
        )


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The stored and searchable fingerprint of a text.

    `simhash` is unsigned, 0 ≤ simhash < 2**64, or None (never 0) if the text has too few features. `slices` (keys of
    DNA numbers) and `seeds` are signed 32-bit numbers, sorted and distinct.
    """

    algorithm_version: int
    simhash: int | None
    feature_count: int
    unit_count: int
    slices: tuple[int, ...] = field(default=())
    seeds: tuple[int, ...] = field(default=())

    @property
    def bands(self) -> tuple[int, ...] | None:
        """Return the simhash as four blocks of 16 bits, most significant first; None without a simhash."""
        if self.simhash is None:
            return None
        shifts = range(SIMHASH_BITS - BAND_BITS, -1, -BAND_BITS)
        return tuple(self.simhash >> shift & ((1 << BAND_BITS) - 1) for shift in shifts)

    @property
    def too_short(self) -> bool:
        """Whether nothing in this fingerprint can find another text."""
        return self.simhash is None and not self.slices and not self.seeds
