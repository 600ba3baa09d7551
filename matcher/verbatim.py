"""Stretches that two texts share to the character: they cannot be explained by sounding alike. Pure."""

from typing import Final

import numpy as np

from fingerprint.model import Initials, Offsets
from fingerprint.tables import code_points
from matcher.blocks import Run

LEAST: Final = 16
"""Units: what is shorter proves nothing by itself."""


def verbatim_runs(run: Run, left: Initials, right: Initials) -> list[Run]:
    """The stretches of a run, each of at least LEAST units, whose units stand for the same characters in both texts."""
    if run.length < LEAST:
        return []
    mine, theirs = _characters(left, run.left, run.left_end), _characters(right, run.right, run.right_end)
    same = (mine == theirs).all(axis=0)
    borders = np.flatnonzero(np.diff(same, prepend=False, append=False)).reshape(-1, 2)
    return [
        Run(run.left + start, run.right + start, end - start) for start, end in borders.tolist() if end - start >= LEAST
    ]


def _characters(text: Initials, start: int, end: int) -> Offsets:
    """Of each unit its first character, its last, and how many it has: a part of a word has several."""
    points = code_points(text.canonical.text)
    first, last = text.chars_from[start:end], text.chars_to[start:end] - 1
    return np.stack([points[first], points[last], last - first]).astype(np.int32)
