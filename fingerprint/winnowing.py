"""Units → seeds: hashes of k consecutive units, thinned by winnowing (Schleimer, Wilkerson, Aiken 2003).

The least of every w consecutive k-grams is a seed, so two texts that share a run of w + k - 1 units share a seed,
whatever surrounds it. The least of a window is also the least of every smaller window that holds it: a smaller w
chooses all that a larger one does, and texts winnowed with different w keep the guarantee of the larger. So texts are
stored with few seeds and queried with many: a stored seed inside a shared run is found even if the run is shorter than
w, unless it lies within one query window of the run's edge. This finds half as many passages of 60 characters again,
without one more stored byte (docs/adr/0015).

Nine units are three long words or nine short ones, and an edit breaks a gram of many words sooner. So a gram of many
words is chosen only among such grams. Whether a gram is one depends on the gram alone, and the guarantee holds.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import LAST_UNIT, WORD_LETTER
from fingerprint.errors import ParameterError
from fingerprint.hashing import mix
from fingerprint.model import Initials, Offsets, UnitCodes

BASE: Final = LAST_UNIT + 1
LARGEST_K: Final = 64
SEARCH_ROWS: Final = 4096
"""Windows searched at a time for their minimum: memory stays bounded."""

_POWERS = np.multiply.accumulate(np.array([1] + [BASE] * LARGEST_K, dtype=np.uint64))
_TOP_BIT = np.uint64(63)
_ONE = np.uint64(1)
_START = np.zeros(1, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class SeedParameters:
    """`k` units per seed, the least of every `window`; a short text gets a smaller window, to have `least` windows.

    A query text is winnowed with `asked_window`. Grams that touch more than `most_words` words of letters come after
    all others. The defaults are those of ADR 15.
    """

    k: int = 9
    window: int = 70
    asked_window: int = 40
    least: int = 3
    most_words: int = 4

    def __post_init__(self) -> None:
        if not 1 <= self.k <= LARGEST_K:
            raise ParameterError(f"k={self.k}: a seed has 1 to {LARGEST_K} units; 8 to 20 make sense")
        if self.window < 1:
            raise ParameterError(f"window={self.window}: choose 1 (every k-gram is a seed) or more")
        if self.asked_window < 1:
            raise ParameterError(f"asked_window={self.asked_window}: choose 1 (every k-gram is queried) or more")
        if self.least < 1:
            raise ParameterError(f"least={self.least}: choose 1 or more")
        if self.most_words < 0:
            raise ParameterError(f"most_words={self.most_words}: choose 0 or more; from k on it makes no difference")

    def window_for(self, gram_count: int) -> int:
        return min(self.window, max(1, gram_count // self.least))

    def asked_window_for(self, gram_count: int) -> int:
        return min(self.asked_window, self.window_for(gram_count))


DEFAULT_SEEDS: Final = SeedParameters()


@dataclass(frozen=True, slots=True, eq=False)
class SeedArrays:
    """Seed hashes (32 bits, signed) and the units at which they start, in order of position."""

    hashes: npt.NDArray[np.int32]
    positions: Offsets


def winnow_arrays(initials: Initials, parameters: SeedParameters = DEFAULT_SEEDS) -> SeedArrays:
    order = gram_order(initials.codes, parameters.k)
    ranks = _ranks(initials, order, parameters)
    return _seeds(order, ranks, parameters.window_for(len(order)))


def asked_seeds(initials: Initials, parameters: SeedParameters = DEFAULT_SEEDS) -> SeedArrays:
    """Return the seeds for a look-up: all that `winnow_arrays` would store, and more."""
    return stored_and_asked(initials, parameters)[1]


def stored_and_asked(initials: Initials, parameters: SeedParameters = DEFAULT_SEEDS) -> tuple[SeedArrays, SeedArrays]:
    """Return `winnow_arrays` and `asked_seeds` together, which costs less than calling both."""
    order = gram_order(initials.codes, parameters.k)
    ranks = _ranks(initials, order, parameters)
    windows = parameters.window_for(len(order)), parameters.asked_window_for(len(order))
    return _seeds(order, ranks, windows[0]), _seeds(order, ranks, windows[1])


def _seeds(order: npt.NDArray[np.uint64], ranks: npt.NDArray[np.uint64], window: int) -> SeedArrays:
    positions = winnowed_positions(ranks, window)
    # The low half: winnowing picks numbers with small high bits, so these distinguish seeds less well.
    return SeedArrays(order.take(positions).astype(np.uint32).view(np.int32), positions)


def _ranks(initials: Initials, order: npt.NDArray[np.uint64], parameters: SeedParameters) -> npt.NDArray[np.uint64]:
    """Return ranks of the grams: their numbers, with grams of many words after all others."""
    ranks = order >> _ONE
    in_word = initials.classes > WORD_LETTER
    if len(order) and in_word.any():
        wordy = _words_touched(initials, in_word, parameters.k) > parameters.most_words
        ranks |= wordy.astype(np.uint64) << _TOP_BIT
    return ranks


def _words_touched(initials: Initials, in_word: npt.NDArray[np.bool_], k: int) -> Offsets:
    """Return how many words of letters each k-gram touches, by its first unit. There is at least one gram."""
    goes_on = np.zeros(len(in_word), dtype=np.bool_)
    np.logical_and(in_word[1:], in_word[:-1], out=goes_on[1:])
    goes_on[1:] &= initials.chars_to[:-1] == initials.chars_from[1:]
    begun = np.zeros(len(in_word) + 1, dtype=np.int32)
    np.greater(in_word, goes_on).cumsum(out=begun[1:])
    touched: Offsets = begun[k:] - begun[:-k]
    touched += goes_on[: len(touched)]
    return touched


def gram_order(codes: UnitCodes, k: int) -> npt.NDArray[np.uint64]:
    """Return a well-mixed number for every k-gram, by which winnowing orders them."""
    if len(codes) < k:
        return np.empty(0, dtype=np.uint64)
    digits = codes.astype(np.uint64)
    packed, size = digits, 1
    # By the binary digits of k: double the length, then add one unit where the digit is 1.
    for bit in f"{k:b}"[1:]:
        packed = packed[:-size] * _POWERS[size] + packed[size:]
        size *= 2
        if bit == "1":
            packed = packed[:-1] * _POWERS[1] + digits[size:]
            size += 1
    return mix(packed)


def winnowed_positions(order: npt.NDArray[np.uint64], window: int) -> Offsets:
    """Robust winnowing: each window keeps the choice of the one before if it can, else takes its rightmost minimum."""
    if not len(order):
        return np.empty(0, dtype=np.int32)
    minima = _sliding_minima(order, window)
    changes = np.flatnonzero(minima[1:] != minima[:-1])
    firsts = np.concatenate((_START, changes + 1))
    lasts = np.append(changes, len(minima) - 1)
    chosen = _rightmost(order, minima, firsts, window)
    positions = [chosen]
    # Only a repetitive stretch has windows of one minimum beyond the reach of the first choice.
    waiting = np.flatnonzero(lasts > chosen)
    while len(waiting):
        firsts, lasts = chosen[waiting] + 1, lasts[waiting]
        chosen = _rightmost(order, minima, firsts, window)
        positions.append(chosen)
        waiting = np.flatnonzero(lasts > chosen)
    return (chosen if len(positions) == 1 else np.sort(np.concatenate(positions))).astype(np.int32)


def _rightmost(
    order: npt.NDArray[np.uint64], minima: npt.NDArray[np.uint64], firsts: npt.NDArray[np.intp], window: int
) -> npt.NDArray[np.intp]:
    """Return, for each window that begins at one of `firsts`, the rightmost position of its minimum."""
    backwards = np.arange(window - 1, -1, -1)
    found = np.empty(len(firsts), dtype=np.intp)
    for row in range(0, len(firsts), SEARCH_ROWS):
        some = firsts[row : row + SEARCH_ROWS]
        is_least = order.take(some[:, np.newaxis] + backwards) == minima.take(some)[:, np.newaxis]
        is_least.argmax(axis=1, out=found[row : row + SEARCH_ROWS])
    return firsts + window - 1 - found


def _sliding_minima(order: npt.NDArray[np.uint64], window: int) -> npt.NDArray[np.uint64]:
    """Return the minimum of every `window` neighbours: by doubling (2, 4, …), the rest by two that overlap."""
    minima, size = order, 1
    while size < window:
        step = min(size, window - size)
        minima = np.minimum(minima[:-step], minima[step:])
        size += step
    return minima
