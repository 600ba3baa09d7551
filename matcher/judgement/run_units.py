"""Compiled loops over the units of a part's runs: what they prove, with every discount.

Sums are added up in numpy's pairwise order: results are those of `numpy.add.reduce` to the last bit.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.compiling import compiled
from matcher.alignment.blocks import Mask
from matcher.alignment.kgrams import Grams, Indices

Marks: TypeAlias = npt.NDArray[np.uint8]
Counts: TypeAlias = npt.NDArray[np.float64]

FIGURE, QUOTED, TITLE, NOTICE, CODE, BEGINS, WORD, NAME = (1 << bit for bit in range(8))
"""Marks of a unit. `BEGINS`: the first unit of a sentence or line; `WORD`: of a script written in words."""
PROOF, ALONE, VERBATIM, NOTICES, BOTH_QUOTED = range(5)
"""What `weigh` returns, by place."""
N_OF_ALL, N_QUOTED, N_EDGE, N_TITLES, N_NOTICE, N_AGAIN, N_CODE, N_EDGE_UNITS, N_RIGHT_EDGE_UNITS = range(9)
"""Weights that `weigh` needs, by place, and how many units of each text are its edge."""
SLIVER: Final = 8
"""Matched units. A shorter part between two stretches of boilerplate is the edge of a learned run, not a match."""
LEAST: Final = 16
"""Least units of a verbatim stretch: a shorter one proves nothing by itself."""
BESIDE: Final = 4
"""Least units on either side of the end of a sentence: with fewer, the context of a phrase agrees by chance."""

_LANES: Final = 8
_TOGETHER: Final = 128


@compiled("float64(float64[::1], int64, int64)")
def pairwise_sum(values: Counts, start: int, count: int) -> float:
    """Return the sum of some values, added up as numpy does: in eight lanes, halving more than 128."""
    if count > _TOGETHER:
        half = count // 2
        half -= half % _LANES
        return pairwise_sum(values, start, half) + pairwise_sum(values, start + half, count - half)
    whole, done = 0.0, 0
    if count >= _LANES:
        lanes = values[start : start + _LANES].copy()
        for place in range(_LANES, count - count % _LANES):
            lanes[place % _LANES] += values[start + place]
        whole = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
        done = count - count % _LANES
    for place in range(start + done, start + count):
        whole += values[place]
    return whole


@compiled("Tuple((int64[::1], int64[::1], int64[:, ::1]))(int64[:, ::1])")
def units_of(runs: Indices) -> tuple[Indices, Indices, Indices]:
    """Return the places of the units of both texts, run after run, and start and end of each run among them.

    `runs`: rows (left, right, length).
    """
    whole = 0
    for run in runs:
        whole += run[2]
    left, right = np.empty(whole, dtype=np.int64), np.empty(whole, dtype=np.int64)
    bounds = np.empty((len(runs), 2), dtype=np.int64)
    filled = 0
    for number in range(len(runs)):
        bounds[number, 0] = filled
        for step in range(runs[number, 2]):
            left[filled], right[filled] = runs[number, 0] + step, runs[number, 1] + step
            filled += 1
        bounds[number, 1] = filled
    return left, right, bounds


@compiled("int64[:, ::1](boolean[::1], int64[:, ::1], int64)")
def true_within(mask: Mask, bounds: Indices, least: int) -> Indices:
    """Return start and end of each stretch of at least `least` units, within runs, where the mask is true."""
    found = np.empty((len(mask), 2), dtype=np.int64)
    count = 0
    for bound in bounds:
        start = bound[0]
        for place in range(bound[0], bound[1] + 1):
            if place < bound[1] and mask[place]:
                continue
            if place > start and place - start >= least:
                found[count, 0], found[count, 1] = start, place
                count += 1
            start = place + 1
    return found[:count].copy()


@compiled("Tuple((float64, float64))(float64[::1], boolean[::1], int64[:, ::1])")
def tally(counts: Counts, is_figure: Mask, stretches: Indices) -> tuple[float, float]:
    """Return the sums of words and figures. Stretches are summed one by one, which decides about the last digits."""
    longest = 0
    for stretch in stretches:
        longest = max(longest, stretch[1] - stretch[0])
    room = np.empty(longest, dtype=np.float64)
    words = figures = 0.0
    for stretch in stretches:
        for of_figures in (False, True):
            filled = 0
            for place in range(stretch[0], stretch[1]):
                if is_figure[place] == of_figures:
                    room[filled] = counts[place]
                    filled += 1
            if of_figures:
                figures += pairwise_sum(room, 0, filled)
            else:
                words += pairwise_sum(room, 0, filled)
    return words, figures


@compiled("float64(float64[::1], boolean[::1], int64[:, ::1], float64)")
def proof_of(counts: Counts, is_figure: Mask, stretches: Indices, of_all: float) -> float:
    """Return what stretches count; figures count no more than the words around them.

    The line numbers beside a listing run from 1 to 500 in any two listings.
    """
    words, figures = tally(counts, is_figure, stretches)
    return of_all * (words + min(words, figures))


@compiled("float64(float64[::1], float64[::1], boolean[::1], int64[:, ::1], float64)")
def proof_alone(prose: Counts, code: Counts, is_figure: Mask, stretches: Indices, of_all: float) -> float:
    """Return what stretches of a passage prove by themselves; code counts no more than the prose around it."""
    in_words = proof_of(prose, is_figure, stretches, of_all)
    return in_words + min(in_words, proof_of(code, is_figure, stretches, of_all))


@compiled("float64(float64[::1], float64[::1], boolean[::1], int64[:, ::1], int64[::1], float64)")
def proof_verbatim(
    prose: Counts, code: Counts, is_figure: Mask, stretches: Indices, begun: Indices, of_all: float
) -> float:
    """Return the proof of the best stretch that has the end of a sentence in it.

    `begun`: how many sentences begin before each unit, and before the end.
    """
    best = 0.0
    for number in range(len(stretches)):
        start, end = stretches[number]
        if begun[end - BESIDE + 1] > begun[start + BESIDE]:
            best = max(best, proof_alone(prose, code, is_figure, stretches[number : number + 1], of_all))
    return best


@compiled("float64[:, ::1](uint8[::1], float64, float64, float64)")
def unit_weights(marks: Marks, word: float, name: float, code: float) -> Counts:
    """Return the weight of each unit in two rows: towards the whole, and for its passage.

    `word`, `name`, `code`: the weights of such units.
    """
    weights = np.ones((2, len(marks)))
    for unit in range(len(marks)):
        if marks[unit] & WORD:
            weights[0, unit] = name if marks[unit] & NAME else word
        weights[1, unit] = code if marks[unit] & CODE else weights[0, unit]
    return weights


@compiled()
def excused(one: int, other: int, numbers: Counts) -> float:
    """Return what a quotation leaves of the weight of a unit. It is marked on one side only: dialogue copied with its
    marks is a copy.
    """
    return numbers[N_QUOTED] if (one ^ other) & QUOTED else 1.0


@compiled()
def counted(
    marks: Marks, right_marks: Marks, weights: Counts, right_weights: Counts, numbers: Counts
) -> tuple[Mask, Counts, int]:
    """Return which units of runs are figures, what each counts towards the whole, and how many both texts quote.

    All by place among the units of the runs.
    """
    is_figure, counts, quoted = np.empty(len(marks), dtype=np.bool_), np.empty(len(marks)), 0
    for unit in range(len(marks)):
        one, other = marks[unit], right_marks[unit]
        is_figure[unit] = one & FIGURE != 0
        counts[unit] = excused(one, other, numbers) * min(weights[unit], right_weights[unit])
        quoted += (one & other & QUOTED) != 0
    return is_figure, counts, quoted


@compiled()
def discounted(weight: float, one: int, other: int, is_at_edge: bool, numbers: Counts) -> float:
    """Return the weight of a unit with these marks in the two texts, where it stands."""
    weight *= excused(one, other, numbers)
    if is_at_edge:
        weight = min(weight, numbers[N_EDGE])
    if one & other & TITLE:
        weight = min(weight, numbers[N_TITLES])
    if one & other & NOTICE:
        weight = min(weight, numbers[N_NOTICE])
    return weight


@compiled(
    "float64[::1](int64[:, ::1], uint8[::1], uint8[::1], float64[:, ::1], float64[:, ::1], "
    "uint64[::1], uint64[::1], boolean[::1], boolean[::1], float64[::1])"
)
def weigh(
    runs: Indices,
    marks: Marks,
    right_marks: Marks,
    weights: Counts,
    right_weights: Counts,
    characters: Grams,
    right_characters: Grams,
    said: Mask,
    right_said: Mask,
    numbers: Counts,
) -> Counts:
    """Return what the runs of a part prove: `PROOF`, `ALONE`, `VERBATIM`, and the units in `NOTICES` and `BOTH_QUOTED`.

    All after `PROOF` are zero if that is less than `SLIVER`. The runs are inside both texts, at least one, none empty.
    `weights`, `right_weights`: of `unit_weights`. `said`, `right_said`: which units from the start of the first run to
    the end of the last repeat earlier ones. `numbers`: the weights and lengths of `N_OF_ALL` to `N_RIGHT_EDGE_UNITS`.
    """
    found = np.zeros(5)
    left, right, bounds = units_of(runs)
    count, of_all = len(left), numbers[N_OF_ALL]
    edge, right_edge = int(numbers[N_EDGE_UNITS]), int(numbers[N_RIGHT_EDGE_UNITS])
    is_figure, counts, quoted = counted(
        marks[left], right_marks[right], weights[0][left], right_weights[0][right], numbers
    )
    found[PROOF] = proof_of(counts, is_figure, bounds, of_all)
    if found[PROOF] < SLIVER:
        return found
    found[BOTH_QUOTED] = quoted
    unchanged, prose, code = np.empty(count, dtype=np.bool_), np.zeros(count), np.zeros(count)
    begun = np.zeros(count + 1, dtype=np.int64)
    for unit in range(count):
        at, right_at = left[unit], right[unit]
        one, other = marks[at], right_marks[right_at]
        is_upper = at < edge and right_at < right_edge
        is_at_edge = is_upper or (at >= len(marks) - edge and right_at >= len(right_marks) - right_edge)
        weight = discounted(min(weights[1, at], right_weights[1, right_at]), one, other, is_at_edge, numbers)
        found[NOTICES] += (one & other & NOTICE) != 0
        if said[at - left[0]] or right_said[right_at - right[0]]:
            weight *= numbers[N_AGAIN]
        # Code that counts as much as prose is not bounded by the prose around it.
        if (one | other) & CODE and numbers[N_CODE] < 1.0:
            code[unit] = weight
        else:
            prose[unit] = weight
        unchanged[unit] = characters[at] == right_characters[right_at]
        begun[unit + 1] = begun[unit] + ((one | other) & BEGINS != 0)
    found[ALONE] = proof_alone(prose, code, is_figure, bounds, of_all)
    found[VERBATIM] = proof_verbatim(prose, code, is_figure, true_within(unchanged, bounds, LEAST), begun, of_all)
    return found
