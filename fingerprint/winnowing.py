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
from fingerprint.compiling import compiled
from fingerprint.errors import ParameterError
from fingerprint.hashing import mix
from fingerprint.model import Hashes, Initials, Offsets, UnitCodes

BASE: Final = np.uint64(LAST_UNIT + 1)
LARGEST_K: Final = 64


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
    order, ranks = _ranked(initials, parameters)
    return _seeds(order, ranks, parameters.window_for(len(order)))


def asked_seeds(initials: Initials, parameters: SeedParameters = DEFAULT_SEEDS) -> SeedArrays:
    """Return the seeds for a look-up: all that `winnow_arrays` would store, and more."""
    return stored_and_asked(initials, parameters)[1]


def stored_and_asked(initials: Initials, parameters: SeedParameters = DEFAULT_SEEDS) -> tuple[SeedArrays, SeedArrays]:
    """Return `winnow_arrays` and `asked_seeds` together, which costs less than calling both."""
    order, ranks = _ranked(initials, parameters)
    windows = parameters.window_for(len(order)), parameters.asked_window_for(len(order))
    return _seeds(order, ranks, windows[0]), _seeds(order, ranks, windows[1])


def _ranked(initials: Initials, parameters: SeedParameters) -> tuple[Hashes, Hashes]:
    order = gram_order(initials.codes, parameters.k)
    in_word = initials.classes > WORD_LETTER
    ranks = _ranks(order, in_word, initials.chars_from, initials.chars_to, parameters.k, parameters.most_words)
    return order, ranks


def _seeds(order: Hashes, ranks: Hashes, window: int) -> SeedArrays:
    positions = winnowed_positions(ranks, window)
    # The low half: winnowing picks numbers with small high bits, so these distinguish seeds less well.
    return SeedArrays(order.take(positions).astype(np.uint32).view(np.int32), positions)


def gram_order(codes: UnitCodes, k: int) -> Hashes:
    """Return a well-mixed number for every k-gram, by which winnowing orders them."""
    return mix(_packed(codes, k))


@compiled("uint64[::1](Array(uint8, 1, 'C', True), int64)")
def _packed(codes: UnitCodes, k: int) -> Hashes:
    """Return every k-gram as a number in base `BASE`, modulo 2**64."""
    packed = np.empty(max(len(codes) - k + 1, 0), np.uint64)
    number, beyond = np.uint64(0), np.uint64(1)
    for _ in range(k):
        beyond *= BASE
    for last in range(len(codes)):
        number = number * BASE + codes[last]
        if last >= k:
            number -= beyond * codes[last - k]
        if last >= k - 1:
            packed[last - k + 1] = number
    return packed


@compiled("uint64[::1](uint64[::1], b1[::1], Array(int32, 1, 'C', True), Array(int32, 1, 'C', True), int64, int64)")
def _ranks(
    order: Hashes, in_word: npt.NDArray[np.bool_], chars_from: Offsets, chars_to: Offsets, k: int, most_words: int
) -> Hashes:
    """Return ranks of the k-grams: their numbers, grams of more than `most_words` words after all others."""
    ranks = order >> np.uint64(1)
    begins, goes_on = in_word.copy(), np.zeros(len(in_word), np.bool_)
    touched = 0
    for last in range(len(in_word)):
        if last and in_word[last] and in_word[last - 1] and chars_to[last - 1] == chars_from[last]:
            begins[last], goes_on[last] = False, True
        touched += begins[last]
        first = last - k + 1
        if first >= 0:
            ranks[first] |= np.uint64(touched + goes_on[first] > most_words) << np.uint64(63)
            touched -= begins[first]
    return ranks


@compiled("int32[::1](Array(uint64, 1, 'C', True), int64)")
def winnowed_positions(order: Hashes, window: int) -> Offsets:
    """Robust winnowing: each window keeps the choice of the one before if it can, else takes its rightmost minimum."""
    positions = np.empty(len(order), np.int32)
    count, chosen = 0, -1
    for last in range(window - 1, len(order)):
        first = last - window + 1
        if chosen < first:
            chosen = first
            for place in range(first + 1, last + 1):
                if order[place] <= order[chosen]:
                    chosen = place
        elif order[last] < order[chosen]:
            chosen = last
        else:
            continue
        positions[count] = chosen
        count += 1
    return positions[:count].copy()
