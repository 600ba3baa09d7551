"""Pagination of long lists (pure)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

PAGE_SIZE: Final = 50
"""Fills two screens; at about 1 ms a row, a page stays well below a noticeable delay."""

_NEIGHBOURS: Final = 2


_COUNTED_AHEAD: Final = 4
"""Pages."""
_SEARCHED_AHEAD: Final = 1
"""Where each entry is searched: for a moderately frequent word, thirty are read for one that has it."""


def counted_to(page: int, *, most: int, is_searched: bool = False) -> int:
    """How many entries of a list are counted: some pages more than the one that is shown.

    `is_searched`: by a word, for which the texts of each entry are read.
    """
    ahead = _SEARCHED_AHEAD if is_searched else _COUNTED_AHEAD
    return min(most, (max(page, 1) + ahead) * PAGE_SIZE)


@dataclass(frozen=True, slots=True)
class Paging:
    """Page `number` of a list of `total` entries; a number out of range becomes the nearest page."""

    wanted: int
    total: int
    size: int = PAGE_SIZE

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def number(self) -> int:
        return min(max(self.wanted, 1), self.pages)

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    @property
    def first(self) -> int:
        return min(self.offset + 1, self.total)

    @property
    def last(self) -> int:
        return min(self.offset + self.size, self.total)

    def window(self) -> Iterator[int | None]:
        """Page numbers to offer: the ends and the neighbours, None for gaps."""
        shown = {1, self.pages, *range(self.number - _NEIGHBOURS, self.number + _NEIGHBOURS + 1)}
        before = 0
        for number in sorted(number for number in shown if 1 <= number <= self.pages):
            if number > before + 1:
                yield None
            yield number
            before = number
