"""The typed spans of two texts in plain Python, from their columns: (left, left_end, right, right_end, type)."""

from collections.abc import Iterator
from itertools import groupby

from fingerprint.characters.confusables import are_lookalikes
from fingerprint.characters.homophones import are_homophones
from fingerprint.characters.tables import WORD_LETTER, code_points, tables
from fingerprint.model import CanonicalText
from fingerprint.normalize import canonicalize
from matcher.alignment.diff_columns import NOTHING, columns
from storage.records.differences import DifferenceType as D

Span = tuple[int, int, int, int, D]
Column = tuple[int, int]
ALIKE = (D.SAME, D.VARIANT, D.LOOKALIKE)


def typed_spans(left: str, right: str) -> list[Span]:
    a, b = canonicalize(left), canonicalize(right)
    table = columns(a, b)
    cells = list(zip(table.left.tolist(), table.right.tolist(), strict=True))
    types = with_whole_words(cells, [type_of(a, b, cell) for cell in cells], a, b)
    found: list[Span] = []
    for span in covering(list(raw_spans(cells, types, a, b)), left, right):
        last = found[-1] if found else None
        if last and (last[1], last[3], last[4]) == (span[0], span[2], span[4]):
            found[-1] = (last[0], span[1], last[2], span[3], span[4])
        else:
            found.append(span)
    return found


def type_of(a: CanonicalText, b: CanonicalText, cell: Column) -> D:
    i, j = cell
    if NOTHING in cell:
        return D.DELETED if i == NOTHING else D.INSERTED
    if a.text[i] == b.text[j]:
        return D.SAME if a.source[a.starts[i]] == b.source[b.starts[j]] else D.VARIANT
    if are_lookalikes(a.text[i], b.text[j]):
        return D.LOOKALIKE
    return D.HOMOPHONE if are_homophones(a.text[i], b.text[j]) else D.EDITED


def is_letter(text: CanonicalText, at: int) -> bool:
    return at == NOTHING or bool(tables().unit_class[code_points(text.text)][at] > WORD_LETTER)


def with_whole_words(cells: list[Column], types: list[D], a: CanonicalText, b: CanonicalText) -> list[D]:
    numbers = range(len(cells))
    found = list(types)
    for in_word, group in groupby(numbers, lambda k: is_letter(a, cells[k][0]) and is_letter(b, cells[k][1])):
        word = list(group)
        of_left, of_right = (sum(cells[k][side] != NOTHING for k in word) for side in (0, 1))
        stayed = sum(types[k] in ALIKE for k in word)
        if in_word and of_left and of_right and stayed < 0.5 * max(of_left, of_right):
            found[word[0] : word[-1] + 1] = [D.EDITED] * len(word)
    return found


def raw_spans(cells: list[Column], types: list[D], a: CanonicalText, b: CanonicalText) -> Iterator[Span]:
    span: Span | None = None
    reached = [0, 0]
    for (i, j), kind in zip(cells, types, strict=True):
        begins = list(reached)
        for side, text, at in ((0, a, i), (1, b, j)):
            if at != NOTHING:
                begins[side], reached[side] = int(text.starts[at]), max(reached[side], int(text.ends[at]))
        if span and (span[1], span[3], span[4]) == (begins[0], begins[1], kind):
            span = (span[0], reached[0], span[2], reached[1], kind)
            continue
        if span:
            yield span
        span = (begins[0], reached[0], begins[1], reached[1], kind)
    if span:
        yield span


def covering(spans: list[Span], left: str, right: str) -> Iterator[Span]:
    at_left = at_right = 0
    for i, i_end, j, j_end, kind in spans:
        start, end = max(i, at_left), max(i_end, at_left)
        start_right, end_right = max(j, at_right), max(j_end, at_right)
        yield from gap(left, right, at_left, start, at_right, start_right)
        clipped = (start, end, start_right, end_right, kind)
        if (start, start_right) != (end, end_right):
            yield clipped if clipped == (i, i_end, j, j_end, kind) else renamed(left, right, clipped)
        at_left, at_right = end, end_right
    yield from gap(left, right, at_left, len(left), at_right, len(right))


def gap(left: str, right: str, i: int, i_end: int, j: int, j_end: int) -> Iterator[Span]:
    if i_end > i and left[i:i_end] == right[j:j_end]:
        yield i, i_end, j, j_end, D.SAME
        return
    if i_end > i:
        yield i, i_end, j, j, D.INSERTED
    if j_end > j:
        yield i_end, i_end, j, j_end, D.DELETED


def renamed(left: str, right: str, span: Span) -> Span:
    i, i_end, j, j_end, kind = span
    if i == i_end:
        return i, i_end, j, j_end, D.DELETED
    if j == j_end:
        return i, i_end, j, j_end, D.INSERTED
    is_variant = kind is D.SAME and left[i:i_end] != right[j:j_end]
    return i, i_end, j, j_end, D.VARIANT if is_variant else kind
