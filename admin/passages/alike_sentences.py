"""Sentences of two texts that say the same, side by side, with the particulars that agree marked. Pure.

The rows follow the copy. What the source says between them and the copy does not is listed apart: in the order of the
copy it would have no place.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from fingerprint.normalize import canonicalize
from matcher.meaning.numbers.figures import figures_in
from matcher.meaning.terms.terms import IS
from storage.records.retellings import AlikeSentences

SHOWN_CHARS: Final = 1_200
"""In characters of a stretch that the other text does not have: the beginning is enough to see what it is."""
STEP: Final = 3
"""Rows that a sentence of the source may lie behind the one before, to follow it (`matcher.meaning.stretches`)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence. `is_marked`: a particular that the other sentence has too."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class AlikeRow:
    """A sentence of the copy (left) beside one of the source. `place`: its rank among the rows in the order of the
    source, from 1. `follows`: whether both sentences come shortly after those of the row before. `gap`: what the copy
    says between the two rows.
    """

    number: int
    place: int
    left: tuple[Piece, ...]
    right: tuple[Piece, ...]
    follows: bool
    gap: str = ""
    gap_chars: int = 0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A stretch of the source that the copy does not have, cut after `SHOWN_CHARS`; `chars`: its whole length."""

    text: str
    chars: int


@dataclass(frozen=True, slots=True)
class AlikeTexts:
    """`tail`: what the copy says after the last row."""

    rows: tuple[AlikeRow, ...]
    tail: LeftOut
    left_out: tuple[LeftOut, ...]

    @property
    def left_out_chars(self) -> int:
        return sum(one.chars for one in self.left_out)


def alike_texts(copy: str, source: str, sentences: Iterable[AlikeSentences]) -> AlikeTexts:
    """The sentences side by side; left of each pair is the copy. Pairs may overlap or exceed the texts."""
    pairs = sorted(sentences, key=lambda one: (one.left_start, one.left_end))
    places = _places(pairs)
    rows, reached = [], 0
    for number, pair in enumerate(pairs, start=1):
        gap = copy[reached : max(reached, pair.left_start)].strip()
        reached = max(reached, pair.left_end)
        left, right = _marked(copy[pair.left_start : pair.left_end], source[pair.right_start : pair.right_end], pair)
        follows = number > 1 and 0 < places[number - 1] - places[number - 2] <= STEP
        rows.append(AlikeRow(number, places[number - 1], left, right, follows, gap[:SHOWN_CHARS], len(gap)))
    return AlikeTexts(tuple(rows), _stretch(copy[reached:]), tuple(_between(source, pairs)))


def _places(pairs: Sequence[AlikeSentences]) -> list[int]:
    by_source = sorted(range(len(pairs)), key=lambda number: (pairs[number].right_start, pairs[number].right_end))
    return [place for _, place in sorted(zip(by_source, range(1, len(pairs) + 1), strict=True))]


def _between(source: str, pairs: Sequence[AlikeSentences]) -> Iterator[LeftOut]:
    """The stretches of the source that no pair has, in order; without those of white space and signs."""
    edges, reached = [(0, 0)], 0
    for start, end in sorted((pair.right_start, pair.right_end) for pair in pairs):
        edges.append((max(start, reached), max(end, reached)))
        reached = max(end, reached)
    edges.append((len(source), len(source)))
    for (_, end), (start, _) in pairwise(edges):
        found = _stretch(source[end:start])
        if any(map(str.isalnum, found.text)):
            yield found


def _stretch(text: str) -> LeftOut:
    plain = text.strip()
    return LeftOut(plain[:SHOWN_CHARS], len(plain))


def _marked(left: str, right: str, pair: AlikeSentences) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    values = {value for _, _, value in figures_in(canonicalize(left).text)}
    values &= {value for _, _, value in figures_in(canonicalize(right).text)}
    one, other = (tuple(_pieces(text, _spans(text, pair.particulars, values))) for text in (left, right))
    return one, other


def _spans(text: str, particulars: Iterable[str], values: set[str]) -> list[tuple[int, int]]:
    """Where the sentence has the particulars in whatever script, case or language, and figures of the same value."""
    canonical = canonicalize(text)
    found = [(start, end) for start, end, value in figures_in(canonical.text) if value in values]
    for particular in particulars:
        for word in particular.split(IS):
            found += _occurrences(canonical.text, canonicalize(word).text)
    return [(int(canonical.starts[start]), int(canonical.starts[end - 1]) + 1) for start, end in found]


def _occurrences(text: str, piece: str) -> Iterator[tuple[int, int]]:
    start = text.find(piece) if piece else -1
    while start >= 0:
        yield start, start + len(piece)
        start = text.find(piece, start + len(piece))


def _pieces(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Piece]:
    cursor = 0
    for start, end in sorted(spans):
        first = max(start, cursor)
        if first >= end:
            continue
        if first > cursor:
            yield Piece(text[cursor:first])
        yield Piece(text[first:end], is_marked=True)
        cursor = end
    if cursor < len(text):
        yield Piece(text[cursor:])
