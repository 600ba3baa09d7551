"""Are the numbers the same, where the wording is? Template news repeats its wording and changes its facts."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from fingerprint.model import FIRST_DIGIT, UnitCodes
from matcher.align import Block, Mask, Run, true_stretches

FEWEST: Final = 5
"""Distinct numbers: with fewer, a text says nothing about facts."""
DENSEST_PROSE: Final = 0.06
"""Share of digits among the units. Numbered headings and years stay below; weather has .12, prices have .3."""
CHANGED: Final = 0.5
"""Numbers that are shared at less than this rate of the other units are other numbers."""


def numbers_differ(blocks: Sequence[Block], left: UnitCodes, right: UnitCodes) -> bool:
    """Whether what the blocks take of two texts shares its wording and not its numbers, seen from either text."""
    mirrored = [Block(tuple(Run(run.right, run.left, run.length) for run in block.runs)) for block in blocks]
    return _numbers_differ(blocks, left) and _numbers_differ(mirrored, right)


def _numbers_differ(blocks: Sequence[Block], codes: UnitCodes) -> bool:
    """A number is shared if it stands whole inside a run of equal units anywhere. Each value counts once, so that a
    unit of measure repeated in every line ("500 grams") does not hide that all the prices changed.
    """
    shared: dict[bytes, bool] = {}
    words_shared = words = 0
    for block in blocks:
        inside, in_run = codes[block.left : block.left_end], _in_runs(block)
        is_digit = inside >= FIRST_DIGIT
        words += int((~is_digit).sum())
        words_shared += int((in_run & ~is_digit).sum())
        for start, length in true_stretches(is_digit):
            value = inside[start : start + length].tobytes()
            shared[value] = shared.get(value, False) or bool(in_run[start : start + length].all())
    digits = sum(block.left_end - block.left for block in blocks) - words
    if len(shared) < FEWEST or digits < DENSEST_PROSE * (digits + words):
        return False
    return _rate(shared.values()) * words < CHANGED * words_shared


def _in_runs(block: Block) -> Mask:
    mask = np.zeros(block.left_end - block.left, dtype=np.bool_)
    for run in block.runs:
        mask[run.left - block.left : run.left_end - block.left] = True
    return mask


def _rate(flags: Iterable[bool]) -> float:
    values = list(flags)
    return sum(values) / len(values)
