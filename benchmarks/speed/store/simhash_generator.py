"""Simhashes by the million, as skewed as those of real texts. Pure.

A bit of a simhash is the sign of a sum over a text's words. The sums of a corpus have a mean and go together, since
common words stand in all texts; many words add up to what is nearly a normal distribution. So sums are drawn from the
normal distribution that has the corpus' means and covariances, and their signs are the bits.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.model import SIMHASH_BITS
from fingerprint.normalize import canonicalize
from fingerprint.tokens import weighted_words

Codes: TypeAlias = npt.NDArray[np.uint64]
Sums: TypeAlias = npt.NDArray[np.float64]

_PLACES: Final = np.arange(SIMHASH_BITS, dtype=np.uint64)
_BATCH: Final = 100_000


def sums_of(texts: Iterable[str]) -> Sums:
    """A row a text: what its words of each bit add up to, by the root of the words' squared weights."""
    return np.array([_sums(text) for text in texts])


def _sums(text: str) -> Sums:
    words = weighted_words(canonicalize(text).text)
    bits = (words.hashes[:, np.newaxis] >> _PLACES & np.uint64(1)).astype(np.float64) * 2 - 1
    sums: Sums = words.weights @ bits / max(float(np.sqrt((words.weights**2).sum())), 1.0)
    return sums


class CodeModel:
    """Draws simhashes like those of the texts whose sums it was given."""

    def __init__(self, sums: Sums, chance: np.random.Generator) -> None:
        self._mean = sums.mean(axis=0)
        values, vectors = np.linalg.eigh(np.cov(sums, rowvar=False))
        self._spread = vectors * np.sqrt(np.maximum(values, 0.0))
        self._chance = chance

    def draw(self, count: int) -> Codes:
        parts = list(self._batches(count))
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint64)

    def _batches(self, count: int) -> Iterator[Codes]:
        for start in range(0, count, _BATCH):
            size = min(_BATCH, count - start)
            sums = self._chance.standard_normal((size, SIMHASH_BITS)) @ self._spread.T + self._mean
            yield np.packbits(sums > 0, axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64, copy=False)


def near(code: int, bits: int, chance: np.random.Generator) -> int:
    """The code with so many of its bits flipped."""
    for place in chance.choice(SIMHASH_BITS, bits, replace=False).tolist():
        code ^= 1 << place
    return code
