"""Which texts truly share identical characters: exact, by exhaustive scan, unlike what is measured.

`RunIndex` finds runs of 60 in a row. Of each text that is searched every 41st 20-gram is an anchor. A run of 60
characters begins at most 40 characters before an anchor that it holds whole, so a look-up of every offset of the other
text misses none; what is found is compared character by character.

`Together` finds 60 in one place though a word among them was changed: runs that follow each other in both texts are
added up, if each is of ten characters at least and no more than a word stands between two. It compares every place of
the one text with every place of the other.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

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
        query = np.concatenate((padding, chars, padding))
        hashes = _rolling(chars)
        first = np.searchsorted(self._hashes, hashes, side="left")
        counts = np.searchsorted(self._hashes, hashes, side="right") - first
        offsets = np.flatnonzero(counts)
        found: set[int] = set()
        for part in _parts(counts[offsets]):
            found |= self._confirmed(query, offsets[part], first[offsets[part]], counts[offsets[part]], known=found)
        return frozenset(found)

    def _confirmed(self, query: Chars, offsets: Places, first: Places, counts: Places, *, known: set[int]) -> set[int]:
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        places = self._anchors[np.repeat(first, counts) + within]
        numbers = np.searchsorted(self._starts, places, side="right") - 1
        news = ~np.isin(numbers, list(known))
        there, here, numbers = places[news], np.repeat(offsets, counts)[news] + REACH, numbers[news]
        confirmed: set[int] = set()
        for start in range(0, len(there), HITS_AT_A_TIME):
            part = slice(start, start + HITS_AT_A_TIME)
            runs = _run_lengths(self._chars, there[part], query, here[part])
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


def _run_lengths(chars: Chars, there: Places, query: Chars, here: Places) -> npt.NDArray[np.int64]:
    """How long the run around each pair of places is, counted up to `REACH` on both sides; 0 where grams differ."""
    window = np.arange(-REACH, GRAM + REACH)
    same = chars[there[:, np.newaxis] + window] == query[here[:, np.newaxis] + window]
    gram = same[:, REACH : REACH + GRAM].all(axis=1)
    left = np.cumprod(same[:, REACH - 1 :: -1], axis=1, dtype=np.int8).sum(axis=1)
    right = np.cumprod(same[:, REACH + GRAM :], axis=1, dtype=np.int8).sum(axis=1)
    lengths: npt.NDArray[np.int64] = np.where(gram, left + GRAM + right, 0)
    return lengths


RUN: Final = 10
"""Identical characters in a row, at least: some six words of Chinese, two of English."""
WORD: Final = 4
"""Characters between two runs, in either text, at most: a Chinese word, exchanged, put in or taken out."""
FEWEST: Final = LEAST - LEAST // RUN * (RUN - 1)
"""Places from which ten characters agree, at least, where runs add up to `LEAST`: most texts share fewer."""
OFTEN: Final = 50
"""Most occurrences of ten characters in a text. A line of one repeated sign would be compared with itself."""


class Run(NamedTuple):
    """A run of identical characters: its places in the two texts, and its length."""

    one: int
    other: int
    length: int


class Together:
    """A text, made ready to be compared with many."""

    def __init__(self, text: str) -> None:
        self._chars = canonical(text)
        hashes = _hashes(self._chars)
        self._order = np.argsort(hashes, kind="stable")
        self._sorted = hashes[self._order]

    def shares_with(self, other: Chars) -> bool:
        """Whether runs that lie together in both texts add up to `LEAST` characters. `other` is canonical."""
        return self.most(other) >= LEAST

    def most(self, other: Chars) -> int:
        """The greatest number of identical characters in runs that lie together; 0 where it is surely below `LEAST`."""
        ends: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        most = 0
        for run in sorted(self._runs(other)):
            before = [
                together
                for gap in range(WORD + 1)
                for end, together in ends[run.one - gap]
                if 0 <= run.other - end <= WORD
            ]
            together = run.length + max(before, default=0)
            ends[run.one + run.length].append((run.other + run.length, together))
            most = max(most, together)
        return most

    def _runs(self, other: Chars) -> Iterator[Run]:
        """Every run of at least `RUN` characters that cannot be made longer, if there are enough of them to matter."""
        one, there = self._places(other)
        if len(np.unique(one)) < FEWEST:
            return
        order = np.lexsort((one, there - one))
        one, there = one[order], there[order]
        goes_on = (np.diff(one) == 1) & (np.diff(there) == 1)
        starts = np.flatnonzero(np.concatenate(([True], ~goes_on)))
        counts = np.diff(np.concatenate((starts, [len(one)])))
        for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
            run = Run(int(one[start]), int(there[start]), count + RUN - 1)
            if (self._chars[run.one : run.one + run.length] == other[run.other : run.other + run.length]).all():
                yield run

    def _places(self, other: Chars) -> tuple[Places, Places]:
        """All pairs of places at which the same ten characters begin."""
        hashes = _hashes(other)
        first = np.searchsorted(self._sorted, hashes, side="left")
        counts = np.searchsorted(self._sorted, hashes, side="right") - first
        counts[counts > OFTEN] = 0
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return self._order[np.repeat(first, counts) + within], np.repeat(np.arange(len(hashes)), counts)


def _hashes(text: Chars) -> "np.typing.NDArray[np.uint64]":
    return hashes_at(text, np.arange(max(0, len(text) - RUN + 1)), RUN)
