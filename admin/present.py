"""Two texts and their passages as parts to show: pure, exact to the code point.

The parts of a side, joined, are that side's text up to the limit: nothing is left out, doubled or reordered.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from matcher.differences import DifferenceType, Span, typed_spans
from storage.records import Passage

SHOWN_CHARS = 100_000
"""Longer texts are cut: 100,000 characters are a book chapter, and a browser still scrolls them smoothly."""

COMPARED_CHARS = 60_000
"""Passages beyond this many characters in sum are shown without their differences: typing them takes time."""


TypedSpans = Callable[[str, str], Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Part:
    """`text` stands at `start` of its side; `other` is what the other side has there. Empty text marks a gap."""

    start: int
    text: str
    difference: DifferenceType = DifferenceType.SAME
    other: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """A passage (`number` counts from 1 in the copy's order) or what stands between two (`number` is None)."""

    parts: tuple[Part, ...]
    number: int | None = None
    passage: Passage | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Side:
    blocks: tuple[Block, ...]
    chars: int
    hidden_chars: int


@dataclass(frozen=True, slots=True)
class Pair:
    copy: Side
    source: Side
    passages: tuple[Passage, ...]
    """In the order of the copy: number 1 first."""
    uncompared: int
    """How many passages are shown without their differences."""


def present(
    copy: str, source: str, passages: Iterable[Passage], *, spans: TypedSpans = typed_spans, limit: int = SHOWN_CHARS
) -> Pair:
    """Left of each passage is the copy. Passages may overlap or reach beyond the texts: each character shows once."""
    ordered = tuple(sorted(passages, key=lambda passage: (passage.left_start, passage.left_end)))
    left, right, uncompared = [], [], 0
    budget = COMPARED_CHARS
    for number, passage in enumerate(ordered, start=1):
        budget -= max(passage.left_end - passage.left_start, passage.right_end - passage.right_start)
        uncompared += budget < 0
        found = _spans(copy, source, passage, spans) if budget >= 0 else [_whole(passage)]
        parts = list(_parts(found, copy, source))
        left.append(_Placed(number, passage, passage.left_start, passage.left_end, tuple(part for part, _ in parts)))
        right.append(_Placed(number, passage, passage.right_start, passage.right_end, tuple(part for _, part in parts)))
    return Pair(_side(copy, left, limit), _side(source, right, limit), ordered, uncompared)


@dataclass(frozen=True, slots=True)
class _Placed:
    number: int
    passage: Passage
    start: int
    end: int
    parts: tuple[Part, ...]


def _whole(passage: Passage) -> Span:
    return Span(passage.left_start, passage.left_end, passage.right_start, passage.right_end, DifferenceType.SAME)


def _spans(copy: str, source: str, passage: Passage, spans: TypedSpans) -> Iterator[Span]:
    """The spans of a passage in offsets of the whole texts."""
    left = copy[passage.left_start : passage.left_end]
    right = source[passage.right_start : passage.right_end]
    for span in spans(left, right):
        yield Span(
            passage.left_start + span.left_start,
            passage.left_start + span.left_end,
            passage.right_start + span.right_start,
            passage.right_start + span.right_end,
            span.type,
        )


def _parts(found: Iterable[Span], copy: str, source: str) -> Iterator[tuple[Part, Part]]:
    """Each span as a part of the copy and a part of the source."""
    for span in found:
        left, right = copy[span.left_start : span.left_end], source[span.right_start : span.right_end]
        if span.type is DifferenceType.SAME:
            yield Part(span.left_start, left), Part(span.right_start, right)
        else:
            yield Part(span.left_start, left, span.type, right), Part(span.right_start, right, span.type, left)


def _side(text: str, placed: Iterable[_Placed], limit: int) -> Side:
    shown = min(len(text), limit)
    blocks: list[Block] = []
    cursor = 0
    for place in sorted(placed, key=lambda place: (place.start, place.number)):
        start = min(max(place.start, cursor), shown)
        end = min(max(place.end, start), shown)
        if start > cursor:
            blocks.append(Block((Part(cursor, text[cursor:start]),)))
        blocks.append(Block(tuple(_fill(text, start, end, place.parts)), place.number, place.passage))
        cursor = end
    if cursor < shown:
        blocks.append(Block((Part(cursor, text[cursor:shown]),)))
    return Side(tuple(blocks), len(text), len(text) - shown)


def _fill(text: str, start: int, end: int, parts: Iterable[Part]) -> Iterator[Part]:
    """`text[start:end]` as parts: the typed ones clipped to it, and what none of them covers as the same."""
    cursor = start
    for part in parts:
        first, last = max(part.start, cursor), min(part.end, end)
        if first > last or (part.text and first == last) or not start <= part.start <= end:
            continue
        if first > cursor:
            yield Part(cursor, text[cursor:first])
        yield Part(first, text[first:last], part.difference, part.other)
        cursor = last
    if cursor < end:
        yield Part(cursor, text[cursor:end])
