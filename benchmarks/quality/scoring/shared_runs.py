"""Which texts truly share a run of identical characters: exact, by exhaustive scan, unlike what is measured.

Of each text that is searched every 41st 20-gram is an anchor. A run of 60 characters begins at most 40 characters
before an anchor that it holds whole, so whoever looks every offset of the other text up misses none; what is found
is compared character by character.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.normalize import canonicalize

LEAST: Final = 60
"""Canonical characters in a row that two texts hold: from here on they truly share something."""
GRAM: Final = 20
STRIDE: Final = LEAST - GRAM + 1
REACH: Final = LEAST - GRAM
"""Characters beside an anchor that are compared: more are never needed."""
HITS_AT_A_TIME: Final = 50_000
"""Comparisons of 100 characters: 20 MB on each side."""

_BASE: Final = np.uint64(0x9E3779B97F4A7C15)
# No code points, and not equal: nothing runs on past the end of a text.
_BETWEEN: Final = 0x110001
_OUTSIDE: Final = 0x110002

Chars: TypeAlias = npt.NDArray[np.uint32]
Places: TypeAlias = npt.NDArray[np.int64]


class RunIndex:
    """Texts that can be asked which of them share a run with another text. 24 million characters take 100 MB."""

    def __init__(self, texts: Sequence[str]) -> None:
        chars = [canonical(text) for text in texts]
        lengths = np.array([len(text) for text in chars], dtype=np.int64)
        self._starts = REACH + np.concatenate(([0], np.cumsum(lengths + 1)))
        self._chars = np.full(int(self._starts[-1]) + REACH, _BETWEEN, dtype=np.uint32)
        for start, text in zip(self._starts.tolist(), chars, strict=False):
            self._chars[start : start + len(text)] = text
        anchors = _anchors(self._starts[:-1], lengths)
        hashes = hashes_at(self._chars, anchors, GRAM)
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._anchors = hashes[order], anchors[order]

    def chars(self, number: int) -> Chars:
        """The canonical characters of a text."""
        return self._chars[self._starts[number] : self._starts[number + 1] - 1]

    def sharing(self, text: str) -> frozenset[int]:
        """The numbers of the texts that hold at least `LEAST` characters in a row of `text`, both canonical."""
        chars = canonical(text)
        if len(chars) < LEAST:
            return frozenset()
        padding = np.full(REACH, _OUTSIDE, dtype=np.uint32)
        asked = np.concatenate((padding, chars, padding))
        hashes = _rolling(chars)
        first = np.searchsorted(self._hashes, hashes, side="left")
        counts = np.searchsorted(self._hashes, hashes, side="right") - first
        offsets = np.flatnonzero(counts)
        found: set[int] = set()
        for part in _parts(counts[offsets]):
            found |= self._confirmed(asked, offsets[part], first[offsets[part]], counts[offsets[part]], known=found)
        return frozenset(found)

    def _confirmed(self, asked: Chars, offsets: Places, first: Places, counts: Places, *, known: set[int]) -> set[int]:
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        places = self._anchors[np.repeat(first, counts) + within]
        numbers = np.searchsorted(self._starts, places, side="right") - 1
        news = ~np.isin(numbers, list(known))
        there, here, numbers = places[news], np.repeat(offsets, counts)[news] + REACH, numbers[news]
        confirmed: set[int] = set()
        for start in range(0, len(there), HITS_AT_A_TIME):
            part = slice(start, start + HITS_AT_A_TIME)
            runs = _run_lengths(self._chars, there[part], asked, here[part])
            confirmed.update(numbers[part][runs >= LEAST].tolist())
        return confirmed


def canonical(text: str) -> Chars:
    """The characters of the canonical text, as numbers."""
    return np.frombuffer(canonicalize(text).text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _anchors(starts: Places, lengths: Places) -> Places:
    counts = np.maximum(0, (lengths - GRAM) // STRIDE + 1)
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    anchors: Places = np.repeat(starts, counts) + within * STRIDE
    return anchors


def hashes_at(chars: Chars, places: Places, gram: int) -> npt.NDArray[np.uint64]:
    """Hashes of so many characters from each place on."""
    hashes = np.zeros(len(places), dtype=np.uint64)
    for step in range(gram):
        hashes = hashes * _BASE + chars[places + step]
    return hashes


def _rolling(chars: Chars) -> npt.NDArray[np.uint64]:
    """The hash of the gram at every offset."""
    return hashes_at(chars, np.arange(len(chars) - GRAM + 1), GRAM)


def _parts(counts: Places) -> Iterator[slice]:
    """Stretches of neighbouring offsets with about `HITS_AT_A_TIME` comparisons each, never none."""
    before = np.cumsum(counts) - counts
    cuts = np.flatnonzero(np.diff(before // HITS_AT_A_TIME, prepend=-1))
    yield from (slice(start, end) for start, end in pairwise([*cuts.tolist(), len(counts)]))


def _run_lengths(chars: Chars, there: Places, asked: Chars, here: Places) -> npt.NDArray[np.int64]:
    """How long the run around each pair of places is, counted up to `REACH` on both sides; 0 where grams differ."""
    window = np.arange(-REACH, GRAM + REACH)
    same = chars[there[:, np.newaxis] + window] == asked[here[:, np.newaxis] + window]
    gram = same[:, REACH : REACH + GRAM].all(axis=1)
    left = np.cumprod(same[:, REACH - 1 :: -1], axis=1, dtype=np.int8).sum(axis=1)
    right = np.cumprod(same[:, REACH + GRAM :], axis=1, dtype=np.int8).sum(axis=1)
    lengths: npt.NDArray[np.int64] = np.where(gram, left + GRAM + right, 0)
    return lengths
