"""Canonical text → weighted words, the features of the simhash.

Words come from jieba's dictionary without the hidden Markov model, which would guess words that are not in it. Only
tokens of two or more characters count: single characters, punctuation and space raise chance collisions a hundredfold.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt
import rjieba
import xxhash

from fingerprint.tables import code_points, tables

MIN_WORD_LENGTH: Final = 2
CHUNK_CHARS: Final = 100_000
"""Longer texts are segmented in pieces, cut at a line break where there is one: memory stays bounded."""
BUCKET_BITS: Final = 18
"""Of a word's key: about one known word begins with the same."""
WEIGHT_STEPS: Final = 64
"""Weights are rounded to whole multiples of 1/64 of a term frequency of one: whole sums have no rounding error."""

_BUCKET_SHIFT: Final = np.uint32(32 - BUCKET_BITS)


@dataclass(frozen=True, slots=True, eq=False)
class WeightedWords:
    """Distinct words by hash; what each weighs: damped term frequency × inverse document frequency, a whole number."""

    hashes: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float64]


@cache
def _segmenter() -> rjieba.Jieba:
    # One of our own: words that others add to the library's shared one must not change a fingerprint.
    return rjieba.Jieba()


def weighted_words(text: str) -> WeightedWords:
    counts: Counter[str] = Counter()
    cut = _segmenter().cut
    for chunk in _chunks(text):
        counts.update(cut(chunk, False))
    words = [word for word in counts if len(word) >= MIN_WORD_LENGTH]
    if not words:
        return WeightedWords(np.empty(0, dtype=np.uint64), np.empty(0))
    hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, map(str.encode, words)), np.uint64, len(words))
    frequencies = np.fromiter(map(counts.__getitem__, words), np.float64, len(words))
    is_word = tables().unit_class[code_points("".join([word[0] for word in words]))] > 0
    hashes, frequencies = hashes[is_word], frequencies[is_word]
    return WeightedWords(hashes, np.rint((1 + np.log(frequencies)) * WEIGHT_STEPS) * _idf_levels(hashes))


def _idf_levels(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    known, first = tables(), _first_of_bucket()
    keys = (hashes >> np.uint64(32)).astype(np.uint32)
    places = first[keys >> _BUCKET_SHIFT]
    # A binary search waits for memory eighteen times a word; here all words wait once, and most are found at once.
    for _ in range(_largest_bucket() - 1):
        behind = known.idf_keys[places] < keys
        if not behind.any():
            break
        places = np.minimum(places + behind, len(known.idf_keys) - 1)
    return np.where(known.idf_keys[places] == keys, known.idf_levels[places], known.idf_unknown).astype(np.float64)


@cache
def _first_of_bucket() -> npt.NDArray[np.int32]:
    """Where the keys that begin with each of the values of `BUCKET_BITS` bits start; the last key if none does."""
    keys = tables().idf_keys
    starts = np.searchsorted(keys, np.arange(1 << BUCKET_BITS, dtype=np.uint32) << _BUCKET_SHIFT)
    first: npt.NDArray[np.int32] = np.minimum(starts, len(keys) - 1).astype(np.int32)
    first.setflags(write=False)
    return first


@cache
def _largest_bucket() -> int:
    """Steps after which a key is found, or is not there."""
    return int(np.bincount(tables().idf_keys >> _BUCKET_SHIFT).max()) + 1


def _chunks(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > CHUNK_CHARS:
        line_end = text.rfind("\n", start, start + CHUNK_CHARS) + 1
        end = line_end if line_end > start else start + CHUNK_CHARS
        yield text[start:end]
        start = end
    yield text[start:]


def count_words(text: str) -> int:
    """How many tokens a canonical text falls into; a text whose words were broken by swapped characters has more."""
    return sum(len(_segmenter().cut(chunk, False)) for chunk in _chunks(text))
