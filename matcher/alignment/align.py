"""Alignment of two texts: common runs of units, chained across small edits into blocks.

Steps: seed, chain, extend, join. Seeds are the k-grams of units that both texts hold. Neighbouring seeds on one
diagonal form an exact run; runs that follow each other closely in both texts form a block. Moved text is a block of its
own.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from matcher.alignment.blocks import DEFAULT_ALIGNMENT, AlignmentParameters, Block, Mask, Run, true_stretches
from matcher.alignment.chaining import chained
from matcher.alignment.extension import MISMATCH_COST, grown
from matcher.alignment.joining import joined, outside, parts_of_block
from matcher.alignment.kgrams import ALPHABET, Grams, Indices, Prepared, as_runs, common_runs, prepare, unit_grams

__all__ = [
    "ALPHABET",
    "DEFAULT_ALIGNMENT",
    "AlignmentParameters",
    "Block",
    "Grams",
    "Indices",
    "Mask",
    "Prepared",
    "Run",
    "align",
    "prepare",
    "true_stretches",
    "unit_grams",
]

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
    prepared = left if isinstance(left, Prepared) else prepare(left, parameters.gram)
    rows = common_runs(prepared, right, parameters.max_pairs)
    if not _can_hold_a_block(rows, parameters):
        return ()
    # Heaviest first, nearest first: such choices depend on the order of the texts. The longer text is always the left
    # one here, so that the result does not depend on which text is given first.
    if _comes_first(prepared.codes, right):
        blocks = _aligned(prepared.codes, right, rows, parameters)
    else:
        mirrored = _aligned(right, prepared.codes, rows[:, [1, 0, 2]], parameters)
        blocks = [block.mirrored() for block in mirrored]
    return tuple(sorted(blocks, key=_by_left))


def _can_hold_a_block(rows: Indices, parameters: AlignmentParameters) -> bool:
    """Whether the common runs can form a block. Cheap; true for one unrelated pair in 25: most share one gram."""
    if not len(rows):
        return False
    return len(rows) > 1 or int(rows[0, 2]) >= parameters.min_chained


def _comes_first(one: UnitCodes, other: UnitCodes) -> bool:
    return (len(one), one.tobytes()) >= (len(other), other.tobytes())


def _by_left(block: Block) -> tuple[int, int]:
    return block.left, block.right


def _aligned(left: UnitCodes, right: UnitCodes, rows: Indices, parameters: AlignmentParameters) -> list[Block]:
    chains = chained(_bounded(rows, len(left) + len(right)), parameters)
    if not chains:
        return []
    claimed = list(_claimed(chains, left, right, parameters))
    blocks = joined([block for block in claimed if block.matched >= parameters.min_matched], left, right, parameters)
    blocks = [block for block in blocks if _weight(block) >= parameters.min_matched]
    if 2 * sum(block.matched for block in blocks) < min(len(left), len(right)):
        return blocks
    crumbs = [block for block in claimed if block.matched < parameters.min_matched]
    return blocks + outside([block for block in crumbs if _weight(block) >= parameters.min_crumb], blocks)


def _weight(block: Block) -> float:
    """Return matched units minus the cost of differing ones, so that no set phrase grows into a passage by thin
    matches.
    """
    longer = max(block.left_end - block.left, block.right_end - block.right)
    return block.matched - MISMATCH_COST * (longer - block.matched)


def _bounded(rows: Indices, units: int) -> list[Run]:
    most = max(FEWEST_RUNS, units // UNITS_PER_RUN)
    if len(rows) > most:
        rows = rows[np.argsort(-rows[:, 2], kind="stable")[:most]]
    return sorted(as_runs(rows))


def _claimed(
    chains: Sequence[list[Run]], left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters
) -> Iterator[Block]:
    """Assign units to chains, the heaviest first; each chain then grows up to units that are already taken."""
    free_left, free_right = np.ones(len(left), dtype=np.bool_), np.ones(len(right), dtype=np.bool_)
    for chain in chains:
        stretches = [Block(tuple(runs)) for runs in _free_stretches(chain, free_left, free_right)]
        for stretch in stretches:  # none may grow into the next
            _mark(stretch, free_left, free_right, free=False)
        for stretch in stretches:
            block = _extended(stretch, left, right, free_left, free_right, parameters)
            enough = block.matched >= parameters.min_crumb
            _mark(block, free_left, free_right, free=not enough)
            if enough:
                yield block


def _extended(
    block: Block,
    left: UnitCodes,
    right: UnitCodes,
    free_left: Mask,
    free_right: Mask,
    parameters: AlignmentParameters,
) -> Block:
    """Return the block extended past both ends as long as equal units outweigh differing ones.

    It stops at units taken by another block: a repeated line makes hundreds of chains, and each would otherwise grow
    over the whole text. A fragment between two blocks, too short to be found by itself, stays free.
    """
    if block.matched < parameters.gram:
        return block
    after = slice(block.left_end, block.left_end + _leading(free_left[block.left_end :]))
    after_right = slice(block.right_end, block.right_end + _leading(free_right[block.right_end :]))
    before = slice(block.left - _leading(free_left[: block.left][::-1]), block.left)
    before_right = slice(block.right - _leading(free_right[: block.right][::-1]), block.right)
    forward = grown(left[after], right[after_right], parameters)
    backward = grown(left[before][::-1], right[before_right][::-1], parameters)
    return Block(
        (
            *(Run(block.left - run.left_end, block.right - run.right_end, run.length) for run in reversed(backward)),
            *block.runs,
            *(run.moved(block.left_end, block.right_end) for run in forward),
        )
    )


def _leading(mask: Mask) -> int:
    """Return how many values at the start are true."""
    return len(mask) if mask.all() else int(np.argmin(mask))


def _mark(block: Block, free_left: Mask, free_right: Mask, *, free: bool) -> None:
    """Mark the block's units as free or taken. Wide gaps stay free: their text may come from elsewhere."""
    for part in parts_of_block(block):
        free_left[part.left : part.left_end] = free
        free_right[part.right : part.right_end] = free


def _free_stretches(chain: list[Run], free_left: Mask, free_right: Mask) -> list[list[Run]]:
    """Return the free parts of a chain, split wherever taken units lie between them."""
    whole = Block(tuple(chain))
    if free_left[whole.left : whole.left_end].all() and free_right[whole.right : whole.right_end].all():
        return [chain]
    stretches: list[list[Run]] = []
    for part in (part for run in chain for part in _free_parts(run, free_left, free_right)):
        last = stretches[-1][-1] if stretches else None
        if (
            last is not None
            and free_left[last.left_end : part.left].all()
            and free_right[last.right_end : part.right].all()
        ):
            stretches[-1].append(part)
        else:
            stretches.append([part])
    return stretches


def _free_parts(run: Run, free_left: Mask, free_right: Mask) -> Iterator[Run]:
    free = free_left[run.left : run.left_end] & free_right[run.right : run.right_end]
    if free.all():
        yield run
        return
    if not free.any():
        return
    for start, length in true_stretches(free):
        yield Run(run.left + start, run.right + start, length)
