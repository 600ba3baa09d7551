"""What was changed on the way from the source to the copy, in figures (pure)."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from storage.records.differences import sum_differences
from storage.records.matches import Passage

PARAGRAPH_CHARS: Final = 12
"""Shorter lines are headings, bylines and captions: their absence says nothing."""


@dataclass(frozen=True, slots=True)
class Changes:
    """`characters`: changed characters by kind of difference, most frequent first, without `moved`. `moved`: passages
    out of order. `left_out`, `added`: paragraphs of the source, or of the copy, of which the other has nothing.
    """

    characters: tuple[tuple[str, int], ...]
    moved: int
    left_out: int
    added: int

    @property
    def is_any(self) -> bool:
        return bool(self.characters or self.moved or self.left_out or self.added)


def changes_of(copy: str, source: str, passages: Sequence[Passage]) -> Changes:
    """Return the changes; left of each passage is the copy. Boilerplate is no change and not counted."""
    proving = [passage for passage in passages if not passage.is_boilerplate]
    sums = sum_differences(passage.differences for passage in proving)
    sums.pop("moved")
    return Changes(
        characters=tuple(sorted(((name, count) for name, count in sums.items() if count), key=lambda one: -one[1])),
        moved=sum(bool(passage.differences.moved) for passage in proving),
        left_out=_untouched(source, ((one.right_start, one.right_end) for one in passages)),
        added=_untouched(copy, ((one.left_start, one.left_end) for one in passages)),
    )


def _untouched(text: str, spans: Iterable[tuple[int, int]]) -> int:
    """The number of paragraphs that no span touches."""
    joined = _joined(spans)
    ends = [end for _start, end in joined]
    return sum(not _meets(start, end, joined, ends) for start, end in _paragraphs(text))


def _meets(start: int, end: int, joined: Sequence[tuple[int, int]], ends: Sequence[int]) -> bool:
    first = bisect_left(ends, start + 1)
    return first < len(joined) and joined[first][0] < end


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif start < end:
            found.append((start, end))
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        if len(line.strip()) >= PARAGRAPH_CHARS:
            yield start, start + len(line)
        start += len(line)
