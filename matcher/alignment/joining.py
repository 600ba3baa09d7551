"""Joining of blocks: splits them around moved text, and joins them across edits."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from fingerprint.model import UnitCodes
from matcher.alignment.blocks import AlignmentParameters, Block, Run, units_of
from matcher.alignment.extension import between

WIDE_GAP: Final = 12
"""Units. A shorter gap is an edit; a wider one may hold a sentence moved there from elsewhere."""


def parts_of_block(block: Block) -> list[Block]:
    """Return the parts of the block between its wide gaps."""
    cuts = []
    left_end, right_end = block.left, block.right
    for number, (left, right, length) in enumerate(block.runs):
        if left - left_end > WIDE_GAP or right - right_end > WIDE_GAP:
            cuts.append(number)
        left_end, right_end = left + length, right + length
    if not cuts:
        return [block]
    return [Block(block.runs[start:end]) for start, end in pairwise((0, *cuts, len(block.runs)))]


def joined(blocks: Sequence[Block], left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Block]:
    """Return the blocks by position in the left text; none encloses a part of another.

    Neighbours follow each other in both texts with no other block between them. Parts of one block stay one block; two
    blocks are joined if little lies between them, or if they share much of what does.
    """
    parts = [(part, number) for number, block in enumerate(blocks) for part in parts_of_block(block)]
    parts.sort(key=lambda item: item[0].left)
    order = sorted(range(len(parts)), key=lambda place: parts[place][0].right)
    ranks = dict(zip(order, range(len(parts)), strict=True))
    found: list[list[Run]] = []
    for place, (part, number) in enumerate(parts):
        bridge: Sequence[Run] | None = None
        if place and ranks[place] == ranks[place - 1] + 1:
            same = parts[place - 1][1] == number
            bridge = () if same else _bridge(found[-1][-1], part.runs[0], left, right, parameters)
        if bridge is None:
            found.append(list(part.runs))
        else:
            found[-1] += (*bridge, *part.runs)
    return [Block(tuple(runs)) for runs in found]


def _bridge(
    one: Run, other: Run, left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters
) -> list[Run] | None:
    """Return the runs between the ends of two neighbours if these are parts of one passage, else None."""
    gap_left, gap_right = other.left - one.left_end, other.right - one.right_end
    gap = max(gap_left, gap_right)
    if gap > parameters.max_bridge or abs(gap_left - gap_right) > parameters.max_gap:
        return None
    runs = between(left[one.left_end : other.left], right[one.right_end : other.right], parameters)
    if gap > parameters.max_gap and units_of(runs) < parameters.bridge_share * gap:
        return None
    return [run.moved(one.left_end, one.right_end) for run in runs]


def outside(crumbs: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """Return the fragments that overlap no block in either text."""
    in_left = sorted((block.left, block.left_end) for block in blocks)
    in_right = sorted((block.right, block.right_end) for block in blocks)
    return [
        crumb
        for crumb in crumbs
        if _is_free(crumb.left, crumb.left_end, in_left) and _is_free(crumb.right, crumb.right_end, in_right)
    ]


def _is_free(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    """Return whether start…end lies outside all stretches, which are sorted and disjoint."""
    place = bisect_left(taken, (end, 0))
    return place == 0 or taken[place - 1][1] <= start
