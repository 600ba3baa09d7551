"""Typed differences inside a passage, character by character."""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from fingerprint.characters.confusables import lookalike_pairs
from fingerprint.characters.tables import code_points, tables
from fingerprint.model import CanonicalText
from fingerprint.normalize import canonicalize
from matcher.alignment.diff_columns import columns
from matcher.alignment.diff_loops import (
    SAME,
    VARIANT,
    SpanTable,
    Types,
    covering,
    mark_whole_words,
    raw_spans,
    types_of,
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
    rows = span_table(left, right).tolist()
    return [Span(start, end, right_start, right_end, _TYPES[kind]) for start, end, right_start, right_end, kind in rows]


def span_table(left: str, right: str) -> SpanTable:
    """Return the same spans as rows: start and end in the left text, in the right one, place in `DifferenceType`."""
    if left == right:
        whole: SpanTable = np.array([[0, len(left), 0, len(right), SAME]], dtype=np.int64)
        return whole if left else whole[:0]
    a, b = canonicalize(left), canonicalize(right)
    found = columns(a, b)
    raw = raw_spans(found, _types(found, a, b), a.starts, a.ends, b.starts, b.ends)
    return covering(raw, code_points(left), code_points(right))


def _types(found: Indices, a: CanonicalText, b: CanonicalText) -> Types:
    known = tables()
    one, other = code_points(a.text), code_points(b.text)
    written = code_points(a.source).take(a.starts), code_points(b.source).take(b.starts)
    types = types_of(found, one, other, *written, known.read_chars, known.readings, lookalike_pairs())
    mark_whole_words(types, found, one, other, known.unit_class)
    return types


def count_differences(spans: SpanTable, *, moved: bool = False) -> Differences:
    """Count characters by type, each once: those of the longer side, the left one if equal.

    `moved`: the passage is in another order, so equal characters count as moved.
    """
    lengths, kinds = _lengths(spans), spans[:, 4]
    counted = np.bincount(kinds, lengths.max(axis=1, initial=0), minlength=len(_TYPES)).astype(np.int64).tolist()
    counts = dict.fromkeys((field.name for field in fields(Differences)), 0)
    counts |= {kind.value: counted[number] for number, kind in enumerate(_TYPES) if number != SAME}
    if moved:
        counts["moved"] = int(lengths[kinds == SAME, 0].sum())
    return Differences(**counts)


def similarity(spans: SpanTable) -> float:
    """Return the share of the longer text's characters that are the same or only written differently, 0…1."""
    lengths, kinds = _lengths(spans), spans[:, 4]
    equal = int(lengths[(kinds == SAME) | (kinds == VARIANT), 0].sum())
    longer = int(lengths.sum(axis=0).max())
    return min(1.0, equal / longer) if longer else 1.0


def _lengths(spans: SpanTable) -> Indices:
    """Return the characters of each span in the left text and in the right one."""
    return spans[:, 1:4:2] - spans[:, 0:4:2]
