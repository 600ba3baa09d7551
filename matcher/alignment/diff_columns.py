"""Two texts in columns, character by character: corresponding characters share a column.

The shortest edit script decides. Its table is quadratic, so long texts are cut where `align` finds them equal.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from rapidfuzz.distance import Levenshtein

from fingerprint.initials import to_initials
from fingerprint.model import CanonicalText
from matcher.alignment.align import Block, align
from matcher.alignment.diff_loops import paired
from matcher.alignment.kgrams import Indices

PIECE: Final = 2_000
"""Characters per side of one edit-distance table: 2,000 × 2,000 bits are half a megabyte."""
SHORT: Final = 1_000
"""Characters up to which the whole table is faster."""
FEW_EDITS: Final = 8
"""One character in so many is edited in most copies."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Character ranges of both canonical texts."""

    left: int
    left_end: int
    right: int
    right_end: int


def columns(a: CanonicalText, b: CanonicalText) -> Indices:
    """Return columns with every character of both texts in exactly one of them, in order.

    Two rows: the place of the column's character in each canonical text, or `diff_loops.NOTHING`.
    """
    left_alone, right_alone = np.zeros(len(a.text), dtype=np.bool_), np.zeros(len(b.text), dtype=np.bool_)
    for piece in _pieces(a, b):
        for tag, at_left, at_right in _edits(a, b, piece):
            if tag == "delete":
                left_alone[piece.left + at_left] = True
            elif tag == "insert":
                right_alone[piece.right + at_right] = True
    return paired(left_alone, right_alone)


def _edits(a: CanonicalText, b: CanonicalText, piece: _Piece) -> list[tuple[str, int, int]]:
    """Return one of the shortest edit scripts; if there are several, the same one from either side."""
    left, right = a.text[piece.left : piece.left_end], b.text[piece.right : piece.right_end]
    longer = max(len(left), len(right))
    # Of the whole table only a band is computed, three times as fast, if so few edits may do; the script is the same.
    hint = longer // FEW_EDITS if longer > SHORT else None
    if left <= right:
        script = Levenshtein.editops(left, right, score_hint=hint)
    else:
        script = Levenshtein.editops(right, left, score_hint=hint).inverse()
    return script.as_list()  # type: ignore[return-value]  # tuples, whatever the library's stub says


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
