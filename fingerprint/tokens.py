"""Canonical text → weighted words, the features of the simhash.

Words come from jieba's dictionary without the hidden Markov model, which guesses words that are not in it. Only tokens
of two or more characters count: single characters, punctuation and spaces raise chance collisions a hundredfold.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from secrets import randbits
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import xxhash

from fingerprint.characters.tables import code_points, tables, text_of
from fingerprint.compiling import compiled
from fingerprint.model import CodePoints, Hashes, Offsets, UnitCodes

if TYPE_CHECKING:
    import rjieba

MIN_WORD_LENGTH: Final = 2
CHUNK_CHARS: Final = 100_000
"""Longer texts are segmented in pieces, cut at line breaks where possible: memory stays bounded."""
WEIGHT_STEPS: Final = 64
"""Weights are multiples of 1/64 of a term frequency of one: sums of whole numbers have no rounding error."""


_SPREAD: Final = randbits(64) | 1
"""A number of this process alone: no text can be made whose words all meet in one slot of a table."""
_LINE_BREAK: Final = 10
_HALF: Final = np.uint64(32)
_KEY, _PRESENT, _LEVEL, _LEVEL_BITS = np.uint32(0xFFFF), np.uint32(1 << 16), np.uint32(0xFF), np.uint32(8)


@dataclass(frozen=True, slots=True, eq=False)
class WeightedWords:
    """Distinct words by hash, with their weights: damped term frequency × inverse document frequency, whole numbers."""

    hashes: Hashes
    weights: npt.NDArray[np.float64]


@cache
def _segmenter() -> "rjieba.Jieba":
    import rjieba  # noqa: PLC0415  # takes a tenth of a second, and most commands compute no fingerprint

    # Our own instance: words added to the library's shared one must not change a fingerprint.
    return rjieba.Jieba()


def weighted_words(text: str) -> WeightedWords:
    return weighted(tokens_of(text))


def tokens_of(text: str) -> str:
    """Return the tokens of a canonical text, a line each: no word has a line break in it."""
    return "\n".join("\n".join(_segmenter().cut(chunk, False)) for chunk in _chunks(text))


def weighted(tokens: str) -> WeightedWords:
    """Return the words among the tokens, which `tokens_of` returned."""
    words, counts = _distinct(code_points(tokens), tables().unit_class, _SPREAD)
    encoded = text_of(words).encode().split(b"\n")[:-1]
    hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, encoded), np.uint64, len(counts))
    return WeightedWords(hashes, _weights(hashes, counts, _idf_rows(), tables().idf_unknown))


@compiled("Tuple((uint32[::1], int32[::1]))(Array(uint32, 1, 'C', True), Array(uint8, 1, 'C', True), uint64)")
def _distinct(chars: CodePoints, unit_class: UnitCodes, spread: int) -> tuple[CodePoints, Offsets]:
    """Return the distinct words, in order of appearance, a line each, and the number of each. A token is a line."""
    most = len(chars) // (MIN_WORD_LENGTH + 1) + 1
    words, counts = np.empty(len(chars) + 1, np.uint32), np.zeros(most, np.int32)
    starts, slots = np.empty(most, np.int32), np.zeros(4 * most, np.int32)
    found = written = start = 0
    mixed = np.uint64(0)
    for end in range(len(chars) + 1):
        if end < len(chars) and chars[end] != _LINE_BREAK:
            mixed = (mixed ^ mixed >> _HALF ^ chars[end]) * spread
            continue
        if end - start >= MIN_WORD_LENGTH and unit_class[chars[start]]:
            # The number of the word in a slot, from 1. Words of one slot take the next ones.
            slot = np.int64(mixed >> _HALF) % len(slots)
            while slots[slot]:
                known, place = starts[slots[slot] - 1], start
                while place < end and words[known] == chars[place]:
                    known, place = known + 1, place + 1
                if place == end and words[known] == _LINE_BREAK:
                    break
                slot = (slot + 1) % len(slots)
            if not slots[slot]:
                starts[found] = written
                words[written : written + end - start] = chars[start:end]
                written += end - start + 1
                words[written - 1] = _LINE_BREAK
                found += 1
                slots[slot] = found
            counts[slots[slot] - 1] += 1
        start, mixed = end + 1, np.uint64(0)
    return words[:written].copy(), counts[:found].copy()


@compiled("float64[::1](uint64[::1], int32[::1], Array(uint32, 2, 'C', True), int64)")
def _weights(words: Hashes, counts: Offsets, rows: npt.NDArray[np.uint32], unknown: int) -> npt.NDArray[np.float64]:
    """Return the weight of each word by its hash and the number of times it occurs."""
    weights = np.empty(len(words))
    for place in range(len(words)):
        level = unknown
        for known in rows[np.int64(words[place] >> np.uint64(48))]:
            if known >> _LEVEL_BITS == words[place] >> _HALF & _KEY | _PRESENT:
                level = known & _LEVEL
        weights[place] = np.rint((1 + np.log(counts[place])) * WEIGHT_STEPS) * level
    return weights


@cache
def _idf_rows() -> npt.NDArray[np.uint32]:
    """Return the known words by the first 16 bits of their keys. Each entry: a bit, the other 16 bits, the level.

    258,703 words take 4 MB: the fullest row has 16, and a word waits for memory only once.
    """
    keys = tables().idf_keys
    rows = keys >> np.uint32(16)
    starts = np.searchsorted(rows, rows)
    table = np.zeros((1 << 16, 16), dtype=np.uint32)
    table[rows, np.arange(len(keys)) - starts] = (keys & _KEY | _PRESENT) << _LEVEL_BITS | tables().idf_levels
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
