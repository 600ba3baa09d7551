"""Typed differences inside a passage, character by character."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.characters.confusables import look_alike
from fingerprint.characters.homophones import share_a_reading
from fingerprint.characters.tables import WORD_LETTER, code_points, tables
from fingerprint.model import CanonicalText
from fingerprint.normalize import canonicalize
from matcher.alignment.align import Mask
from matcher.alignment.diff_columns import NOTHING, Columns, columns
from matcher.alignment.kgrams import Indices
from storage.records.differences import Differences, DifferenceType

Types: TypeAlias = npt.NDArray[np.uint8]

REWRITTEN: Final = 0.5
"""Share of a word's letters that must be kept; below it the word is another one, whatever letters they have in common.
"""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of both texts, in code points of each text as supplied."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    type: DifferenceType


_TYPES: Final = tuple(DifferenceType)
_SAME, _HOMOPHONE, _VARIANT, _LOOKALIKE, _EDITED, _INSERTED, _DELETED = range(len(_TYPES))


def typed_spans(left: str, right: str) -> list[Span]:
    """Return spans in order that together cover both texts; neighbours of one type are joined."""
    if left == right:
        return [Span(0, len(left), 0, len(right), DifferenceType.SAME)] if left else []
    a, b = canonicalize(left), canonicalize(right)
    joined: list[Span] = []
    for span in _covering(_raw_spans(a, b), left, right):
        last = joined[-1] if joined else None
        if last is not None and last.type is span.type and _touch(last, span):
            joined[-1] = Span(last.left_start, span.left_end, last.right_start, span.right_end, span.type)
        else:
            joined.append(span)
    return joined


def count_differences(spans: list[Span], *, moved: bool = False) -> Differences:
    """Count characters by type, each once: those of the longer side, the left one if equal.

    `moved`: the passage is in another order, so equal characters count as moved.
    """
    counts = dict.fromkeys((field.name for field in fields(Differences)), 0)
    for span in spans:
        if span.type is not DifferenceType.SAME:
            counts[span.type.value] += max(span.left_end - span.left_start, span.right_end - span.right_start)
    if moved:
        counts["moved"] = sum(span.left_end - span.left_start for span in spans if span.type is DifferenceType.SAME)
    return Differences(**counts)


def similarity(spans: list[Span]) -> float:
    """Return the share of the longer text's characters that are the same or only written differently, 0…1."""
    alike = {DifferenceType.SAME, DifferenceType.VARIANT}
    equal = sum(span.left_end - span.left_start for span in spans if span.type in alike)
    longer = max(
        sum(span.left_end - span.left_start for span in spans),
        sum(span.right_end - span.right_start for span in spans),
    )
    return min(1.0, equal / longer) if longer else 1.0


def _touch(one: Span, other: Span) -> bool:
    return one.left_end == other.left_start and one.right_end == other.right_start


def _raw_spans(a: CanonicalText, b: CanonicalText) -> Iterator[Span]:
    """Yield one span per stretch of columns of one type that are adjacent in both sources."""
    table = columns(a, b)
    if not len(table.left):
        return
    types = _with_whole_words(_types_of(a, b, table), a, b, table)
    left_start, left_end = _source_places(table.left, a)
    right_start, right_end = _source_places(table.right, b)
    breaks = (types[1:] != types[:-1]) | (left_start[1:] != left_end[:-1]) | (right_start[1:] != right_end[:-1])
    first = np.flatnonzero(np.concatenate(([True], breaks)))
    last = np.append(first[1:], len(types)) - 1
    edges = np.column_stack((left_start[first], left_end[last], right_start[first], right_end[last])).tolist()
    for (left, left_to, right, right_to), kind in zip(edges, types[first].tolist(), strict=True):
        yield Span(left, left_to, right, right_to, _TYPES[kind])


def _source_places(at: Indices, text: CanonicalText) -> tuple[Indices, Indices]:
    """Return start and end of each column's character in the source; a column without one is empty."""
    present = at != NOTHING
    end = np.zeros(len(at), dtype=np.int64)
    end[present] = text.ends[at[present]]
    end = np.maximum.accumulate(end)
    start = end.copy()
    start[present] = text.starts[at[present]]
    return start, end


def _types_of(a: CanonicalText, b: CanonicalText, table: Columns) -> Types:
    types = np.full(len(table.left), _SAME, dtype=np.uint8)
    types[table.left == NOTHING] = _DELETED
    types[table.right == NOTHING] = _INSERTED
    paired = np.flatnonzero((table.left != NOTHING) & (table.right != NOTHING))
    left, right = table.left[paired], table.right[paired]
    written_left, written_right = code_points(a.source)[a.starts[left]], code_points(b.source)[b.starts[right]]
    one, other = code_points(a.text)[left], code_points(b.text)[right]
    types[paired[written_left != written_right]] = _VARIANT
    differ = np.flatnonzero(one != other)
    types[paired[differ]] = _types_of_pairs(one[differ], other[differ])
    return types


def _types_of_pairs(one: npt.NDArray[np.uint32], other: npt.NDArray[np.uint32]) -> Types:
    pairs, inverse = np.unique((one.astype(np.uint64) << np.uint64(32)) | other, return_inverse=True)
    first, second = (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
    types = np.where(share_a_reading(first, second), _HOMOPHONE, _EDITED)
    types[look_alike("".join(map(chr, first)), "".join(map(chr, second)))] = _LOOKALIKE
    return types.astype(np.uint8)[inverse]


def _with_whole_words(types: Types, a: CanonicalText, b: CanonicalText, table: Columns) -> Types:
    """Mark replaced words of letters as a whole: "quick" and "rapid" have an i in common."""
    in_word = _letters_or_nothing(a, table.left) & _letters_or_nothing(b, table.right)
    starts = np.flatnonzero(in_word & ~np.concatenate(([False], in_word[:-1])))
    if not len(starts):
        return types
    has_left, has_right = table.left != NOTHING, table.right != NOTHING
    alike = (types == _SAME) | (types == _VARIANT) | (types == _LOOKALIKE)
    of_left, of_right, stayed = (
        np.add.reduceat(in_word & counted, starts, dtype=np.int64) for counted in (has_left, has_right, alike)
    )
    longer = np.maximum(of_left, of_right)
    replaced = (of_left > 0) & (of_right > 0) & (stayed < REWRITTEN * longer)
    word = np.cumsum(np.bincount(starts, minlength=len(types))) - 1
    return np.where(in_word & replaced[word], _EDITED, types).astype(np.uint8)


def _letters_or_nothing(text: CanonicalText, at: Indices) -> Mask:
    """Return which columns hold a letter of a script written with spaces, or nothing."""
    is_letter = np.append(tables().unit_class[code_points(text.text)] > WORD_LETTER, True)
    found: Mask = is_letter[at]
    return found


def _covering(spans: Iterator[Span], left: str, right: str) -> Iterator[Span]:
    """Close the gaps left by dropped characters (zero-width, control), so that the spans cover both texts."""
    at_left = at_right = 0
    for span in spans:
        if span.left_start == at_left and span.right_start == at_right:
            yield span
            at_left, at_right = span.left_end, span.right_end
            continue
        # One source character may yield several canonical ones: the later ones cover nothing more.
        left_start, right_start = max(span.left_start, at_left), max(span.right_start, at_right)
        left_end, right_end = max(span.left_end, at_left), max(span.right_end, at_right)
        yield from _gap(left, right, Span(at_left, left_start, at_right, right_start, DifferenceType.SAME))
        if left_end > left_start or right_end > right_start:
            clipped = Span(left_start, left_end, right_start, right_end, span.type)
            yield clipped if clipped == span else _renamed(left, right, clipped)
        at_left, at_right = left_end, right_end
    yield from _gap(left, right, Span(at_left, len(left), at_right, len(right), DifferenceType.SAME))


def _renamed(left: str, right: str, clipped: Span) -> Span:
    """Return the type of the rest of a span that an earlier one covers in part: ß is two letters and one character."""
    if clipped.left_start == clipped.left_end:
        return replace(clipped, type=DifferenceType.DELETED)
    if clipped.right_start == clipped.right_end:
        return replace(clipped, type=DifferenceType.INSERTED)
    if clipped.type is not DifferenceType.SAME:
        return clipped
    same = left[clipped.left_start : clipped.left_end] == right[clipped.right_start : clipped.right_end]
    return clipped if same else replace(clipped, type=DifferenceType.VARIANT)


def _gap(left: str, right: str, gap: Span) -> Iterator[Span]:
    has_left, has_right = gap.left_end > gap.left_start, gap.right_end > gap.right_start
    if has_left and left[gap.left_start : gap.left_end] == right[gap.right_start : gap.right_end]:
        yield gap
        return
    if has_left:
        yield Span(gap.left_start, gap.left_end, gap.right_start, gap.right_start, DifferenceType.INSERTED)
    if has_right:
        yield Span(gap.left_end, gap.left_end, gap.right_start, gap.right_end, DifferenceType.DELETED)
