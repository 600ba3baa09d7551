"""What changed inside a passage, character by character, each change named by its type.

The two stretches are anchored on the runs of units they share, so that only short pieces between anchors meet the
quadratic edit distance; long passages cost little more than short ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein, Opcodes

from fingerprint.homophones import are_homophones
from fingerprint.initials import to_initials
from fingerprint.lookalikes import are_lookalikes
from fingerprint.model import CanonicalText, Initials
from fingerprint.normalize import canonicalize
from matcher.align import AlignmentParameters, align
from storage.records import Differences

PIECE: Final = 1_000
"""Characters of each side that one edit-distance table may hold: 1,000 × 1,000 bits are 125 kB."""

_ANCHORS: Final = AlignmentParameters(gram=8, max_gap=PIECE, max_drift=PIECE, min_matched=8, min_chained=8)


class DifferenceType(StrEnum):
    """Left is the text asked about: `inserted` stands in it alone, `deleted` only in the right one."""

    SAME = "same"
    HOMOPHONE = "homophone"
    VARIANT = "variant"
    LOOKALIKE = "lookalike"
    EDITED = "edited"
    INSERTED = "inserted"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of both texts, in code points of each as supplied."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    type: DifferenceType


@dataclass(frozen=True, slots=True)
class _Piece:
    """Character ranges of both canonical texts."""

    left: int
    left_end: int
    right: int
    right_end: int


def typed_spans(left: str, right: str) -> list[Span]:
    """Spans in order that together cover both texts, neighbours of one type joined."""
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
    """Characters by type: of the left text, or of the right one where they are missing from the left."""
    counts = dict.fromkeys((field.name for field in fields(Differences)), 0)
    for span in spans:
        if span.type is not DifferenceType.SAME:
            counts[span.type.value] += max(span.left_end - span.left_start, span.right_end - span.right_start)
    if moved:
        counts["moved"] = sum(span.left_end - span.left_start for span in spans)
    return Differences(**counts)


def similarity(spans: list[Span]) -> float:
    """Share of characters that are the same or only written differently, of the longer text, 0…1."""
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
    for piece in _pieces(a, b):
        yield from _spans_of_piece(a, b, piece)


def _pieces(a: CanonicalText, b: CanonicalText) -> Iterator[_Piece]:
    """Cuts both texts at common anchors and then into pieces no longer than an edit-distance table may be."""
    at_left = at_right = 0
    for left, right in _anchors(to_initials(a), to_initials(b)):
        if left - at_left >= PIECE or right - at_right >= PIECE:
            yield from _chopped(_Piece(at_left, left, at_right, right))
            at_left, at_right = left, right
    yield from _chopped(_Piece(at_left, len(a.text), at_right, len(b.text)))


def _anchors(a: Initials, b: Initials) -> Iterator[tuple[int, int]]:
    """Character positions, rising in both texts, that correspond to each other."""
    blocks = align(a.codes, b.codes, _ANCHORS)
    last_right = -1
    for run in (run for block in blocks for run in block.runs):
        for offset in range(0, run.length, PIECE // 2):
            left, right = int(a.chars_from[run.left + offset]), int(b.chars_from[run.right + offset])
            if right > last_right:
                last_right = right
                yield left, right


def _chopped(piece: _Piece) -> Iterator[_Piece]:
    """Without anchors there is little in common: the pieces are compared side by side as they stand."""
    left_size, right_size = piece.left_end - piece.left, piece.right_end - piece.right
    parts = max(1, -(-max(left_size, right_size) // (2 * PIECE)))
    for part in range(parts):
        yield _Piece(
            piece.left + left_size * part // parts,
            piece.left + left_size * (part + 1) // parts,
            piece.right + right_size * part // parts,
            piece.right + right_size * (part + 1) // parts,
        )


def _spans_of_piece(a: CanonicalText, b: CanonicalText, piece: _Piece) -> Iterator[Span]:
    left, right = a.text[piece.left : piece.left_end], b.text[piece.right : piece.right_end]
    for code in _edit_script(left, right):
        left_from, right_from = piece.left + code.src_start, piece.right + code.dest_start
        left_to, right_to = piece.left + code.src_end, piece.right + code.dest_end
        if code.tag == "insert":
            yield _span(a, b, left_from, left_from, right_from, right_to, DifferenceType.DELETED)
        elif code.tag == "delete":
            yield _span(a, b, left_from, left_to, right_from, right_from, DifferenceType.INSERTED)
        elif code.tag == "equal" and _same_as_published(a, b, left_from, left_to, right_from, right_to):
            yield _span(a, b, left_from, left_to, right_from, right_to, DifferenceType.SAME)
        else:
            yield from _pairs(a, b, left_from, left_to, right_from)


def _edit_script(left: str, right: str) -> Opcodes:
    """One of the shortest edit scripts; where there are several, the same one from either side."""
    return Levenshtein.opcodes(left, right) if left <= right else Levenshtein.opcodes(right, left).inverse()


def _same_as_published(a: CanonicalText, b: CanonicalText, left: int, left_to: int, right: int, right_to: int) -> bool:
    return a.source[a.starts[left] : a.ends[left_to - 1]] == b.source[b.starts[right] : b.ends[right_to - 1]]


def _pairs(a: CanonicalText, b: CanonicalText, left: int, left_to: int, right: int) -> Iterator[Span]:
    for offset in range(left_to - left):
        i, j = left + offset, right + offset
        yield _span(a, b, i, i + 1, j, j + 1, _type_of(a, b, i, j))


def _type_of(a: CanonicalText, b: CanonicalText, i: int, j: int) -> DifferenceType:
    one, other = a.text[i], b.text[j]
    if one == other:
        same = a.source[a.starts[i] : a.ends[i]] == b.source[b.starts[j] : b.ends[j]]
        return DifferenceType.SAME if same else DifferenceType.VARIANT
    return _type_of_pair(one, other)


@lru_cache(maxsize=65_536)
def _type_of_pair(one: str, other: str) -> DifferenceType:
    """Remembered: a disguise swaps the same few pairs over and over, and a passage holds hundreds."""
    if are_lookalikes(one, other):
        return DifferenceType.LOOKALIKE
    return DifferenceType.HOMOPHONE if are_homophones(one, other) else DifferenceType.EDITED


def _span(
    a: CanonicalText, b: CanonicalText, left: int, left_to: int, right: int, right_to: int, kind: DifferenceType
) -> Span:
    return Span(*_source_range(a, left, left_to), *_source_range(b, right, right_to), kind)


def _source_range(text: CanonicalText, start: int, end: int) -> tuple[int, int]:
    if start < end:
        return int(text.starts[start]), int(text.ends[end - 1])
    at = int(text.ends[start - 1]) if start else 0
    return at, at


def _covering(spans: Iterator[Span], left: str, right: str) -> Iterator[Span]:
    """Closes the gaps that dropped characters (zero-width, control) leave, so that the spans cover both texts."""
    at_left = at_right = 0
    for span in spans:
        # One source character may stand for several canonical ones: its later parts cover nothing more.
        left_start, right_start = max(span.left_start, at_left), max(span.right_start, at_right)
        left_end, right_end = max(span.left_end, at_left), max(span.right_end, at_right)
        yield from _gap(left, right, Span(at_left, left_start, at_right, right_start, DifferenceType.SAME))
        if left_end > left_start or right_end > right_start:
            clipped = Span(left_start, left_end, right_start, right_end, span.type)
            yield clipped if clipped == span else _renamed(left, right, clipped)
        at_left, at_right = left_end, right_end
    yield from _gap(left, right, Span(at_left, len(left), at_right, len(right), DifferenceType.SAME))


def _renamed(left: str, right: str, clipped: Span) -> Span:
    """What is left of a span whose characters an earlier one has covered in part: ß is two letters, and one sign."""
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
