"""The compiled loops of the differences do what plain Python does, character by character."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from fingerprint.characters import tables as characters
from fingerprint.characters.confusables import are_lookalikes
from fingerprint.characters.homophones import are_homophones
from fingerprint.model import CanonicalText
from fingerprint.normalize import canonicalize
from matcher.alignment import diff_loops
from matcher.alignment.diff import Span, typed_spans
from matcher.alignment.diff_columns import columns as columns_of
from storage.records.differences import DifferenceType as D

AWKWARD = st.text(
    st.sampled_from("己已他她它体體Ａaeо\u0301\u200b\ufeff\0\ud800\n 。，0o１㈠々〇𠮷①ßﬁ㎏бbquickrapid"), max_size=60
)

Columns = list[tuple[int | None, int | None]]


def plain_columns(a: CanonicalText, b: CanonicalText) -> Columns:
    """The columns of the edit script; a character that is alone precedes the pair after it."""
    forth = a.text <= b.text
    script = Levenshtein.editops(a.text, b.text) if forth else Levenshtein.editops(b.text, a.text).inverse()
    left_alone = {edit.src_pos for edit in script if edit.tag == "delete"}
    right_alone = {edit.dest_pos for edit in script if edit.tag == "insert"}
    found: Columns = []
    left, right = iter(range(len(a.text))), list(range(len(b.text)))
    for at in left:
        if at in left_alone:
            found.append((at, None))
            continue
        while right[0] in right_alone:
            found.append((None, right.pop(0)))
        found.append((at, right.pop(0)))
    return found + [(None, at) for at in right]


def type_of(column: tuple[int | None, int | None], a: CanonicalText, b: CanonicalText) -> D:
    left, right = column
    if left is None or right is None:
        return D.DELETED if left is None else D.INSERTED
    one, other = a.text[left], b.text[right]
    if one == other:
        return D.SAME if a.source[a.starts[left]] == b.source[b.starts[right]] else D.VARIANT
    if are_lookalikes(one, other):
        return D.LOOKALIKE
    return D.HOMOPHONE if are_homophones(one, other) else D.EDITED


def in_word(column: tuple[int | None, int | None], a: CanonicalText, b: CanonicalText) -> bool:
    classes = characters.tables().unit_class
    sides = [text.text[at] for text, at in zip((a, b), column, strict=True) if at is not None]
    return all(classes[ord(char)] > characters.WORD_LETTER for char in sides)


def plain_types(found: Columns, a: CanonicalText, b: CanonicalText) -> list[D]:
    types = [type_of(column, a, b) for column in found]
    edges = [-1, *(number for number, column in enumerate(found) if not in_word(column, a, b)), len(found)]
    for before, after in pairwise(edges):
        word = range(before + 1, after)
        letters = [sum(found[number][side] is not None for number in word) for side in (0, 1)]
        stayed = sum(types[number] in {D.SAME, D.VARIANT, D.LOOKALIKE} for number in word)
        if min(letters) and stayed < diff_loops.REWRITTEN * max(letters):
            types[before + 1 : after] = [D.EDITED] * len(word)
    return types


def joined(spans: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    for span in spans:
        last = found[-1] if found else None
        if last and last.type is span.type and (last.left_end, last.right_end) == (span.left_start, span.right_start):
            found[-1] = replace(last, left_end=span.left_end, right_end=span.right_end)
        else:
            found.append(span)
    return found


def spans_of_columns(a: CanonicalText, b: CanonicalText) -> Iterator[Span]:
    found = plain_columns(a, b)
    at = right_at = 0
    for (one, other), kind in zip(found, plain_types(found, a, b), strict=True):
        start, end = (at, at) if one is None else (int(a.starts[one]), int(a.ends[one]))
        right_start, right_end = (right_at, right_at) if other is None else (int(b.starts[other]), int(b.ends[other]))
        at, right_at = max(at, end), max(right_at, right_end)
        yield Span(start, at, right_start, right_at, kind)


def gap(left: str, right: str, at: int, end: int, right_at: int, right_end: int) -> Iterator[Span]:
    if at < end and left[at:end] == right[right_at:right_end]:
        yield Span(at, end, right_at, right_end, D.SAME)
        return
    if at < end:
        yield Span(at, end, right_at, right_at, D.INSERTED)
    if right_at < right_end:
        yield Span(end, end, right_at, right_end, D.DELETED)


def clipped(span: Span, at: int, right_at: int, left: str, right: str) -> Span:
    """The rest of a span of which the columns before have covered a part."""
    start, end = max(span.left_start, at), max(span.left_end, at)
    right_start, right_end = max(span.right_start, right_at), max(span.right_end, right_at)
    rest = Span(start, end, right_start, right_end, span.type)
    if rest == span:
        return span
    if start == end or right_start == right_end:
        return replace(rest, type=D.DELETED if start == end else D.INSERTED)
    is_changed = span.type is D.SAME and left[start:end] != right[right_start:right_end]
    return replace(rest, type=D.VARIANT) if is_changed else rest


def plain_spans(left: str, right: str) -> Iterator[Span]:
    at = right_at = 0
    for span in joined(spans_of_columns(canonicalize(left), canonicalize(right))):
        rest = clipped(span, at, right_at, left, right)
        yield from gap(left, right, at, rest.left_start, right_at, rest.right_start)
        if rest.left_start < rest.left_end or rest.right_start < rest.right_end:
            yield rest
        at, right_at = rest.left_end, rest.right_end
    yield from gap(left, right, at, len(left), right_at, len(right))


@settings(max_examples=500, deadline=None)
@given(AWKWARD, AWKWARD)
@example("the quick fox", "the rapid fox")
@example("㈠", "00")
def test_spans_are_those_of_plain_python(left: str, right: str) -> None:
    expected = joined(plain_spans(left, right)) if left != right else typed_spans(left, right)

    assert typed_spans(left, right) == expected


@settings(max_examples=200, deadline=None)
@given(AWKWARD, AWKWARD)
def test_columns_are_laid_as_the_script_says(left: str, right: str) -> None:
    a, b = canonicalize(left), canonicalize(right)

    none = diff_loops.NOTHING
    columns = zip(*columns_of(a, b).tolist(), strict=True)
    assert [tuple(None if at == none else at for at in column) for column in columns] == plain_columns(a, b)


def test_types_are_numbered_in_their_order() -> None:
    names = ["SAME", "HOMOPHONE", "VARIANT", "LOOKALIKE", "EDITED", "INSERTED", "DELETED"]

    assert [getattr(diff_loops, name) for name in names] == list(range(len(D)))
    assert [kind.name for kind in D] == names
    assert diff_loops.WORD_LETTER == characters.WORD_LETTER


@pytest.mark.parametrize(("left", "right"), [(0, 0), (0, 3), (1_000_000, 1_000_000), (1, 1_000_000)])
@pytest.mark.parametrize("are_alone", [True, False])
def test_hostile_columns_are_laid(left: int, right: int, *, are_alone: bool) -> None:
    """Also masks that do not fit each other: as many as one text has more than the other are alone."""
    columns = diff_loops.paired(np.full(left, are_alone), np.full(right, are_alone))

    assert columns[0][columns[0] >= 0].tolist() == list(range(left))
    assert columns[1][columns[1] >= 0].tolist() == list(range(right))
