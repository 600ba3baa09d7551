"""The longest passages of a pair as short excerpts (pure): most cases need no more."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from admin.passages.side_by_side import Part, parts_of
from matcher.alignment.diff import Span, typed_spans
from storage.records.differences import DifferenceType
from storage.records.matches import Passage

SHOWN_PASSAGES: Final = 3
SHOWN_CHARS: Final = 260
"""In characters of one passage: six lines of the page."""
_LOOKED_AT: Final = SHOWN_CHARS + 140
"""Differences are classified in a longer stretch, so that the cut creates none."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One passage in both texts. `is_cut`: it continues."""

    left: tuple[Part, ...]
    right: tuple[Part, ...]
    is_cut: bool


def excerpts(
    left: str,
    right: str,
    passages: Iterable[Passage],
    *,
    spans: Callable[[str, str], Iterable[Span]] = typed_spans,
) -> list[Excerpt]:
    """The longest passages without boilerplate, in the order of the left text."""
    proving = [passage for passage in passages if not passage.is_boilerplate]
    longest = sorted(proving, key=lambda passage: passage.left_start - passage.left_end)[:SHOWN_PASSAGES]
    return [_excerpt(left, right, passage, spans) for passage in sorted(longest, key=lambda one: one.left_start)]


def _excerpt(left: str, right: str, passage: Passage, spans: Callable[[str, str], Iterable[Span]]) -> Excerpt:
    a = left[passage.left_start : passage.left_end][:_LOOKED_AT]
    b = right[passage.right_start : passage.right_end][:_LOOKED_AT]
    is_cut = max(passage.left_end - passage.left_start, passage.right_end - passage.right_start) > _LOOKED_AT
    shown = [span for span in spans(a, b) if not is_cut or span.left_start < SHOWN_CHARS]
    if is_cut and shown and shown[-1].type is DifferenceType.SAME:
        shown[-1] = _shortened(shown[-1])
    parts = list(parts_of(shown, a, b))
    return Excerpt(tuple(one for one, _other in parts), tuple(other for _one, other in parts), is_cut)


def _shortened(span: Span) -> Span:
    """`span` cut to the excerpt's length; identical text may be cut at the same place on both sides."""
    room = max(SHOWN_CHARS - span.left_start, 0)
    left_end = min(span.left_end, span.left_start + room)
    right_end = min(span.right_end, span.right_start + room)
    return Span(span.left_start, left_end, span.right_start, right_end, span.type)
