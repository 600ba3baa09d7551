"""Which texts truly share 60 identical characters in one place, though a word among them was changed.

Sixty characters in a row with one in their midst exchanged are 59, and no less shared. So runs that follow each other
in both texts are added up, if each is of ten characters at least and no more than a word stands between two. Exact, by
comparing every place of the one text with every place of the other, and unlike what is measured: characters and no
units, no weights, nothing learned.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from benchmarks.quality.scoring.shared_runs import LEAST, Chars, Places, canonical, hashes_at

RUN: Final = 10
"""Identical characters in a row, at least: some six words of Chinese, two of English."""
WORD: Final = 4
"""Characters between two runs, in either text, at most: a Chinese word, exchanged, put in or taken out."""
FEWEST: Final = LEAST - LEAST // RUN * (RUN - 1)
"""Places from which ten characters agree, at least, where runs add up to `LEAST`: most texts share fewer."""
OFTEN: Final = 50
"""Times that ten characters may stand in a text. A line that is drawn of one sign would be compared with itself."""


class Run(NamedTuple):
    """Where a run of identical characters stands in the two texts, and how long it is."""

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
