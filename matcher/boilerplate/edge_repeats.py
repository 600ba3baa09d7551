"""Which runs stand at the same edge of two pages of one host that are otherwise unrelated. Pure.

A footer, the lines about an author, a translators' credit: before enough pages are known to learn them as boilerplate
(`matcher.boilerplate.classifier`), the second page of the host that has them at the same edge tells what they are. Two
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
"""Units that may stand between the edge of a page and the run, or between two runs: a title, a date, the next page."""
LEAST_RELATED: Final = 24
"""Units of that rest. Two pages on one subject have a set phrase in common."""
OTHER_REACH: Final = 150
"""Units between the run and the edge of a page of another host."""


@dataclass(frozen=True, slots=True)
class EdgeLimits:
    """How much of two pages may stand at the edges of both and still be no part of what they say."""

    share: float
    """Of each page. What is more of a page is what the page says."""
    run: int
    """Units of one run without a difference: a copied story is one run."""
    together: int
    """Units of all runs at one edge: a footer with an author's note and a licence line above it."""
    related: float
    """From this share of the smaller page's rest on, what two pages share elsewhere makes them one story."""


ONE_HOST: Final = EdgeLimits(share=0.5, run=DEFAULT_LEARNING.longest, together=600, related=0.15)
"""Where one other page of one host shows it. A run is at most as long as what can be learned as boilerplate."""
BOTH_HOSTS: Final = EdgeLimits(share=0.75, run=600, together=900, related=DEFAULT_LEARNING.related)
"""Where other pages of both hosts show it: a text that was copied stands on other pages of its source's host no more
than it stood there before.
"""


def repeated_at_edge(page: UnitCodes, sibling: UnitCodes, limits: EdgeLimits = ONE_HOST) -> list[bytes]:
    """The runs of `page` that stand at the same edge of `sibling`; none where the rest of the two is related."""
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
    """A block as it lies when both texts are read from their ends."""

    def __init__(self, block: Block, left_units: int, right_units: int) -> None:
        self.left, self.left_end = left_units - block.left_end, left_units - block.left
        self.right, self.right_end = right_units - block.right_end, right_units - block.right


def _from_edge(placed: Sequence[Block | _Turned], blocks: Sequence[Block], limits: EdgeLimits) -> Iterator[int]:
    """The numbers of the blocks that follow each other from the beginning of both texts, with small gaps.

    None if one of them, or all together, are longer than notices are.
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
    """Of these units of a text, those that are reached from its beginning or its end with small gaps between them.

    A footer of 300 units keeps no note above it from being at the edge: the two are reached one after the other.
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
    """What these runs of one page are known by in a comparison with a page of another host, at whose edges they stand
    too; sorted, maybe empty. `of_other`: the runs of that page, which may stand between them and its edge.
    """
    units = covered(other, gram_index([*runs, *of_other]))
    edges = at_edges(units)

    def is_at_edge(run: bytes) -> bool:
        # Most of it: a phrase of the run that the text says elsewhere, too, takes it from no edge.
        here = covered(other, gram_index([run]))
        return bool(here.any() and 2 * (here & edges).sum() > here.sum())

    return gram_index(run for run in set(runs) if is_at_edge(run))
