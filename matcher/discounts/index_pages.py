"""Index pages: a page with the first lines of many articles lists them and copies none. Pure."""

from collections.abc import Sequence
from typing import Final

from storage.records.matches import Passage

LEAST: Final = 4
"""Least articles listed. Three first lines may be a short news column put together from three sources."""
FROM_THE_START: Final = 400
"""Characters at the start of the listed text that hold everything shared: masthead, title, date, first lines."""
LONGEST: Final = 250
"""Most characters of an entry."""


def entries_of_index(sources: Sequence[Sequence[Passage]]) -> frozenset[int]:
    """Return the indices of the sources that a page merely lists; empty if it is not an index.

    Passages are seen from the page: left is the page. An entry is short and from the very beginning of its source;
    entries are one below the other, so those of several texts with one beginning count once.
    """
    spans = {number: span for number, passages in enumerate(sources) if (span := _entry(passages)) is not None}
    apart = 0
    reached = -1
    for start, end in sorted(spans.values(), key=lambda span: span[1]):
        if start >= reached:
            apart, reached = apart + 1, end
    return frozenset(spans) if apart >= LEAST else frozenset()


def is_entry(passages: Sequence[Passage]) -> bool:
    """Return whether the text shared with one source may be an entry of an index."""
    return _entry(passages) is not None


def _entry(passages: Sequence[Passage]) -> tuple[int, int] | None:
    """Return the stretch of the page that an entry takes; None if the shared text is not an entry."""
    real = [passage for passage in passages if not passage.is_boilerplate]
    if not real or max(passage.right_end for passage in real) > FROM_THE_START:
        return None
    start, end = min(passage.left_start for passage in real), max(passage.left_end for passage in real)
    return (start, end) if end - start <= LONGEST else None
