"""A text as a narrow strip in which the copied parts are dark (pure)."""

from collections.abc import Iterable, Iterator
from typing import Final

CELLS: Final = 60
"""Parts of a strip: about two pixels each in a list."""


def heat_strip(stretches: Iterable[tuple[int, int]], chars: int) -> tuple[tuple[int, int], ...]:
    """Runs of cells that hold a stretch, as first cell and width, of `CELLS` cells for `chars` characters.

    Stretches may overlap or exceed the text. A stretch darkens every cell that it touches, so that none vanishes.
    """
    if chars <= 0:
        return ()
    dark: set[int] = set()
    for start, end in stretches:
        first, last = max(start, 0), min(end, chars)
        if first < last:
            dark.update(range(first * CELLS // chars, (last * CELLS - 1) // chars + 1))
    return tuple(_runs(sorted(dark)))


def _runs(cells: list[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for place, cell in enumerate(cells):
        if place + 1 == len(cells) or cells[place + 1] != cell + 1:
            yield cells[start], cell - cells[start] + 1
            start = place + 1
