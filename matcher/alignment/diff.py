"""Typed differences inside a passage, character by character."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.characters.confusables import look_alike
from fingerprint.characters.homophones import share_a_reading
from fingerprint.characters.tables import WORD_LETTER, code_points, tables
from fingerprint.model import CanonicalText
from fingerprint.normalize import canonicalize
from matcher.alignment.diff_columns import NOTHING, Columns, columns
from matcher.alignment.diff_spans import (
    DELETED,
    EDITED,
    HOMOPHONE,
    INSERTED,
    LOOKALIKE,
    SAME,
    VARIANT,
    Side,
    Types,
    spans_of,
)
from matcher.alignment.kgrams import Indices
from storage.records.differences import Differences, DifferenceType


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of both texts, in code points of each text as supplied."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    type: DifferenceType


_TYPES: Final = tuple(DifferenceType)


def typed_spans(left: str, right: str) -> list[Span]:
    """Return spans in order that together cover both texts; neighbours of one type are joined."""
    rows = _rows(left, right).tolist()
    return [Span(i, i_end, j, j_end, _TYPES[kind]) for i, i_end, j, j_end, kind in rows]


def count_differences(spans: list[Span], *, moved: bool = False) -> Differences:
    """Count characters by type, each once: those of the longer side, the left one if equal.

    `moved`: the passage is in another order, so equal characters count as moved.
    """
    return _counted(_rows_of(spans), moved=moved)


def similarity(spans: list[Span]) -> float:
    """Return the share of the longer text's characters that are the same or only written differently, 0…1."""
    return _similarity(_rows_of(spans))


def compared(left: str, right: str, *, moved: bool = False) -> tuple[float, Differences]:
    """Return `similarity` and `count_differences` of two texts, without their spans."""
    rows = _rows(left, right)
    return _similarity(rows), _counted(rows, moved=moved)


def _rows_of(spans: list[Span]) -> Indices:
    rows = [
        (span.left_start, span.left_end, span.right_start, span.right_end, _TYPES.index(span.type)) for span in spans
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


def _counted(rows: Indices, *, moved: bool) -> Differences:
    of_left, of_right = rows[:, 1] - rows[:, 0], rows[:, 3] - rows[:, 2]
    sums = np.bincount(rows[:, 4], np.maximum(of_left, of_right), minlength=len(_TYPES)).astype(np.int64)
    counts = {kind.value: int(count) for kind, count in zip(_TYPES, sums, strict=True) if kind is not _TYPES[SAME]}
    return Differences(**counts, moved=int(of_left[rows[:, 4] == SAME].sum()) if moved else 0)


def _similarity(rows: Indices) -> float:
    of_left, of_right = rows[:, 1] - rows[:, 0], rows[:, 3] - rows[:, 2]
    equal = int(of_left[(rows[:, 4] == SAME) | (rows[:, 4] == VARIANT)].sum())
    longer = max(int(of_left.sum()), int(of_right.sum()))
    return min(1.0, equal / longer) if longer else 1.0


def _rows(left: str, right: str) -> Indices:
    """Return the spans as rows of their fields; types by number."""
    if left == right:
        rows = [(0, len(left), 0, len(right), SAME)] if left else []
        return np.array(rows, dtype=np.int64).reshape(-1, 5)
    a, b = canonicalize(left), canonicalize(right)
    table = columns(a, b)
    return spans_of(_types_of(a, b, table), _side(a, table.left), _side(b, table.right))


def _side(text: CanonicalText, at: Indices) -> Side:
    letters = tables().unit_class[code_points(text.text)] > WORD_LETTER
    return at, letters, text.starts, text.ends, code_points(text.source)


def _types_of(a: CanonicalText, b: CanonicalText, table: Columns) -> Types:
    types = np.full(len(table.left), SAME, dtype=np.uint8)
    types[table.left == NOTHING] = DELETED
    types[table.right == NOTHING] = INSERTED
    paired = np.flatnonzero((table.left != NOTHING) & (table.right != NOTHING))
    left, right = table.left[paired], table.right[paired]
    written_left, written_right = code_points(a.source)[a.starts[left]], code_points(b.source)[b.starts[right]]
    one, other = code_points(a.text)[left], code_points(b.text)[right]
    types[paired[written_left != written_right]] = VARIANT
    differ = np.flatnonzero(one != other)
    types[paired[differ]] = _types_of_pairs(one[differ], other[differ])
    return types


def _types_of_pairs(one: npt.NDArray[np.uint32], other: npt.NDArray[np.uint32]) -> Types:
    pairs, inverse = np.unique((one.astype(np.uint64) << np.uint64(32)) | other, return_inverse=True)
    first, second = (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
    types = np.where(share_a_reading(first, second), HOMOPHONE, EDITED)
    types[look_alike("".join(map(chr, first)), "".join(map(chr, second)))] = LOOKALIKE
    return types.astype(np.uint8)[inverse]
