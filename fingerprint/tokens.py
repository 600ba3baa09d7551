"""Canonical text → weighted words, the features of the simhash.

Words come from jieba's dictionary without the hidden Markov model, which guesses words that are not in it. Only tokens
of two or more characters count: single characters, punctuation and spaces raise chance collisions a hundredfold.
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

from fingerprint.characters.tables import tables

MIN_WORD_LENGTH: Final = 2
CHUNK_CHARS: Final = 100_000
"""Longer texts are segmented in pieces, cut at line breaks where possible: memory stays bounded."""
WEIGHT_STEPS: Final = 64
"""Weights are multiples of 1/64 of a term frequency of one: sums of whole numbers have no rounding error."""

_ROW_SHIFT: Final = np.uint64(48)
_TAIL_SHIFT: Final = np.uint64(24)
_TAIL: Final = np.uint32(0xFFFF00)
_TAKEN: Final = np.uint32(1 << 24)
_LARGEST_LEVEL: Final = 255


@dataclass(frozen=True, slots=True, eq=False)
class WeightedWords:
    """Distinct words by hash, with their weights: damped term frequency × inverse document frequency, whole numbers."""

    hashes: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float64]


@cache
def _segmenter() -> rjieba.Jieba:
    # Our own instance: words added to the library's shared one must not change a fingerprint.
    return rjieba.Jieba()


def weighted_words(text: str) -> WeightedWords:
    counts: Counter[str] = Counter()
    cut = _segmenter().cut
    for chunk in _chunks(text):
        counts.update([word for word in cut(chunk, False) if len(word) >= MIN_WORD_LENGTH])
    if not counts:
        return WeightedWords(np.empty(0, dtype=np.uint64), np.empty(0))
    hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, map(str.encode, counts)), np.uint64, len(counts))
    frequencies = np.fromiter(counts.values(), np.float64, len(counts))
    first_chars = np.fromiter(counts, "U1", len(counts)).view(np.uint32)
    is_word = tables().unit_class.take(first_chars) > 0
    if not is_word.all():
        hashes, frequencies = hashes[is_word], frequencies[is_word]
    return WeightedWords(hashes, np.rint((1 + np.log(frequencies)) * WEIGHT_STEPS) * _idf_levels(hashes))


def _idf_levels(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    # A binary search waits for memory eighteen times per word; here all words wait once, each for one row.
    rows = _idf_rows()
    met = rows.take((hashes >> _ROW_SHIFT).view(np.int64), axis=0)
    met ^= (((hashes >> _TAIL_SHIFT).astype(np.uint32) & _TAIL) | _TAKEN)[:, np.newaxis]
    # Where the rest of the key is equal, only the level is left.
    flat = met.ravel()
    found = np.flatnonzero(flat <= _LARGEST_LEVEL)
    levels = np.full(len(hashes), tables().idf_unknown, dtype=np.float64)
    levels[found // rows.shape[1]] = flat.take(found)
    return levels


@cache
def _idf_rows() -> npt.NDArray[np.uint32]:
    """Return the known words by the first 16 bits of their keys; each entry: the other 16 bits, level, presence bit.

    258,703 words take 4 MB: the fullest row has 16, one line of the processor's cache.
    """
    keys = tables().idf_keys
    rows = keys >> np.uint32(16)
    sizes = np.bincount(rows, minlength=1 << 16)
    places = np.arange(len(keys)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    table = np.zeros((1 << 16, int(sizes.max())), dtype=np.uint32)
    table[rows, places] = _TAKEN | (keys << np.uint32(8) & _TAIL) | tables().idf_levels
    table.setflags(write=False)
    return table


def _chunks(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > CHUNK_CHARS:
        line_end = text.rfind("\n", start, start + CHUNK_CHARS) + 1
        end = line_end if line_end > start else start + CHUNK_CHARS
        yield text[start:end]
        start = end
    yield text[start:]


def count_words(text: str) -> int:
    """Return the number of tokens of a canonical text; swapped characters break words and so raise it."""
    return sum(len(_segmenter().cut(chunk, False)) for chunk in _chunks(text))
