"""Alignment of two texts: common runs of units, chained across small edits into blocks.

Steps: seed, chain, extend, join. Seeds are the k-grams of units that both texts hold. Neighbouring seeds on one
diagonal form an exact run; runs that follow each other closely in both texts form a block. Moved text is a block of its
own. All steps are compiled; blocks become objects at the end.
"""

from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import DEFAULT_ALIGNMENT, AlignmentParameters, Block, Mask, Run, true_stretches
from matcher.alignment.chaining import chained
from matcher.alignment.extension import claimed
from matcher.alignment.joining import passages
from matcher.alignment.kgrams import ALPHABET, Grams, Indices, Prepared, common_runs, prepare, unit_grams
from matcher.alignment.rows import Groups, Rows, copy_rows, order_of

__all__ = [
    "ALPHABET",
    "DEFAULT_ALIGNMENT",
    "AlignmentParameters",
    "Block",
    "Grams",
    "Groups",
    "Indices",
    "Mask",
    "Prepared",
    "Run",
    "align",
    "aligned",
    "blocks_of",
    "prepare",
    "true_stretches",
    "unit_grams",
]

Limits: TypeAlias = tuple[int, int, int, int, int, int, int, int, int, float]
"""The fields of `AlignmentParameters`, in order."""
NO_BLOCKS: Final[Groups] = np.empty((0, 3), dtype=np.int64), np.zeros(1, dtype=np.int64)
FEWEST_RUNS: Final = 1_000
UNITS_PER_RUN: Final = 8
"""Runs of both texts together. More are repetition: the shortest are ignored. A copy in which 30 % of the words are
edited has one run in thirty units."""


def align(
    left: UnitCodes | Prepared, right: UnitCodes, parameters: AlignmentParameters = DEFAULT_ALIGNMENT
) -> tuple[Block, ...]:
    """Return the blocks that two texts share, ordered by position in the left text. No unit is in two blocks.

    Prepare a text once to align it with many (`prepare`, with the same `gram`). Exchanging the texts mirrors the
    blocks. Time and memory are linear in the length of the texts, even if these are repetitive.
    """
    return blocks_of(aligned(left if isinstance(left, Prepared) else prepare(left, parameters.gram), right, parameters))


def aligned(left: Prepared, right: UnitCodes, parameters: AlignmentParameters = DEFAULT_ALIGNMENT) -> Groups:
    """Return the same as rows, in no order of blocks."""
    right = np.ascontiguousarray(right)
    rows = common_runs(left, right, parameters.max_pairs)
    if not len(rows) or (len(rows) == 1 and rows[0, 2] < parameters.min_chained):
        return NO_BLOCKS  # as with most candidates, which share a gram or none
    rows = _bounded(rows, len(left.codes) + len(right))
    # Heaviest first, nearest first: such choices depend on the order of the texts. The longer text is always the left
    # one here, so that the result does not depend on which text is given first.
    if _comes_first(left.codes, right):
        return _aligned(left.codes, right, rows, parameters[:])
    runs, bounds = _aligned(right, left.codes, _turned(rows), parameters[:])
    return _turned(runs), bounds


def blocks_of(found: Groups) -> tuple[Block, ...]:
    """Return rows as blocks, ordered by position in the left text."""
    runs, bounds = found
    made = list(map(Run._make, runs.tolist()))
    blocks = [Block(tuple(made[start:end])) for start, end in pairwise(bounds.tolist())]
    return tuple(sorted(blocks, key=_by_left))


def _comes_first(one: UnitCodes, other: UnitCodes) -> bool:
    return len(one) > len(other) or (len(one) == len(other) and one.tobytes() >= other.tobytes())


def _turned(rows: Rows) -> Rows:
    turned = rows.copy()
    turned[:, 0], turned[:, 1] = rows[:, 1], rows[:, 0]
    return turned


def _by_left(block: Block) -> tuple[int, int]:
    return block.left, block.right


def _bounded(rows: Rows, units: int) -> Rows:
    """Return the longest runs; of equally long ones those of lower diagonals."""
    most = max(FEWEST_RUNS, units // UNITS_PER_RUN)
    if len(rows) <= most:
        return rows
    left, right, length = rows.T
    return rows[np.lexsort((left, left - right, -length))[:most]]


@compiled(
    "Tuple((int64[:, ::1], int64[::1]))(Array(uint8, 1, 'C', readonly=True), Array(uint8, 1, 'C', readonly=True), "
    "int64[:, ::1], Tuple((int64, int64, int64, int64, int64, int64, int64, int64, int64, float64)))"
)
def _aligned(left: UnitCodes, right: UnitCodes, rows: Rows, limits: Limits) -> Groups:
    """Return the runs of each block."""
    parameters = AlignmentParameters(*limits)
    keys, in_order = np.empty(len(rows), dtype=np.int64), np.empty((len(rows), 3), dtype=np.int64)
    for number in range(len(rows)):
        keys[number] = (rows[number, 0] << 32) + rows[number, 1]
    for place, number in enumerate(order_of(keys)):
        copy_rows(rows, number, number + 1, in_order, place)
    blocks = claimed(chained(in_order, parameters), left, right, parameters)
    return passages(blocks, left, right, parameters)
