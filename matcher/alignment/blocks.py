"""The parts of an alignment: runs of equal units, blocks of runs, and the parameters of both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Mask: TypeAlias = npt.NDArray[np.bool_]


class AlignmentParameters(NamedTuple):
    """Defaults are the trade-off measured on real articles with disguised copies (docs/adr/0009)."""

    gram: int = 8
    max_gap: int = 60
    """Units that may differ between two runs of one block."""
    max_drift: int = 25
    """Units by which insertions and deletions may shift a block between two of its runs."""
    max_pairs: int = 64
    """Pairs of positions of one gram from which it is paired in order only: repetition would cost quadratic work. At 64
    there are at most four pairs per unit."""
    min_matched: int = 16
    """Least matched units of a block. Shorter ones are chance or set phrases."""
    min_crumb: int = 10
    """Least matched units where half of the shorter text is shared anyway: a short sentence moved by itself."""
    min_chained: int = 10
    """Least units of a chain to be extended: nine in ten are a single 8-gram that both texts hold by chance."""
    reach: int = 64
    """Units past the end of a block that are searched for a continuation."""
    max_bridge: int = 240
    """Units between two blocks that are searched for text that joins them."""
    bridge_share: float = 0.08
    """Share of the units between two blocks that both texts must hold for the blocks to be joined. Of 600 stretches of
    240 units of unrelated texts the mean was .004, the maximum .06."""


DEFAULT_ALIGNMENT: Final = AlignmentParameters()


class Run(NamedTuple):
    """`length` equal units, at `left` in one text and at `right` in the other."""

    left: int
    right: int
    length: int

    @property
    def left_end(self) -> int:
        return self.left + self.length

    @property
    def right_end(self) -> int:
        return self.right + self.length

    @property
    def diagonal(self) -> int:
        return self.left - self.right

    def moved(self, left: int, right: int) -> "Run":
        """Return the run as seen from texts that start `left` and `right` units earlier."""
        return Run(self.left + left, self.right + right, self.length)


@dataclass(frozen=True, slots=True)
class Block:
    """Runs in the same order in both texts, close to each other."""

    runs: tuple[Run, ...]

    @property
    def left(self) -> int:
        return self.runs[0].left

    @property
    def right(self) -> int:
        return self.runs[0].right

    @property
    def left_end(self) -> int:
        return self.runs[-1].left_end

    @property
    def right_end(self) -> int:
        return self.runs[-1].right_end

    @property
    def matched(self) -> int:
        return units_of(self.runs)

    @property
    def density(self) -> float:
        """Share of matched units in the longer of the two stretches, 0…1."""
        return self.matched / max(self.left_end - self.left, self.right_end - self.right)

    def mirrored(self) -> "Block":
        """The same block with the texts exchanged."""
        return Block(tuple(Run(run.right, run.left, run.length) for run in self.runs))


def units_of(runs: Sequence[Run]) -> int:
    return sum([run.length for run in runs])


def true_stretches(mask: Mask) -> Iterator[tuple[int, int]]:
    """Start and length of each stretch of true values."""
    fenced = np.zeros(len(mask) + 2, dtype=np.bool_)
    fenced[1:-1] = mask
    edges = np.flatnonzero(fenced[1:] != fenced[:-1])
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield start, end - start
