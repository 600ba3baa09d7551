"""Two texts and their passages as parts to show: pure, exact to the code point.

The parts of a side, in order, are that side's text: nothing is doubled or reordered, and what is left out is counted.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from matcher.alignment.diff import DifferenceType, Span, typed_spans
from matcher.discounts.quotations import quoted_spans
from storage.records.matches import Passage

SHOWN_CHARS = 100_000
"""No more of a text is shown: 100,000 characters are a book chapter, and a browser still scrolls them smoothly."""

WHOLE_CHARS = 20_000
"""Of longer texts only what is near a passage is shown."""

NEAR_CHARS = 1_000
"""How near: about two screens, before and behind."""

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
    is_quoted: bool = False
    """Whether it stands in quotation marks, which are allowed to hold another's words."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """A passage (`number` counts from 1 in the copy's order) or what stands between two (`number` is None).

    `left_out`: so many characters stand here that are far from every passage, and are not shown.
    """

    parts: tuple[Part, ...]
    number: int | None = None
    passage: Passage | None = None
    left_out: int = 0

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Side:
    """`hidden_chars`: how much of the end is not shown; what is left out between passages is not counted in."""

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

    @property
    def has_quotations(self) -> bool:
        blocks = (*self.copy.blocks, *self.source.blocks)
        return any(part.is_quoted for block in blocks for part in block.parts)


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
    of_copy, of_source = _quoted(_side(copy, left, limit), copy), _quoted(_side(source, right, limit), source)
    return Pair(of_copy, of_source, ordered, uncompared)


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
    return (parts_of(span, copy, source) for span in found)


def parts_of(span: Span, left: str, right: str) -> tuple[Part, Part]:
    """A span as a part of each text; where they differ, each part knows what the other text has."""
    a, b = left[span.left_start : span.left_end], right[span.right_start : span.right_end]
    if span.type is DifferenceType.SAME:
        return Part(span.left_start, a), Part(span.right_start, b)
    return Part(span.left_start, a, span.type, b), Part(span.right_start, b, span.type, a)


def _side(text: str, placed: Iterable[_Placed], limit: int) -> Side:
    sheet = _Sheet(text, limit, NEAR_CHARS if len(text) > WHOLE_CHARS else len(text))
    cursor = 0
    for place in sorted(placed, key=lambda place: (place.start, place.number)):
        start = min(max(place.start, cursor), len(text))
        end = min(max(place.end, start), len(text))
        sheet.between(cursor, start, is_followed=True)
        sheet.passage(place, start, end)
        cursor = end
    sheet.between(cursor, len(text), is_followed=False)
    return Side(tuple(sheet.blocks), len(text), len(text) - sheet.reached)


@dataclass(slots=True)
class _Sheet:
    """The blocks of a side as they are written, one after the other. `near`: what is shown beside a passage."""

    text: str
    room: int
    near: int
    blocks: list[Block] = field(default_factory=list)
    reached: int = 0
    """Up to here the text is accounted for: shown or counted as left out."""

    def between(self, start: int, end: int, *, is_followed: bool) -> None:
        """What stands before, between or behind passages; its middle is left out where that is long."""
        before = self.near if is_followed else 0
        after = self.near if start > 0 or not is_followed else 0
        far = end - start - before - after
        if far <= self.near:
            self._plain(start, end)
            return
        self._plain(start, start + after)
        if self.room:
            self.blocks.append(Block((), left_out=far))
            self.reached = start + after + far
        self._plain(end - before, end)

    def passage(self, place: _Placed, start: int, end: int) -> None:
        is_reached = start == self.reached
        shown = self._take(start, end)
        # Behind the end of what is shown, only the number stands, for the links that lead to it.
        parts = tuple(_fill(self.text, start, shown, place.parts)) if is_reached else ()
        self.blocks.append(Block(parts, place.number, place.passage))

    def _plain(self, start: int, end: int) -> None:
        shown = self._take(start, end)
        if shown > start:
            self.blocks.append(Block((Part(start, self.text[start:shown]),)))

    def _take(self, start: int, end: int) -> int:
        """How far of `start` to `end` there is room."""
        shown = start + min(end - start, self.room)
        self.room -= shown - start
        if shown > start:
            self.reached = shown
        return shown


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


def _quoted(side: Side, text: str) -> Side:
    """The side with its parts cut where quotations begin and end."""
    spans = quoted_spans(text)
    if not spans:
        return side
    edges = [edge for span in spans for edge in span]
    blocks = (replace(block, parts=tuple(_cut(block.parts, edges))) for block in side.blocks)
    return replace(side, blocks=tuple(blocks))


def _cut(parts: Iterable[Part], edges: Sequence[int]) -> Iterator[Part]:
    """`edges`: where quotations begin and end, in turns."""
    for part in parts:
        number = bisect_right(edges, part.start)
        start = part.start
        while number < len(edges) and edges[number] < part.end:
            yield _stretch(part, start, edges[number], is_quoted=number % 2 == 1)
            start, number = edges[number], number + 1
        yield _stretch(part, start, part.end, is_quoted=number % 2 == 1)


def _stretch(part: Part, start: int, end: int, *, is_quoted: bool) -> Part:
    """A piece of a part; what the other side has stands with the first piece."""
    other = part.other if start == part.start else ""
    text = part.text[start - part.start : end - part.start]
    return replace(part, start=start, text=text, other=other, is_quoted=is_quoted)
