"""Prefilter: a bit table that rules out most numbers that are not in a set. Pure.

False positives are possible, false negatives are not.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from matcher.alignment.blocks import Mask

Numbers: TypeAlias = npt.NDArray[np.uint64]

_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Odd, without a pattern in its bits: multiplication by it spreads numbers that are near each other."""
_MARGIN: Final = 4
"""The table has 2**4 times as many bits as there are numbers: one other number in sixteen passes."""
_FEWEST_BITS: Final = 10
_BITS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Sieve:
    """Made by `of`."""

    table: Mask
    shift: np.uint64

    @classmethod
    def of(cls, numbers: Numbers) -> "Sieve":
        bits = max(_FEWEST_BITS, len(numbers).bit_length() + _MARGIN)
        shift = np.uint64(_BITS - bits)
        table = np.zeros(1 << bits, dtype=np.bool_)
        table[_places(numbers, shift)] = True
        return cls(table, shift)

    def passing(self, numbers: Numbers) -> npt.NDArray[np.int64]:
        """Return the indices of the numbers that may be in the set, in order."""
        return np.flatnonzero(self.table.take(_places(numbers, self.shift)))


def _places(numbers: Numbers, shift: np.uint64) -> npt.NDArray[np.int64]:
    spread = numbers * _SPREAD
    spread >>= shift
    return spread.view(np.int64)
