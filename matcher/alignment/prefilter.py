"""Prefilter: a bit table that rules out most numbers that are not in a set.

Pure. It errs to one side only: whatever is among the others passes.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from matcher.alignment.blocks import Mask

Numbers: TypeAlias = npt.NDArray[np.uint64]

_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Odd, without a pattern in its bits: multiplied by it, numbers that are near each other fall far apart."""
_MARGIN: Final = 4
"""The sieve has 2**4 times as many places as there are numbers: one stranger in sixteen falls through."""
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
        """Where those stand that may be among the others, in order."""
        return np.flatnonzero(self.table.take(_places(numbers, self.shift)))


def _places(numbers: Numbers, shift: np.uint64) -> npt.NDArray[np.int64]:
    spread = numbers * _SPREAD
    spread >>= shift
    return spread.view(np.int64)
