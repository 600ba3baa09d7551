"""Joining of blocks: splits them around moved text, and joins them across edits."""

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import UnitCodes
from matcher.alignment.blocks import AlignmentParameters
from matcher.alignment.extension import part_end
from matcher.alignment.rows import Groups, Indices, Rows, chosen, copy_rows, order_of, units_of_rows, with_room
from matcher.alignment.windows import MISMATCH_COST, between


@compiled()
def passages(blocks: Groups, left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> Groups:
    """Return the blocks as passages: joined, light ones left out, and fragments outside of them.

    A fragment counts where the texts share half of the shorter one.
    """
    light, heavy = _divided(blocks, parameters.min_matched)
    joined = _joined(chosen(blocks, heavy), left, right, parameters)
    found = chosen(joined, _of_weight(joined, parameters.min_matched))
    if 2 * units_of_rows(found[0]) < min(len(left), len(right)):
        return found
    crumbs = chosen(blocks, light)
    crumbs = chosen(crumbs, _of_weight(crumbs, parameters.min_crumb))
    crumbs = chosen(crumbs, _outside(crumbs, found))
    return _together(found, crumbs)


@compiled()
def _divided(blocks: Groups, least: int) -> tuple[Indices, Indices]:
    """Return the numbers of the blocks with fewer equal units, and of those with at least so many."""
    rows, bounds = blocks
    light, heavy = np.empty(len(bounds), dtype=np.int64), np.empty(len(bounds), dtype=np.int64)
    few = many = 0
    for number in range(len(bounds) - 1):
        if units_of_rows(rows[bounds[number] : bounds[number + 1]]) < least:
            light[few] = number
            few += 1
        else:
            heavy[many] = number
            many += 1
    return light[:few], heavy[:many]


@compiled()
def _of_weight(blocks: Groups, least: int) -> Indices:
    """Return the numbers of the blocks whose equal units, minus the cost of differing ones, are at least so many.

    Thus no set phrase grows into a passage by thin matches.
    """
    rows, bounds = blocks
    numbers, found = np.empty(len(bounds), dtype=np.int64), 0
    for number in range(len(bounds) - 1):
        block = rows[bounds[number] : bounds[number + 1]]
        first, last, matched = block[0], block[-1], units_of_rows(block)
        longer = max(last[0] + last[2] - first[0], last[1] + last[2] - first[1])
        if matched - MISMATCH_COST * (longer - matched) >= least:
            numbers[found] = number
            found += 1
    return numbers[:found]


@compiled()
def _together(some: Groups, others: Groups) -> Groups:
    count = len(some[0])
    rows = np.empty((count + len(others[0]), 3), dtype=np.int64)
    copy_rows(some[0], 0, count, rows, 0)
    copy_rows(others[0], 0, len(others[0]), rows, count)
    bounds = np.empty(len(some[1]) + len(others[1]) - 1, dtype=np.int64)
    for number in range(len(bounds)):
        bounds[number] = some[1][number] if number < len(some[1]) else count + others[1][number - len(some[1]) + 1]
    return rows, bounds


@compiled()
def _joined(blocks: Groups, left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> Groups:
    """Return the blocks by position in the left text; none encloses a part of another.

    Neighbours follow each other in both texts with no other block between them. Parts of one block stay one block; two
    blocks are joined if little lies between them, or if they share much of what does.
    """
    runs, _ = blocks
    parts = _parts(blocks)
    ranks = _ranks(runs, parts)
    rows, used = np.empty((len(runs) + 16, 3), dtype=np.int64), 0
    bounds, found = np.zeros(len(parts) + 1, dtype=np.int64), 0
    for place in range(len(parts)):
        start, end = parts[place, 0], parts[place, 1]
        if place > 0:
            follows = ranks[place] == ranks[place - 1] + 1
            is_one = parts[place, 2] == parts[place - 1, 2]
            if follows and not is_one:
                is_one, bridge = _bridge(rows[used - 1], runs[start], left, right, parameters)
                rows = with_room(rows, used, len(bridge))
                used = copy_rows(bridge, 0, len(bridge), rows, used)
            if not (follows and is_one):
                found += 1
                bounds[found] = used
        rows = with_room(rows, used, end - start)
        used = copy_rows(runs, start, end, rows, used)
    if used:
        found += 1
        bounds[found] = used
    return rows[:used], bounds[: found + 1]


@compiled()
def _parts(blocks: Groups) -> Indices:
    """Return the parts of all blocks between wide gaps, by position in the left text: rows of the first run, the one
    after the last, and the block.
    """
    runs, bounds = blocks
    parts, found = np.empty((len(runs), 3), dtype=np.int64), 0
    for number in range(len(bounds) - 1):
        start, end = bounds[number], bounds[number + 1]
        while start < end:
            part = parts[found]
            part[0], part[1], part[2] = start, start + part_end(runs[start:end], 0), number
            start, found = part[1], found + 1
    in_order = np.empty((found, 3), dtype=np.int64)
    for place, number in enumerate(_order_by_side(runs, parts[:found], 0)):
        copy_rows(parts, number, number + 1, in_order, place)
    return in_order


@compiled()
def _ranks(runs: Rows, parts: Indices) -> Indices:
    """Return the rank of each part by position in the right text."""
    ranks = np.empty(len(parts), dtype=np.int64)
    for rank, place in enumerate(_order_by_side(runs, parts, 1)):
        ranks[place] = rank
    return ranks


@compiled()
def _order_by_side(runs: Rows, parts: Indices, side: int) -> Indices:
    starts = np.empty(len(parts), dtype=np.int64)
    for number in range(len(parts)):
        starts[number] = runs[parts[number, 0], side]
    return order_of(starts)


@compiled()
def _bridge(
    one: Rows, other: Rows, left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters
) -> tuple[bool, Rows]:
    """Return whether two neighbours are parts of one passage, and the runs between them."""
    left_end, right_end = one[0] + one[2], one[1] + one[2]
    gap_left, gap_right = other[0] - left_end, other[1] - right_end
    gap = max(gap_left, gap_right)
    if gap > parameters.max_bridge or abs(gap_left - gap_right) > parameters.max_gap:
        return False, np.empty((0, 3), dtype=np.int64)
    runs = between(left[left_end : other[0]], right[right_end : other[1]], parameters)
    if gap > parameters.max_gap and units_of_rows(runs) < parameters.bridge_share * gap:
        return False, runs[:0]
    for run in runs:
        run[0] += left_end
        run[1] += right_end
    return True, runs


@compiled()
def _outside(crumbs: Groups, blocks: Groups) -> Indices:
    """Return the numbers of the fragments that overlap no block in either text."""
    spans, sides = _spans(crumbs), _spans(blocks)
    in_left, in_right = order_of(sides[:, 0]), order_of(sides[:, 2])
    numbers, found = np.empty(len(spans), dtype=np.int64), 0
    for number in range(len(spans)):
        if _is_free(spans[number], 0, sides, in_left) and _is_free(spans[number], 2, sides, in_right):
            numbers[found] = number
            found += 1
    return numbers[:found]


@compiled()
def _is_free(span: Indices, side: int, taken: Indices, order: Indices) -> bool:
    """Return whether a span lies outside of all that are taken in a text, which are disjoint."""
    low, high = 0, len(order)
    while low < high:  # the first that begins where the span ends, or later
        middle = (low + high) // 2
        if taken[order[middle], side] < span[side + 1]:
            low = middle + 1
        else:
            high = middle
    return low == 0 or taken[order[low - 1], side + 1] <= span[side]


@compiled()
def _spans(blocks: Groups) -> Indices:
    """Return rows of where each block begins and ends in the left text and in the right one."""
    rows, bounds = blocks
    spans = np.empty((len(bounds) - 1, 4), dtype=np.int64)
    for number in range(len(spans)):
        first, last = rows[bounds[number]], rows[bounds[number + 1] - 1]
        spans[number, 0], spans[number, 1] = first[0], last[0] + last[2]
        spans[number, 2], spans[number, 3] = first[1], last[1] + last[2]
    return spans
