"""Exclusion: compiled upper bounds of what a pair may prove, which exclude most pairs before they are weighed.

Exact: a unit weighs no more than in either text, discounts are factors of at most 1, and figures or code count at most
in full. Sums in another order differ in the last digits, for which there is a margin.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from fingerprint.compiling import compiled
from matcher.alignment.blocks import Mask
from matcher.alignment.rows import Groups, Indices, Rows, units_of_rows, with_place, with_room
from matcher.judgement.gates import MatchThresholds
from matcher.judgement.run_units import ALONE, LEAST, PROOF, SLIVER, VERBATIM, Counts

MOST_SHARE: Final = 0.5
"""Share from which an upper bound excludes nothing: from there on, the share decides what reordering explains."""

_MARGIN: Final = 1e-9


@lru_cache
def limits_of(thresholds: MatchThresholds) -> Counts:
    """Return the thresholds as `excludes` takes them."""
    return np.array(
        [
            *(thresholds.dense, thresholds.dense_proof, thresholds.thinning),
            *(thresholds.several_each, thresholds.several_proof, thresholds.verbatim_proof),
            *(thresholds.sparse, thresholds.sparse_proof, thresholds.scattered_share, thresholds.scattered_proof),
            *(thresholds.whole_share, thresholds.whole_proof),
        ],
        dtype=np.float64,
    )


@compiled("float64[::1](int64[:, ::1], float64[:, ::1])")
def most_proof(runs: Rows, weights: Counts) -> Counts:
    """Return upper bounds of `PROOF`, `ALONE` and `VERBATIM` of a part, from the weights of one of its texts.

    A verbatim stretch is inside a run of at least `LEAST` units.
    """
    found = np.zeros(3)
    for run in runs:
        whole = alone = 0.0
        for unit in range(run[0], run[0] + run[2]):
            whole += weights[0, unit]
            alone += weights[1, unit]
        found[PROOF] += whole * (1 + _MARGIN)
        found[ALONE] += alone * (1 + _MARGIN)
        if run[2] >= LEAST:
            found[VERBATIM] = max(found[VERBATIM], alone * (1 + _MARGIN))
    return found


@compiled()
def free_units(ignored: Mask, start: int, end: int) -> int:
    units = 0
    for unit in range(start, end):
        units += not ignored[unit]
    return units


@compiled("Tuple((int64[:, ::1], int64[::1]))(int64[:, ::1], int64[::1], boolean[::1])")
def own_parts(rows: Rows, bounds: Indices, ignored: Mask) -> Groups:
    """Return the parts of blocks that are no boilerplate, cut as `matcher.judgement.segments.parts_of` cuts them."""
    pieces, used = np.empty((len(rows) + 16, 3), dtype=np.int64), 0
    ends, parts = np.zeros(len(bounds) + 16, dtype=np.int64), 0
    for block in range(len(bounds) - 1):
        first, last = bounds[block], bounds[block + 1]
        end_of_block = rows[last - 1, 0] + rows[last - 1, 2]
        is_clean = free_units(ignored, rows[first, 0], end_of_block) == end_of_block - rows[first, 0]
        for number in range(first, last):
            left, right, length = rows[number]
            start = 0
            while start < length:
                inside, end = ignored[left + start], start + 1
                while end < length and ignored[left + end] == inside:
                    end += 1
                if is_clean or (not inside and end - start >= SLIVER):
                    pieces = with_room(pieces, used, 1)
                    pieces[used, 0], pieces[used, 1], pieces[used, 2] = left + start, right + start, end - start
                    used += 1
                elif used > ends[parts]:
                    parts += 1
                    ends = with_place(ends, parts)
                    ends[parts] = used
                start = end
        if used > ends[parts]:
            parts += 1
            ends = with_place(ends, parts)
            ends[parts] = used
    return pieces[:used].copy(), ends[: parts + 1].copy()


@compiled("boolean(int64[:, ::1], int64[::1], boolean[::1], boolean[::1], float64[:, ::1], float64[::1])")
def excludes(rows: Rows, bounds: Indices, ignored: Mask, right_ignored: Mask, weights: Counts, limits: Counts) -> bool:
    """Return whether upper bounds exclude that a pair is a match, and that either text shares `MOST_SHARE` of itself.

    `rows`, `bounds`: the blocks; `ignored`, `right_ignored`: units of boilerplate; `weights`: of the left text, or more
    than these; `limits`: of `limits_of`.
    """
    shorter = min(len(ignored), len(right_ignored))
    if units_of_rows(rows) >= MOST_SHARE * shorter:
        return False
    dense_from, dense_proof, thinning, several_each, several_proof, verbatim_proof = limits[:6]
    sparse_from, sparse_proof, scattered_share, scattered_proof, whole_share, whole_proof = limits[6:]
    pieces, ends = own_parts(rows, bounds, ignored)
    proof = several = scattered = 0.0
    many = taken = right_taken = 0
    for part in range(len(ends) - 1):
        runs = pieces[ends[part] : ends[part + 1]]
        last = runs[len(runs) - 1]
        end, right_end = last[0] + last[2], last[1] + last[2]
        taken += free_units(ignored, runs[0, 0], end)
        right_taken += free_units(right_ignored, runs[0, 1], right_end)
        density = units_of_rows(runs) / max(end - runs[0, 0], right_end - runs[0, 1])
        most = most_proof(runs, weights)
        proof += most[PROOF]
        if most[VERBATIM] >= verbatim_proof:
            return False
        if density >= sparse_from:
            scattered += most[ALONE]
            if most[ALONE] >= sparse_proof:
                return False
        if density >= dense_from:
            dense = most[ALONE] * density**thinning * (1 + _MARGIN)
            if dense >= dense_proof:
                return False
            if dense >= several_each:
                several += dense
                many += 1
    return not (
        (many > 1 and several >= several_proof)
        or (proof >= whole_proof and proof >= whole_share * shorter)
        or (scattered >= scattered_proof and scattered >= scattered_share * shorter)
        or taken >= MOST_SHARE * free_units(ignored, 0, len(ignored))
        or right_taken >= MOST_SHARE * free_units(right_ignored, 0, len(right_ignored))
    )
