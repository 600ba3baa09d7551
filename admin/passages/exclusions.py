"""What a reader leaves out of the count: sources, quotations, short passages; and the shares without them (pure)."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from matcher.judgement.overlap import chars_shared
from storage.records.matches import Passage

SHORT_CHARS: Final = (20, 50, 100, 200)
"""Offered bounds in characters: a sentence, two, a paragraph, a long paragraph."""

Spans: TypeAlias = Sequence[tuple[int, int]]
"""Start and end in code points, in order, without overlaps."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """`sources`: ids of hits. `shorter_than`: characters of a passage in the copy; 0 excludes none."""

    sources: frozenset[int] = frozenset()
    quotations: bool = False
    shorter_than: int = 0

    @property
    def is_any(self) -> bool:
        return bool(self.sources or self.quotations or self.shorter_than)


NOTHING_EXCLUDED: Final = Exclusions()


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of both texts, 0…1, inside the counted passages, and the characters of the source in them."""

    copy: float
    source: float
    chars: int


def counted(passages: Iterable[Passage], exclusions: Exclusions, quoted: Spans) -> tuple[Passage, ...]:
    """The passages that still count. `quoted`: the quotations of the copy, which is the left text.

    A passage is cut where a quotation begins or ends. The cut is exact in the copy and proportional in the source,
    whose passage has nearly the same length. Short is judged before the cut.
    """
    kept = (one for one in passages if one.left_end - one.left_start >= exclusions.shorter_than)
    if not exclusions.quotations:
        return tuple(kept)
    return tuple(piece for passage in kept for piece in _unquoted(passage, quoted))


def shares_of(passages: Sequence[Passage], *, copy_chars: int, source_chars: int) -> Shares:
    """The shares of both texts that the passages cover, without boilerplate; each character counts once."""
    of_copy = chars_shared(passages, copy_chars)
    of_source = chars_shared([passage.swapped() for passage in passages], source_chars)
    return Shares(
        of_copy / copy_chars if copy_chars else 0.0, of_source / source_chars if source_chars else 0.0, of_source
    )


def _unquoted(passage: Passage, quoted: Spans) -> Iterator[Passage]:
    start = passage.left_start
    number = bisect_right([end for _start, end in quoted], start)
    while number < len(quoted) and quoted[number][0] < passage.left_end:
        first, last = quoted[number]
        if first > start:
            yield _piece(passage, start, first)
        start, number = max(start, last), number + 1
    if start < passage.left_end:
        yield _piece(passage, start, passage.left_end)


def _piece(passage: Passage, start: int, end: int) -> Passage:
    if (start, end) == (passage.left_start, passage.left_end):
        return passage
    scale = (passage.right_end - passage.right_start) / (passage.left_end - passage.left_start)
    first = passage.right_start + round((start - passage.left_start) * scale)
    last = passage.right_start + round((end - passage.left_start) * scale)
    return replace(passage, left_start=start, left_end=end, right_start=first, right_end=last)
