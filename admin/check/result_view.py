"""The result of a check as its page, its files and its certificate show it (pure)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from admin.check.retold_view import RetoldView, retold_view, why_later
from admin.passages.exclusions import NOTHING_EXCLUDED, Exclusions
from admin.passages.passage_pairs import PassagePair, passage_pairs
from admin.passages.sources import COLOURS, SourceRow, Sources, sources_of
from matcher.discounts.quotations import quoted_spans
from matcher.judgement.overlap import chars_shared
from storage.intake.check_records import CheckedPage, CheckedResult, CheckedSource

SHOWN_SOURCES: Final = 20
"""Sources shown with their passages; the others are listed."""
UNFOLDED_SOURCES: Final = 3
PAINTED_CHARS: Final = 60_000
"""Characters of the checked text that are shown with their sources marked."""


@dataclass(frozen=True, slots=True)
class Painted:
    """A stretch of the checked text. `source`: number of its source; None where none was found, or it is left out."""

    text: str
    source: int | None

    @property
    def colour(self) -> int | None:
        return None if self.source is None else (self.source - 1) % COLOURS + 1


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source. `is_there`: whether its text is still stored."""

    number: int
    found: CheckedSource
    row: SourceRow[CheckedSource]
    pairs: tuple[PassagePair, ...]
    left_out: int
    """Passages left out."""
    is_there: bool = True

    @property
    def page(self) -> CheckedPage:
        return self.found.pages[0]

    @property
    def submission(self) -> int | None:
        """Its id, where the source is a submission and not a web page."""
        return -self.found.text_id if self.found.text_id < 0 else None

    @property
    def why_later(self) -> str | None:
        """What decided that the stored text is not the source; None where a date or the order of sightings did."""
        return why_later(self.found.why_later, self.page.url)


@dataclass(frozen=True, slots=True)
class CheckView:
    """`share`: of the checked text that is in the counted sources, 0…1; `everything`: in all of them."""

    result: CheckedResult
    counted: Sources[CheckedSource]
    share: float
    everything: float
    sources: tuple[SourceView, ...]
    retold: tuple[RetoldView, ...]
    painted: tuple[Painted, ...]
    unpainted: int
    """Characters at the end that are not shown."""
    exclusions: Exclusions = field(default=NOTHING_EXCLUDED)

    @property
    def verdict(self) -> str:
        """Of both checks, that of the wording and that of meaning, with nothing left out."""
        return self.result.verdict

    @property
    def unfolded(self) -> int:
        """How many rows of sources stand open: the first ones, up to the last that is left out."""
        gone = [row.number for row in self.counted.rows if row.is_left_out]
        return max([UNFOLDED_SOURCES, *gone])


def view_of(
    text: str,
    result: CheckedResult,
    bodies: Mapping[int, str] | None = None,
    exclusions: Exclusions = NOTHING_EXCLUDED,
) -> CheckView:
    """The view of a result. `bodies`: stored texts by id; a source without one is shown without its passages."""
    stored = bodies or {}
    result = replace(result, sources=tuple(replace(one, share=_share([one], text)) for one in result.sources))
    quoted = quoted_spans(text) if exclusions.quotations else []
    counted = sources_of(result.sources, len(text), exclusions, quoted)
    return CheckView(
        result=result,
        counted=counted,
        share=counted.explained,
        everything=_share(result.sources, text),
        sources=tuple(_source(row, text, stored) for row in counted.rows),
        retold=tuple(
            retold_view(number, one, text, stored.get(one.text_id))
            for number, one in enumerate(result.retold, start=len(result.sources) + 1)
        ),
        painted=tuple(_painted(text[:PAINTED_CHARS], counted)),
        unpainted=max(0, len(text) - PAINTED_CHARS),
        exclusions=exclusions,
    )


def _share(sources: Iterable[CheckedSource], text: str) -> float:
    """Of the text, by characters, so that the share of one source never exceeds that of all."""
    passages = [passage for source in sources for passage in source.passages]
    return chars_shared(passages, len(text)) / len(text) if text else 0.0


def _source(row: SourceRow[CheckedSource], text: str, stored: Mapping[int, str]) -> SourceView:
    body = stored.get(row.hit.text_id)
    passages = row.hit.passages if row.number <= SHOWN_SOURCES and body is not None else ()
    pairs, left_out = passage_pairs(text, body or "", passages)
    return SourceView(row.number, row.hit, row, pairs, left_out, is_there=body is not None)


def _painted(text: str, counted: Sources[CheckedSource]) -> Iterator[Painted]:
    marked = sorted(
        (stretch.start, min(stretch.end, len(text)), row.number)
        for row in counted.rows
        for stretch in row.stretches
        if stretch.is_own and stretch.start < len(text)
    )
    place = 0
    for start, end, number in _joined(marked):
        if start > place:
            yield Painted(text[place:start], None)
        yield Painted(text[start:end], number)
        place = end
    if place < len(text):
        yield Painted(text[place:], None)


def _joined(marked: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Stretches of one source that touch or overlap as one; two passages of a source may."""
    now: tuple[int, int, int] | None = None
    for start, end, number in marked:
        if now is not None and number == now[2] and start <= now[1]:
            now = now[0], max(now[1], end), number
            continue
        if now is not None:
            yield now
        begin = start if now is None else max(start, now[1])
        now = (begin, max(begin, end), number)
    if now is not None:
        yield now
