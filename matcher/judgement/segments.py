"""Segments: blocks cut where boilerplate begins and ends, so that a paragraph beside a legal notice counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from matcher.alignment.align import Block, Mask, Run
from matcher.judgement.run_units import SLIVER


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a block that is entirely boilerplate, or contains none."""

    block: Block
    is_boilerplate: bool
    goes_on: bool = False
    """Whether the previous part belongs to the same block."""


def parts_of(blocks: Sequence[Block], ignored: Mask) -> list[Part]:
    """Return the blocks in order, each cut where boilerplate begins or ends in the left text."""
    return [part for block in blocks for part in _cut(block, ignored)]


def _cut(block: Block, ignored: Mask) -> Iterator[Part]:
    if not ignored[block.left : block.left_end].any():
        yield Part(block, is_boilerplate=False)
        return
    pieces = [piece for run in block.runs for piece in _pieces(run, ignored)]
    status = [is_ignored or run.length < SLIVER for run, is_ignored in pieces]
    numbered = zip(status, pieces, strict=True)
    for number, (is_boilerplate, group) in enumerate(groupby(numbered, key=lambda item: item[0])):
        yield Part(Block(tuple(run for _, (run, _) in group)), is_boilerplate, goes_on=number > 0)


def _pieces(run: Run, ignored: Mask) -> Iterator[tuple[Run, bool]]:
    inside = ignored[run.left : run.left_end]
    cuts = [0, *(np.flatnonzero(np.diff(inside.astype(np.int8))) + 1).tolist(), run.length]
    for start, end in pairwise(cuts):
        yield Run(run.left + start, run.right + start, end - start), bool(inside[start])


def stretches(parts: Sequence[Part]) -> list[Part]:
    """Return the parts as displayed: a set phrase inside a copied stretch does not split it.

    Boilerplate at the end of a block, or longer than the text on one of its sides, stays a part of its own.
    """
    shown: list[Part] = []
    for part in parts:
        if part.goes_on and not part.is_boilerplate and len(shown) > 1 and shown[-1].goes_on:
            before, phrase = shown[-2:]
            if not before.is_boilerplate and phrase.block.matched <= min(before.block.matched, part.block.matched):
                shown[-2:] = [replace(before, block=Block(before.block.runs + phrase.block.runs + part.block.runs))]
                continue
        shown.append(part)
    return shown
