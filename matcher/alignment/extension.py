"""Assignment of units to chains, and the extension of each past its ends.

A block is its runs in order, as rows (left, right, length).
"""

from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import AlignmentParameters, Mask
from matcher.alignment.rows import Groups, Rows, copy_rows, units_of_rows, with_place, with_room
from matcher.alignment.windows import continuation

WIDE_GAP: Final = 12
"""Units. A shorter gap is an edit; a wider one may hold a sentence moved there from elsewhere."""


@compiled()
def claimed(chains: Groups, left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> Groups:
    """Return the blocks of chains, the heaviest first; each grows up to units that are already taken."""
    runs, chain_bounds = chains
    free_left, free_right = np.ones(len(left), dtype=np.bool_), np.ones(len(right), dtype=np.bool_)
    rows, bounds, found = np.empty((len(runs) + 64, 3), dtype=np.int64), np.zeros(16, dtype=np.int64), 0
    for chain in range(len(chain_bounds) - 1):
        pieces, cuts = _free_stretches(runs[chain_bounds[chain] : chain_bounds[chain + 1]], free_left, free_right)
        for number in range(len(cuts) - 1):  # none may grow into the next
            _mark(pieces[cuts[number] : cuts[number + 1]], free_left, free_right, False)
        for number in range(len(cuts) - 1):
            stretch = pieces[cuts[number] : cuts[number + 1]]
            block = _extended(stretch, left, right, free_left, free_right, parameters)
            enough = units_of_rows(block) >= parameters.min_crumb
            _mark(block, free_left, free_right, not enough)
            if enough:
                start = bounds[found]
                rows = with_room(rows, start, len(block))
                found += 1
                bounds = with_place(bounds, found)
                bounds[found] = copy_rows(block, 0, len(block), rows, start)
    return rows[: bounds[found]], bounds[: found + 1]


@compiled()
def _free_stretches(chain: Rows, free_left: Mask, free_right: Mask) -> Groups:
    """Return the free parts of a chain, split wherever taken units lie between them."""
    first, last = chain[0], chain[-1]
    if _all(free_left, first[0], last[0] + last[2]) and _all(free_right, first[1], last[1] + last[2]):
        return chain, np.array([0, len(chain)])
    pieces, used = np.empty((2 * len(chain) + 8, 3), dtype=np.int64), 0
    cuts, stretches = np.zeros(16, dtype=np.int64), 0
    for run in chain:
        offset = 0
        while offset < run[2]:
            start = offset
            while offset < run[2] and free_left[run[0] + offset] and free_right[run[1] + offset]:
                offset += 1
            if offset > start:
                pieces = with_room(pieces, used, 1)
                piece, before = pieces[used], pieces[max(0, used - 1)]
                piece[0], piece[1], piece[2] = run[0] + start, run[1] + start, offset - start
                if used > 0 and not (
                    _all(free_left, before[0] + before[2], piece[0])
                    and _all(free_right, before[1] + before[2], piece[1])
                ):
                    stretches += 1
                    cuts = with_place(cuts, stretches + 1)
                    cuts[stretches] = used
                used += 1
            offset += 1
    if used:
        stretches += 1
        cuts[stretches] = used
    return pieces[:used], cuts[: stretches + 1]


@compiled()
def _all(mask: Mask, start: int, end: int) -> bool:
    place = start
    while place < end and mask[place]:
        place += 1
    return place >= end


@compiled()
def _mark(block: Rows, free_left: Mask, free_right: Mask, free: bool) -> None:
    """Mark the block's units as free or taken. Wide gaps stay free: their text may come from elsewhere."""
    start = 0
    while start < len(block):
        end = part_end(block, start)
        first, last = block[start], block[end - 1]
        free_left[first[0] : last[0] + last[2]] = free
        free_right[first[1] : last[1] + last[2]] = free
        start = end


@compiled()
def part_end(block: Rows, start: int) -> int:
    """Return the number after the last run of the part that begins with run `start`: parts end at wide gaps."""
    for number in range(start + 1, len(block)):
        before, run = block[number - 1], block[number]
        if run[0] - before[0] - before[2] > WIDE_GAP or run[1] - before[1] - before[2] > WIDE_GAP:
            return number
    return len(block)


@compiled()
def _extended(
    block: Rows,
    left: UnitCodes,
    right: UnitCodes,
    free_left: Mask,
    free_right: Mask,
    parameters: AlignmentParameters,
) -> Rows:
    """Return the block extended past both ends as long as equal units outweigh differing ones.

    It stops at units taken by another block: a repeated line makes hundreds of chains, and each would otherwise grow
    over the whole text. A fragment between two blocks, too short to be found by itself, stays free.
    """
    if units_of_rows(block) < parameters.gram:
        return block
    first, last = block[0], block[-1]
    left_end, right_end = last[0] + last[2], last[1] + last[2]
    before = grown(left, right, free_left, free_right, first[0] - 1, first[1] - 1, -1, parameters.reach)
    after = grown(left, right, free_left, free_right, left_end, right_end, 1, parameters.reach)
    rows = np.empty((len(before) + len(block) + len(after), 3), dtype=np.int64)
    for number, run in enumerate(before):
        row = rows[len(before) - 1 - number]
        row[0], row[1], row[2] = first[0] - run[0] - run[2], first[1] - run[1] - run[2], run[2]
    copy_rows(block, 0, len(block), rows, len(before))
    for number, run in enumerate(after):
        row = rows[len(before) + len(block) + number]
        row[0], row[1], row[2] = left_end + run[0], right_end + run[1], run[2]
    return rows


@compiled()
def grown(
    left: UnitCodes,
    right: UnitCodes,
    free_left: Mask,
    free_right: Mask,
    left_start: int,
    right_start: int,
    step: int,
    reach: int,
) -> Rows:
    """Return the runs by which two texts continue from two places, forwards (`step` 1) or backwards (-1).

    Runs are relative to the places, in the direction of the step.
    """
    runs, used = np.empty((16, 3), dtype=np.int64), 0
    i = j = 0
    while True:
        equal = 0
        while True:
            at_left, at_right = left_start + step * (i + equal), right_start + step * (j + equal)
            if not (_is_free(free_left, at_left) and _is_free(free_right, at_right)):
                break
            if left[at_left] != right[at_right]:
                break
            equal += 1
        if equal:
            runs = with_room(runs, used, 1)
            runs[used, 0], runs[used, 1], runs[used, 2] = i, j, equal
            i, j, used = i + equal, j + equal, used + 1
        way = continuation(
            _window(left, free_left, left_start + step * i, step, reach),
            _window(right, free_right, right_start + step * j, step, reach),
        )
        if not len(way):
            return runs[:used]
        runs = with_room(runs, used, len(way))
        for run in way:
            runs[used, 0], runs[used, 1], runs[used, 2] = run[0] + i, run[1] + j, run[2]
            used += 1
        i, j = runs[used - 1, 0] + runs[used - 1, 2], runs[used - 1, 1] + runs[used - 1, 2]


@compiled()
def _is_free(free: Mask, place: int) -> bool:
    return 0 <= place < len(free) and free[place]


@compiled()
def _window(codes: UnitCodes, free: Mask, start: int, step: int, reach: int) -> UnitCodes:
    """Return up to `reach` units from `start` on, in the direction of the step, up to the first taken one."""
    window, size = np.empty(reach, dtype=np.uint8), 0
    while size < reach and _is_free(free, start + step * size):
        window[size] = codes[start + step * size]
        size += 1
    return window[:size]
