"""Runs at the same edge of two pages of one host that are otherwise unrelated. Pure.

A footer, the lines about an author, a translators' credit: before enough pages are known to learn them as boilerplate
(`matcher.boilerplate.classifier`), the second page of the host that has them at the same edge identifies them. Two
copies of one story share more than that, and prove as before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from fingerprint.model import UnitCodes
from matcher.alignment.align import Block, Grams, Mask, align, true_stretches
from matcher.boilerplate.classifier import DEFAULT_LEARNING, GRAM, covered, gram_index

REACH: Final = 80
"""Units allowed between the edge of a page and the run, or between two runs: a title, a date, the next page."""
LEAST_RELATED: Final = 24
"""Units that the rests may share: two pages on one subject have a set phrase in common."""
OTHER_REACH: Final = 150
"""Units between the run and the edge of a page of another host."""


@dataclass(frozen=True, slots=True)
class EdgeLimits:
    """How much of two pages may be at the edges of both without being part of their articles."""

    share: float
    """Most of each page. A larger part is the page's content."""
    run: int
    """Units of one run without a difference: a copied story is one run."""
    together: int
    """Units of all runs at one edge: a footer with an author's note and a licence line above it."""
    related: float
    """Share of the smaller page's rest from which common text elsewhere makes the two one story."""


ONE_HOST: Final = EdgeLimits(share=0.5, run=DEFAULT_LEARNING.longest, together=600, related=0.15)
"""Limits if one page of one host shows it. A run is at most as long as learned boilerplate."""
BOTH_HOSTS: Final = EdgeLimits(share=0.75, run=600, together=900, related=DEFAULT_LEARNING.related)
"""Limits if other pages of both hosts show it: a copied text is on no more pages of its source's host than it was
before.
"""


def repeated_at_edge(page: UnitCodes, sibling: UnitCodes, limits: EdgeLimits = ONE_HOST) -> list[bytes]:
    """Return the runs of `page` at the same edge of `sibling`; none if the rest of the two is related."""
    blocks = align(page, sibling)
    mirrored = [_Turned(block, len(page), len(sibling)) for block in blocks]
    edges = {*_from_edge(blocks, blocks, limits), *_from_edge(mirrored, blocks, limits)}
    at_edge = [blocks[number] for number in sorted(edges)]
    matched = sum(block.matched for block in at_edge)
    rest = sum(block.matched for block in blocks) - matched
    remaining = min(len(page), len(sibling)) - matched
    if matched > limits.share * min(len(page), len(sibling)) or rest >= max(LEAST_RELATED, limits.related * remaining):
        return []
    shared = [run for block in at_edge for run in block.runs if run.length >= GRAM]
    return [page[run.left : run.left_end].tobytes() for run in shared]


class _Turned:
    """A block as seen when both texts are read from their ends."""

    def __init__(self, block: Block, left_units: int, right_units: int) -> None:
        self.left, self.left_end = left_units - block.left_end, left_units - block.left
        self.right, self.right_end = right_units - block.right_end, right_units - block.right


def _from_edge(placed: Sequence[Block | _Turned], blocks: Sequence[Block], limits: EdgeLimits) -> Iterator[int]:
    """Yield the indices of the blocks that follow each other from the beginning of both texts, with small gaps.

    None if one of them, or all together, are longer than notices.
    """
    reached = reached_right = total = 0
    found = []
    for number in sorted(range(len(placed)), key=lambda number: placed[number].left):
        block = placed[number]
        if block.left - reached > REACH:
            break
        if 0 <= block.right - reached_right <= REACH:
            found.append(number)
            total += blocks[number].matched
            reached, reached_right = block.left_end, block.right_end
    longest = max((run.length for number in found for run in blocks[number].runs), default=0)
    return iter(found if longest <= limits.run and total <= limits.together else ())


def at_edges(units: Mask) -> Mask:
    """Return those units of a text that are reached from its beginning or its end over small gaps.

    A footer of 300 units does not separate a note above it from the edge: the two are reached one after the other.
    """
    reach = min(OTHER_REACH, len(units) // 4)
    reached: Mask = np.zeros_like(units)
    reached[: _reached(units, reach)] = True
    reached[len(units) - _reached(units[::-1], reach) :] = True
    return reached & units


def _reached(units: Mask, reach: int) -> int:
    end = 0
    for start, length in true_stretches(units):
        if start - end > reach:
            break
        end = start + length
    return end


def edge_grams(runs: Sequence[bytes], other: UnitCodes, of_other: Sequence[bytes] = ()) -> Grams:
    """Return the grams of runs of one page that are also at the edges of a page of another host, sorted, maybe empty.

    `of_other`: the runs of that page, which may be between them and its edge.
    """
    if not runs:
        return gram_index(())
    units = covered(other, gram_index([*runs, *of_other]))
    edges = at_edges(units)

    def is_at_edge(run: bytes) -> bool:
        # Most of it: a phrase of the run that occurs elsewhere, too, does not take it off the edge.
        here = covered(other, gram_index([run]))
        return bool(here.any() and 2 * (here & edges).sum() > here.sum())

    return gram_index(run for run in set(runs) if is_at_edge(run))
