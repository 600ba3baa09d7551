"""Two texts in columns, character by character: corresponding characters share a column.

The shortest edit script decides. Its table is quadratic, so long texts are cut where `align` finds them equal.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from rapidfuzz.distance import Levenshtein

from fingerprint.compiling import compiled
from fingerprint.initials import to_initials
from fingerprint.model import CanonicalText
from matcher.alignment.align import Block, Mask, align
from matcher.alignment.kgrams import Indices

PIECE: Final = 2_000
"""Characters per side of one edit-distance table: 2,000 × 2,000 bits are half a megabyte."""
NOTHING: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Column `k` holds the characters `left[k]` and `right[k]` of two canonical texts, or `NOTHING` on one side."""

    left: Indices
    right: Indices


@dataclass(frozen=True, slots=True)
class _Piece:
    """Character ranges of both canonical texts."""

    left: int
    left_end: int
    right: int
    right_end: int


def columns(a: CanonicalText, b: CanonicalText) -> Columns:
    """Return columns with every character of both texts in exactly one of them, in order."""
    left_alone, right_alone = np.zeros(len(a.text), dtype=np.bool_), np.zeros(len(b.text), dtype=np.bool_)
    for piece in _pieces(a, b):
        for tag, at_left, at_right in _edits(a, b, piece):
            if tag == "delete":
                left_alone[piece.left + at_left] = True
            elif tag == "insert":
                right_alone[piece.right + at_right] = True
    return Columns(*_interleaved(left_alone, right_alone))


@compiled("Tuple((int64[::1], int64[::1]))(bool_[::1], bool_[::1])")
def _interleaved(left_alone: Mask, right_alone: Mask) -> tuple[Indices, Indices]:
    """Pair the characters that both texts have, in order; a character of one text precedes the pair that follows it."""
    left = np.full(len(left_alone) + len(right_alone), NOTHING, dtype=np.int64)
    right = left.copy()
    i = j = column = 0
    while i < len(left_alone) or j < len(right_alone):
        in_left = i < len(left_alone) and left_alone[i]
        in_right = not in_left and j < len(right_alone) and right_alone[j]
        if not in_right and i < len(left_alone):
            left[column] = i
            i += 1
        if not in_left and j < len(right_alone):
            right[column] = j
            j += 1
        column += 1
    return left[:column], right[:column]


def _edits(a: CanonicalText, b: CanonicalText, piece: _Piece) -> list[tuple[str, int, int]]:
    """Return one of the shortest edit scripts; if there are several, the same one from either side."""
    left, right = a.text[piece.left : piece.left_end], b.text[piece.right : piece.right_end]
    script = Levenshtein.editops(left, right) if left <= right else Levenshtein.editops(right, left).inverse()
    return cast("list[tuple[str, int, int]]", script.as_list())


def _pieces(a: CanonicalText, b: CanonicalText) -> Iterator[_Piece]:
    """Cut both texts at as few anchors as keep every piece within the size of a table."""
    start = last = (0, 0)
    for anchor in (*_anchors(a, b), (len(a.text), len(b.text))):
        if max(anchor[0] - start[0], anchor[1] - start[1]) > PIECE and last != start:
            yield _Piece(start[0], last[0], start[1], last[1])
            start = last
        last = anchor
    yield from _chopped(_Piece(start[0], last[0], start[1], last[1]))


def _anchors(a: CanonicalText, b: CanonicalText) -> Iterator[tuple[int, int]]:
    """Yield pairs of corresponding character positions, rising in both texts; none where no cut is needed."""
    if max(len(a.text), len(b.text)) <= PIECE:
        return
    left, right = to_initials(a), to_initials(b)
    for run in (run for block in _in_order(align(left.codes, right.codes)) for run in block.runs):
        for offset in (*range(0, run.length - 1, PIECE // 4), run.length - 1):
            yield int(left.chars_from[run.left + offset]), int(right.chars_from[run.right + offset])


def _in_order(blocks: tuple[Block, ...]) -> list[Block]:
    """Return the heaviest blocks that are in the same order in both texts."""
    kept: list[Block] = []
    for block in sorted(blocks, key=lambda block: -block.matched):
        place = bisect_left(kept, block.left, key=lambda other: other.left)
        follows = place == 0 or kept[place - 1].right_end <= block.right
        if follows and (place == len(kept) or block.right_end <= kept[place].right):
            kept.insert(place, block)
    return kept


def _chopped(piece: _Piece) -> Iterator[_Piece]:
    """Cut a piece without anchors at even lengths: its texts have little in common and are compared side by side."""
    left_size, right_size = piece.left_end - piece.left, piece.right_end - piece.right
    parts = max(1, -(-max(left_size, right_size) // PIECE))
    for part in range(parts):
        yield _Piece(
            piece.left + left_size * part // parts,
            piece.left + left_size * (part + 1) // parts,
            piece.right + right_size * part // parts,
            piece.right + right_size * (part + 1) // parts,
        )
