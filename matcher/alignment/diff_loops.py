"""Compiled loops of the differences: columns of two texts, their types, and the spans that they make."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from matcher.alignment.blocks import Mask
from matcher.alignment.kgrams import Grams, Indices

Points: TypeAlias = npt.NDArray[np.uint32]
Places: TypeAlias = npt.NDArray[np.int32]
Types: TypeAlias = npt.NDArray[np.uint8]
SpanTable: TypeAlias = npt.NDArray[np.int64]
"""A row per span: start and end in the left text, start and end in the right one, type."""

NOTHING: Final = -1
"""The place of a column without a character on that side."""
SAME, HOMOPHONE, VARIANT, LOOKALIKE, EDITED, INSERTED, DELETED = range(7)
"""Types as numbers, in the order of `DifferenceType`."""
WORD_LETTER: Final = 64
"""Classes above this are letters of words (`fingerprint.characters.tables.WORD_LETTER`)."""
REWRITTEN: Final = 0.5
"""Share of a word's letters that must be kept; below it the word is another one, whatever letters they have in common.
"""


@compiled("int64[:, ::1](boolean[::1], boolean[::1])")
def paired(left_alone: Mask, right_alone: Mask) -> Indices:
    """Return the columns, a row of places for each text. Characters that are alone precede the pair after them."""
    found = np.full((2, len(left_alone) + len(right_alone)), NOTHING, dtype=np.int64)
    left = right = column = 0
    while left < len(left_alone) or right < len(right_alone):
        if left < len(left_alone) and (left_alone[left] or right == len(right_alone)):
            found[0, column] = left
            left += 1
        elif right < len(right_alone) and (right_alone[right] or left == len(left_alone)):
            found[1, column] = right
            right += 1
        else:
            found[0, column], found[1, column] = left, right
            left += 1
            right += 1
        column += 1
    return found[:, :column].copy()


@compiled("int64(Array(uint32, 1, 'C', True), uint32)")
def place_of(ordered: Points, point: int) -> int:
    """Return the place of the first number that is not smaller."""
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < point:
            low = middle + 1
        else:
            high = middle
    return low


@compiled("boolean(uint32, uint32, Array(uint32, 1, 'C', True), Array(uint16, 2, 'C', True))")
def sound_alike(one: int, other: int, read: Points, readings: "npt.NDArray[np.uint16]") -> bool:
    """Return whether two characters have a reading in common. `read`: characters with `readings`, ascending."""
    first, second = place_of(read, one), place_of(read, other)
    if first == len(read) or second == len(read) or read[first] != one or read[second] != other:
        return False
    for number in readings[first]:
        for same in readings[second]:
            if number and number == same:
                return True
    return False


@compiled("boolean(uint32, uint32, Array(uint64, 1, 'C', True))")
def look_alike(one: int, other: int, pairs: Grams) -> bool:
    """Return whether the pair, as one number of twice 32 bits, is among `pairs`, which ascend."""
    wanted = np.uint64(one) << np.uint64(32) | np.uint64(other)
    low, high = 0, len(pairs)
    while low < high:
        middle = (low + high) // 2
        if pairs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < len(pairs) and pairs[low] == wanted


@compiled(
    "uint8[::1](int64[:, ::1], Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True), "
    "Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True), "
    "Array(uint32, 1, 'C', True), Array(uint16, 2, 'C', True), Array(uint64, 1, 'C', True))"
)
def types_of(
    columns: Indices,
    left: Points,
    right: Points,
    left_written: Points,
    right_written: Points,
    read: Points,
    readings: "npt.NDArray[np.uint16]",
    lookalikes: Grams,
) -> Types:
    """Return the type of each column. `left`, `right`: canonical characters; `…_written`: as published."""
    types = np.full(columns.shape[1], SAME, dtype=np.uint8)
    for column in range(columns.shape[1]):
        at, other = columns[0, column], columns[1, column]
        if at == NOTHING:
            types[column] = DELETED
        elif other == NOTHING:
            types[column] = INSERTED
        elif left[at] == right[other]:
            types[column] = SAME if left_written[at] == right_written[other] else VARIANT
        elif look_alike(left[at], right[other], lookalikes):
            types[column] = LOOKALIKE
        else:
            alike = sound_alike(left[at], right[other], read, readings)
            types[column] = HOMOPHONE if alike else EDITED
    return types


@compiled(
    "void(uint8[::1], int64[:, ::1], Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True), "
    "Array(uint8, 1, 'C', True))"
)
def mark_whole_words(types: Types, columns: Indices, left: Points, right: Points, classes: Types) -> None:
    """Mark replaced words of letters as a whole: "quick" and "rapid" have an i in common."""
    begun = of_left = of_right = stayed = 0
    for column in range(columns.shape[1] + 1):
        in_word = False
        if column < columns.shape[1]:
            at, other = columns[0, column], columns[1, column]
            in_word = (at == NOTHING or classes[left[at]] > WORD_LETTER) and (
                other == NOTHING or classes[right[other]] > WORD_LETTER
            )
        if in_word:
            of_left += columns[0, column] != NOTHING
            of_right += columns[1, column] != NOTHING
            stayed += types[column] == SAME or types[column] == VARIANT or types[column] == LOOKALIKE
            continue
        if of_left and of_right and stayed < REWRITTEN * max(of_left, of_right):
            types[begun:column] = EDITED
        begun, of_left, of_right, stayed = column + 1, 0, 0, 0


@compiled(
    "int64[:, ::1](int64[:, ::1], uint8[::1], Array(int32, 1, 'C', True), Array(int32, 1, 'C', True), "
    "Array(int32, 1, 'C', True), Array(int32, 1, 'C', True))"
)
def raw_spans(
    columns: Indices, types: Types, starts: Places, ends: Places, right_starts: Places, right_ends: Places
) -> SpanTable:
    """Return a span for each stretch of columns of one type that are adjacent in both sources.

    `starts`, `ends`: of each canonical character in the source. A column without a character is empty there.
    """
    spans = np.empty((columns.shape[1], 5), dtype=np.int64)
    count = left_end = right_end = 0
    for column in range(columns.shape[1]):
        at, other = columns[0, column], columns[1, column]
        left_start, right_start = left_end, right_end
        if at != NOTHING:
            left_start, left_end = int(starts[at]), max(left_end, int(ends[at]))
        if other != NOTHING:
            right_start, right_end = int(right_starts[other]), max(right_end, int(right_ends[other]))
        last = spans[max(count - 1, 0)]
        if count and last[4] == types[column] and last[1] == left_start and last[3] == right_start:
            last[1], last[3] = left_end, right_end
        else:
            row = spans[count]
            row[0], row[1], row[2], row[3], row[4] = left_start, left_end, right_start, right_end, types[column]
            count += 1
    return spans[:count].copy()


@compiled("boolean(Array(uint32, 1, 'C', True), int64, int64, Array(uint32, 1, 'C', True), int64, int64)")
def are_equal(left: Points, start: int, end: int, right: Points, right_start: int, right_end: int) -> bool:
    """Return whether a stretch of one text is a stretch of the other."""
    step = 0
    while step < min(end - start, right_end - right_start) and left[start + step] == right[right_start + step]:
        step += 1
    return step == end - start == right_end - right_start


@compiled("int64(int64[:, ::1], int64, int64, int64, int64, int64, int64)")
def added(spans: SpanTable, count: int, start: int, end: int, right_start: int, right_end: int, kind: int) -> int:
    """Add a span, joined with the last one if it is of one type with it and touches it; return the number of spans."""
    last = spans[max(count - 1, 0)]
    if count and last[4] == kind and last[1] == start and last[3] == right_start:
        last[1], last[3] = end, right_end
        return count
    row = spans[count]
    row[0], row[1], row[2], row[3], row[4] = start, end, right_start, right_end, kind
    return count + 1


@compiled(
    "int64(int64[:, ::1], int64, Array(uint32, 1, 'C', True), int64, int64, Array(uint32, 1, 'C', True), int64, int64)"
)
def gap_added(
    spans: SpanTable, count: int, left: Points, start: int, end: int, right: Points, right_start: int, right_end: int
) -> int:
    """Add what lies between two spans: dropped characters (zero-width, control) of either text."""
    if end > start and are_equal(left, start, end, right, right_start, right_end):
        return added(spans, count, start, end, right_start, right_end, SAME)
    if end > start:
        count = added(spans, count, start, end, right_start, right_start, INSERTED)
    if right_end > right_start:
        count = added(spans, count, end, end, right_start, right_end, DELETED)
    return count


@compiled("int64[:, ::1](int64[:, ::1], Array(uint32, 1, 'C', True), Array(uint32, 1, 'C', True))")
def covering(raw: SpanTable, left: Points, right: Points) -> SpanTable:
    """Return the spans with the gaps between them closed, neighbours of one type joined. `left`, `right`: the sources.

    One source character may make several canonical ones: the later ones cover nothing more. The rest of a span that an
    earlier one covers in part may be of another type: ß is two letters and one character.
    """
    spans = np.empty((3 * len(raw) + 2, 5), dtype=np.int64)
    count = at = right_at = 0
    for row in raw:
        start, right_start = max(row[0], at), max(row[2], right_at)
        end, right_end, kind = max(row[1], at), max(row[3], right_at), row[4]
        count = gap_added(spans, count, left, at, start, right, right_at, right_start)
        if start != row[0] or end != row[1] or right_start != row[2] or right_end != row[3]:
            if start == end:
                kind = DELETED
            elif right_start == right_end:
                kind = INSERTED
            elif kind == SAME and not are_equal(left, start, end, right, right_start, right_end):
                kind = VARIANT
        if end > start or right_end > right_start:
            count = added(spans, count, start, end, right_start, right_end, kind)
        at, right_at = end, right_end
    count = gap_added(spans, count, left, at, len(left), right, right_at, len(right))
    return spans[:count].copy()
