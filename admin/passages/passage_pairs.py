"""Passages of two texts side by side with their differences: for reports, letters and results (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from admin.passages.side_by_side import Part, present
from storage.records.matches import Passage

MOST_PAIRS: Final = 40
"""Passages shown for one pair of texts, the longest ones."""
MOST_CHARS: Final = 1_200
"""In characters of one passage; longer ones are cut, and say so."""


@dataclass(frozen=True, slots=True)
class PassagePair:
    """One passage, left is the copy. `cut`: characters that are not shown."""

    passage: Passage
    left: tuple[Part, ...]
    right: tuple[Part, ...]
    cut: int


def passage_pairs(
    copy: str, source: str, passages: Iterable[Passage], *, most: int = MOST_PAIRS
) -> tuple[tuple[PassagePair, ...], int]:
    """The longest passages in the order of the copy, and how many were left out. Boilerplate is ignored."""
    telling = [passage for passage in passages if not passage.is_boilerplate]
    longest = sorted(telling, key=lambda passage: passage.left_start - passage.left_end)[:most]
    pair = present(copy, source, longest)
    left = {block.number: block.parts for block in pair.copy.blocks if block.number is not None}
    right = {block.number: block.parts for block in pair.source.blocks if block.number is not None}
    found = tuple(
        PassagePair(passage, cut_parts(left.get(number, ())), cut_parts(right.get(number, ())), _cut(passage))
        for number, passage in enumerate(pair.passages, start=1)
    )
    return found, len(telling) - len(found)


def cut_parts(parts: Iterable[Part], limit: int = MOST_CHARS) -> tuple[Part, ...]:
    """The parts up to `limit` characters."""
    kept: list[Part] = []
    left = limit
    for part in parts:
        if left <= 0:
            break
        kept.append(Part(part.start, part.text[:left], part.difference, part.other, part.is_quoted))
        left -= len(part.text)
    return tuple(kept)


def _cut(passage: Passage) -> int:
    return max(0, max(passage.left_end - passage.left_start, passage.right_end - passage.right_start) - MOST_CHARS)
