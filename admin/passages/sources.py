"""All sources of a copying page, or of a checked text, with what the reader leaves out, and their stretches (pure)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

from admin.passages.exclusions import Exclusions, Spans, counted
from admin.passages.side_by_side import Part, Side
from admin.passages.source_split import Source, Stretch, lanes, unexplained
from matcher.judgement.overlap import chars_shared

COLOURS: Final = 8
"""Colours that can be distinguished; the ninth source has the first one again, and its number beside it."""


@dataclass(frozen=True, slots=True)
class SourceRow(Generic[Source]):
    """One source. `number` and `colour` stay the same whatever is left out. `own_share`: what no source with a larger
    own share explains.
    """

    number: int
    hit: Source
    share: float
    own_share: float
    stretches: tuple[Stretch, ...]
    is_left_out: bool

    @property
    def colour(self) -> int:
        """1…COLOURS."""
        return (self.number - 1) % COLOURS + 1


@dataclass(frozen=True, slots=True)
class Sources(Generic[Source]):
    """`explained`: share of the page that comes from the counted sources together, 0…1."""

    rows: tuple[SourceRow[Source], ...]
    explained: float

    def row_of(self, hit_id: int) -> SourceRow[Source] | None:
        return next((row for row in self.rows if row.hit.id == hit_id), None)


def sources_of(hits: Sequence[Source], chars: int, exclusions: Exclusions, quoted: Spans) -> Sources[Source]:
    """The sources of a page of `chars` characters, those with the largest own share first. `quoted`: its quotations."""
    kept = [_narrowed(hit, exclusions, quoted) for hit in hits]
    now = {lane.hit.id: lane for lane in lanes(kept, chars)}
    rows = tuple(
        SourceRow(
            number=lane.number,
            hit=lane.hit,
            share=_share(lane.hit, now[lane.hit.id].hit, chars, exclusions),
            own_share=now[lane.hit.id].own_share,
            stretches=now[lane.hit.id].stretches,
            is_left_out=lane.hit.id in exclusions.sources,
        )
        for lane in lanes(hits, chars)
    )
    return Sources(rows, 1 - unexplained(kept, chars) if chars else 0.0)


def _narrowed(hit: Source, exclusions: Exclusions, quoted: Spans) -> Source:
    if hit.id in exclusions.sources:
        return replace(hit, passages=())
    return replace(hit, passages=counted(hit.passages, exclusions, quoted))


def _share(hit: Source, kept: Source, chars: int, exclusions: Exclusions) -> float:
    """What comes from this source, whatever others have too; of a source left out, as with everything."""
    passages = hit.passages if hit.id in exclusions.sources else kept.passages
    return chars_shared(passages, chars) / chars if chars else 0.0


def tinted(side: Side, rows: Sequence[SourceRow[Any]], *, but: int) -> Side:
    """The copy's side with the stretches of other sources marked outside the passages. `but`: the hit that is shown."""
    marked = sorted(
        (stretch.start, stretch.end, row.number)
        for row in rows
        if row.hit.id != but
        for stretch in row.stretches
        if stretch.is_own
    )
    if not marked:
        return side
    blocks = (
        block if block.number is not None else replace(block, parts=tuple(_cut(block.parts, marked)))
        for block in side.blocks
    )
    return replace(side, blocks=tuple(blocks))


def _cut(parts: Sequence[Part], marked: Sequence[tuple[int, int, int]]) -> Iterator[Part]:
    for part in parts:
        start = part.start
        for first, last, number in marked:
            if last <= start or first >= part.end:
                continue
            if first > start:
                yield _piece(part, start, first)
            begin = max(first, start)
            yield replace(_piece(part, begin, min(last, part.end)), source=number, is_source_start=begin == first)
            start = min(last, part.end)
        if start < part.end or not part.text:
            yield _piece(part, start, part.end)


def _piece(part: Part, start: int, end: int) -> Part:
    return replace(part, start=start, text=part.text[start - part.start : end - part.start])
