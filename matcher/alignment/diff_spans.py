"""Spans of one type that together cover two texts, from typed columns of their characters. Compiled.

A span is a row (start and end in the left text, start and end in the right one, type), in code points of the texts as
supplied.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from fingerprint.model import Offsets
from matcher.alignment.blocks import Mask
from matcher.alignment.diff_columns import NOTHING
from matcher.alignment.kgrams import Indices

Types: TypeAlias = npt.NDArray[np.uint8]
Characters: TypeAlias = npt.NDArray[np.uint32]
Side: TypeAlias = tuple[Indices, Mask, Offsets, Offsets, Characters]
"""Of one text: the canonical character of each column, which canonical characters are letters of a script written with
spaces, where each begins and ends in the source, and the source."""

SAME, HOMOPHONE, VARIANT, LOOKALIKE, EDITED, INSERTED, DELETED = range(7)
"""The numbers of `DifferenceType`."""

REWRITTEN: Final = 0.5
"""Share of a word's letters that must be kept; below it the word is another one, whatever letters they have in common.
"""

_SIDE: Final = (
    "Tuple((int64[::1], bool_[::1], Array(int32, 1, 'C', readonly=True), Array(int32, 1, 'C', readonly=True), "
    "Array(uint32, 1, 'C', readonly=True)))"
)


@compiled()
def _mark_whole_words(types: Types, at_left: Indices, in_left: Mask, at_right: Indices, in_right: Mask) -> None:
    """Mark replaced words of letters as a whole: "quick" and "rapid" have an i in common."""
    start = of_left = of_right = stayed = 0
    for column in range(len(types) + 1):
        is_inside = False
        if column < len(types):
            i, j = at_left[column], at_right[column]
            is_inside = (i == NOTHING or in_left[i]) and (j == NOTHING or in_right[j])
        if is_inside:
            of_left += i != NOTHING
            of_right += j != NOTHING
            stayed += types[column] in (SAME, VARIANT, LOOKALIKE)
            continue
        if of_left > 0 and of_right > 0 and stayed < REWRITTEN * max(of_left, of_right):
            for place in range(start, column):
                types[place] = EDITED
        start, of_left, of_right, stayed = column + 1, 0, 0, 0


@compiled()
def _equal(left: Side, right: Side, span: Indices) -> bool:
    """Return whether a span has the same characters in both sources."""
    if span[1] - span[0] != span[3] - span[2]:
        return False
    offset = 0
    while offset < span[1] - span[0] and left[4][span[0] + offset] == right[4][span[2] + offset]:
        offset += 1
    return bool(offset == span[1] - span[0])


@compiled()
def _add(rows: Indices, used: int, span: Indices) -> int:
    """Add a span, joined with the last one if both are of one type and adjacent; return the number of spans."""
    last = rows[max(0, used - 1)]
    if used and last[4] == span[4] and last[1] == span[0] and last[3] == span[2]:
        last[1], last[3] = span[1], span[3]
        return used
    for part in range(5):
        rows[used, part] = span[part]
    return used + 1


@compiled()
def _add_gap(rows: Indices, used: int, gap: Indices, left: Side, right: Side) -> int:
    """Add what no column covers: dropped characters (zero-width, control)."""
    if gap[1] > gap[0] and _equal(left, right, gap):
        gap[4] = SAME
        return _add(rows, used, gap)
    if gap[1] > gap[0]:
        used = _add(rows, used, np.array([gap[0], gap[1], gap[2], gap[2], INSERTED]))
    if gap[3] > gap[2]:
        used = _add(rows, used, np.array([gap[1], gap[1], gap[2], gap[3], DELETED]))
    return used


@compiled()
def _add_covering(rows: Indices, used: int, span: Indices, reached: Indices, left: Side, right: Side) -> int:
    """Add a span, and the gap before it. One source character may yield several canonical ones: the later ones cover
    nothing more.
    """
    if span[0] == reached[0] and span[2] == reached[2]:
        reached[0], reached[2] = span[1], span[3]
        return _add(rows, used, span)
    clipped = span.copy()
    for side in (0, 2):
        clipped[side], clipped[side + 1] = max(span[side], reached[side]), max(span[side + 1], reached[side])
    is_whole = clipped[0] == span[0] and clipped[1] == span[1] and clipped[2] == span[2] and clipped[3] == span[3]
    gap = np.array([reached[0], clipped[0], reached[2], clipped[2], SAME])
    used = _add_gap(rows, used, gap, left, right)
    if clipped[1] > clipped[0] or clipped[3] > clipped[2]:
        if not is_whole:
            clipped[4] = _type_of_rest(clipped, left, right)
        used = _add(rows, used, clipped)
    reached[0], reached[2] = clipped[1], clipped[3]
    return used


@compiled()
def _type_of_rest(clipped: Indices, left: Side, right: Side) -> int:
    """Return the type of the rest of a span that an earlier one covers in part: ß is two letters and one character."""
    if clipped[0] == clipped[1]:
        return DELETED
    if clipped[2] == clipped[3]:
        return INSERTED
    if clipped[4] != SAME:
        return int(clipped[4])
    return SAME if _equal(left, right, clipped) else VARIANT


@compiled(f"int64[:, ::1](uint8[::1], {_SIDE}, {_SIDE})")
def spans_of(types: Types, left: Side, right: Side) -> Indices:
    """Return rows that cover both texts in order; neighbours of one type are joined. `types` is changed."""
    at_left, letters_left, left_starts, left_ends, left_source = left
    at_right, letters_right, right_starts, right_ends, right_source = right
    _mark_whole_words(types, at_left, letters_left, at_right, letters_right)
    # For each column at most its span and the two parts of the gap before it; a gap at the end.
    rows, used = np.empty((3 * len(types) + 2, 5), dtype=np.int64), 0
    reached, span = np.zeros(4, dtype=np.int64), np.zeros(5, dtype=np.int64)
    for column in range(len(types)):
        left_start = left_end = span[1]  # a column without a character is empty
        right_start = right_end = span[3]
        if at_left[column] != NOTHING:
            left_start, left_end = left_starts[at_left[column]], max(left_end, left_ends[at_left[column]])
        if at_right[column] != NOTHING:
            right_start, right_end = right_starts[at_right[column]], max(right_end, right_ends[at_right[column]])
        if column and types[column] == span[4] and left_start == span[1] and right_start == span[3]:
            span[1], span[3] = left_end, right_end
            continue
        if column:
            used = _add_covering(rows, used, span, reached, left, right)
        span[0], span[1], span[2], span[3], span[4] = left_start, left_end, right_start, right_end, types[column]
    if len(types):
        used = _add_covering(rows, used, span, reached, left, right)
    rest = np.array([reached[0], len(left_source), reached[2], len(right_source), SAME])
    used = _add_gap(rows, used, rest, left, right)
    return rows[:used]
