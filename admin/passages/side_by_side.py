"""Two texts and their passages as parts to display; pure, exact to the code point.

The parts of a side, in order, are that side's text: nothing is doubled or reordered, and omissions are counted.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from matcher.alignment.diff import Span, typed_spans
from matcher.discounts.quotations import quoted_spans
from storage.records.differences import DifferenceType
from storage.records.matches import Passage

SHOWN_CHARS = 100_000
"""Characters of a text that are shown: 100,000 are a book chapter, and browsers still scroll them smoothly."""

WHOLE_CHARS = 20_000
"""In characters: of longer texts only the surroundings of passages are shown."""

NEAR_CHARS = 1_000
"""In characters before and behind a passage: about two screens."""

COMPARED_CHARS = 60_000
"""Characters of passages, in sum, whose differences are classified; that takes time."""


TypedSpans = Callable[[str, str], Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of one side that begins at `start`. `other`: what the other side has there. Empty text marks a gap."""

    start: int
    text: str
    difference: DifferenceType = DifferenceType.SAME
    other: str = ""
    is_quoted: bool = False
    """Whether it is inside quotation marks, where another's words are allowed."""
    source: int = 0
    """The number of another source that it comes from; 0: none."""
    is_source_start: bool = False
    """Whether a stretch of that source begins here."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """A passage (`number` counts from 1 in the copy's order) or the text between two (`number` is None).

    `left_out`: characters that are far from every passage and not shown.
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
    """`hidden_chars`: characters at the end that are not shown; omissions between passages are not included."""

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
    """Number of passages shown without their differences."""

    @property
    def has_quotations(self) -> bool:
        blocks = (*self.copy.blocks, *self.source.blocks)
        return any(part.is_quoted for block in blocks for part in block.parts)


def present(
    copy: str, source: str, passages: Iterable[Passage], *, spans: TypedSpans = typed_spans, limit: int = SHOWN_CHARS
) -> Pair:
    """Both texts as blocks; left of each passage is the copy. Passages may overlap or exceed the texts: each character
    shows once.
    """
    ordered = tuple(sorted(passages, key=lambda passage: (passage.left_start, passage.left_end)))
    left, right, uncompared = [], [], 0
    budget = COMPARED_CHARS
    for number, passage in enumerate(ordered, start=1):
        budget -= max(passage.left_end - passage.left_start, passage.right_end - passage.right_start)
        uncompared += budget < 0
        found = _spans(copy, source, passage, spans) if budget >= 0 else [_whole(passage)]
        parts = list(parts_of(found, copy, source))
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


def parts_of(found: Iterable[Span], copy: str, source: str) -> Iterator[tuple[Part, Part]]:
    """Each span as a part of the copy and a part of the source. Spans are in offsets of both texts."""
    for span in found:
        left, right = copy[span.left_start : span.left_end], source[span.right_start : span.right_end]
        if span.type is DifferenceType.SAME:
            yield Part(span.left_start, left), Part(span.right_start, right)
        else:
            yield Part(span.left_start, left, span.type, right), Part(span.right_start, right, span.type, left)


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
    """The blocks of a side while they are written. `near`: characters shown beside a passage."""

    text: str
    room: int
    near: int
    blocks: list[Block] = field(default_factory=list)
    reached: int = 0
    """The text is accounted for up to here: shown, or counted as left out."""

    def between(self, start: int, end: int, *, is_followed: bool) -> None:
        """Add the text between passages; the middle of a long stretch is left out."""
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
        # Beyond what is shown only the number is kept, for links to it.
        parts = tuple(_fill(self.text, start, shown, place.parts)) if is_reached else ()
        self.blocks.append(Block(parts, place.number, place.passage))

    def _plain(self, start: int, end: int) -> None:
        shown = self._take(start, end)
        if shown > start:
            self.blocks.append(Block((Part(start, self.text[start:shown]),)))

    def _take(self, start: int, end: int) -> int:
        """End of the part of `start` to `end` for which there is room."""
        shown = start + min(end - start, self.room)
        self.room -= shown - start
        if shown > start:
            self.reached = shown
        return shown


def _fill(text: str, start: int, end: int, parts: Iterable[Part]) -> Iterator[Part]:
    """`text[start:end]` as parts: the given ones clipped to it, and the rest as identical."""
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
    """A piece of a part; the other side's text goes with the first piece."""
    other = part.other if start == part.start else ""
    text = part.text[start - part.start : end - part.start]
    return replace(part, start=start, text=text, other=other, is_quoted=is_quoted)
