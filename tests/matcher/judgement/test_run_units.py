"""Runs units one behind the other are the same units, and what is found of them all at once is what each run says."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matcher.alignment.align import Indices
from matcher.alignment.blocks import Mask, Run
from matcher.discounts.page_edges import at_same_edge, edge_length
from matcher.judgement import run_units
from matcher.judgement.run_units import (
    ALONE,
    BEGINS,
    BESIDE,
    BOTH_QUOTED,
    CODE,
    FIGURE,
    LEAST,
    NAME,
    NOTICE,
    NOTICES,
    PROOF,
    QUOTED,
    SLIVER,
    TITLE,
    VERBATIM,
    WORD,
    pairwise_sum,
    tally,
    true_within,
    unit_weights,
    units_of,
    weigh,
)

RUNS = st.lists(st.builds(Run, st.integers(0, 50), st.integers(0, 50), st.integers(1, 20)), min_size=1, max_size=6)
Counts = npt.NDArray[np.float64]


def rows(runs: list[Run]) -> Indices:
    return np.array(runs, dtype=np.int64).reshape(-1, 3)


@given(RUNS)
def test_every_run_is_laid_whole_and_in_order(runs: list[Run]) -> None:
    left, right, bounds = units_of(rows(runs))

    assert left.tolist() == [place for run in runs for place in range(run.left, run.left_end)]
    assert right.tolist() == [place for run in runs for place in range(run.right, run.right_end)]
    assert [end - start for start, end in bounds.tolist()] == [run.length for run in runs]
    assert bounds[0, 0] == 0
    assert bounds[1:, 0].tolist() == bounds[:-1, 1].tolist()


@given(RUNS, st.integers(1, 6), st.randoms(use_true_random=False))
def test_stretches_end_where_the_mask_or_the_run_does(runs: list[Run], least: int, chance: Random) -> None:
    bounds = units_of(rows(runs))[2]
    edges = {0, *bounds[:, 1].tolist()}
    mask = [chance.random() < 0.8 for _ in range(max(edges))]

    expected, begun = [], None
    for place in range(len(mask) + 1):
        if begun is not None and (place in edges or not mask[place]):
            expected += [[begun, place]] if place - begun >= least else []
            begun = None
        if begun is None and place < len(mask) and mask[place]:
            begun = place
    assert true_within(np.array(mask), bounds, least).tolist() == expected


@settings(max_examples=200)
@given(st.integers(0, 3_000), st.integers(0, 5), st.integers(0, 99))
@example(1_000_000, 3, 1)
def test_a_sum_is_that_of_numpy_to_the_last_digit(count: int, start: int, seed: int) -> None:
    values = np.random.default_rng(seed).random(start + count + 3)

    assert pairwise_sum(values, start, count) == float(np.add.reduce(values[start : start + count]))


@given(RUNS, st.randoms(use_true_random=False))
def test_a_tally_adds_up_each_stretch_by_itself_to_the_last_digit(runs: list[Run], chance: Random) -> None:
    left, _, bounds = units_of(rows(runs))
    counts = np.array([chance.choice([1.4, 0.7, 0.35, 0.1]) for _ in left])
    is_figure = np.array([chance.random() < 0.3 for _ in left])

    words = figures = 0.0
    for start, end in bounds.tolist():
        of_run, mask = counts[start:end], is_figure[start:end]
        words += float(of_run[~mask].sum())
        figures += float(of_run[mask].sum())
    assert tally(counts, is_figure, bounds) == (words, figures)


def proof_in_numpy(counts: Counts, is_figure: Mask, stretches: list[list[int]], of_all: float) -> float:
    words = figures = 0.0
    for start, end in stretches:
        words += float(np.add.reduce(counts[start:end][~is_figure[start:end]]))
        figures += float(np.add.reduce(counts[start:end][is_figure[start:end]]))
    return of_all * (words + min(words, figures))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 60)), min_size=1, max_size=5),
    st.integers(0, 2**32),
    st.sampled_from([1.0, 0.1]),
    st.sampled_from([0.25, 1.0]),
    st.sampled_from([0.0, 0.05, 0.4]),
)
def test_a_part_proves_what_its_units_do_one_by_one(
    gaps: list[tuple[int, int, int]], seed: int, of_all: float, code: float, share: float
) -> None:
    """With arrays of all units, as the rules say it: each discount is a mask, and sums are numpy's."""
    chance = np.random.default_rng(seed)
    runs, at, right_at = [], 0, 0
    for gap, right_gap, length in gaps:
        runs.append(Run(at + gap, right_at + right_gap, length))
        at, right_at = runs[-1].left_end, runs[-1].right_end
    lengths = at + int(chance.integers(0, 20)), right_at + int(chance.integers(0, 20))
    marks = [
        np.bitwise_or.reduce([(chance.random(length) < share) * mark for mark in (1 << bit for bit in range(8))])
        for length in lengths
    ]
    marks = [each.astype(np.uint8) for each in marks]
    characters = [chance.integers(0, 2 if share else 1, length).astype(np.uint64) for length in lengths]
    weights = [unit_weights(each, 1.4, 0.7, code) for each in marks]
    said = [chance.random(length) < share for length in (at - runs[0].left, right_at - runs[0].right)]
    edges = edge_length(lengths[0]), edge_length(lengths[1])
    numbers = np.array([of_all, 0.5, 0.35, 0.3, 0.0, 0.2, code, *edges])

    found = weigh(
        rows(runs),
        *(marks[0], marks[1], weights[0], weights[1], characters[0], characters[1], said[0], said[1], numbers),
    )

    left, right, bounds = units_of(rows(runs))
    one, other = marks[0][left], marks[1][right]
    is_figure = one & FIGURE > 0
    excused = np.where((one ^ other) & QUOTED > 0, 0.5, 1.0)
    each = excused * np.minimum(weights[0][0][left], weights[1][0][right])
    proof = proof_in_numpy(each, is_figure, bounds.tolist(), of_all)
    assert found[PROOF] == proof
    if proof < SLIVER:
        assert found[1:].tolist() == [0.0] * 4
        return
    alone = excused * np.minimum(weights[0][1][left], weights[1][1][right])
    both = one & other
    for is_discounted, most in (
        (at_same_edge(left, right, *lengths), 0.35),
        (both & TITLE > 0, 0.3),
        (both & NOTICE > 0, 0.0),
    ):
        alone = np.where(is_discounted, np.minimum(alone, most), alone)
    alone = alone * np.where(said[0][left - left[0]] | said[1][right - right[0]], 0.2, 1.0)
    is_code = ((one | other) & CODE > 0) & (code < 1.0)

    def proved(stretches: list[list[int]]) -> float:
        prose = proof_in_numpy(np.where(is_code, 0.0, alone), is_figure, stretches, of_all)
        return prose + min(prose, proof_in_numpy(np.where(is_code, alone, 0.0), is_figure, stretches, of_all))

    unchanged = characters[0][left] == characters[1][right]
    begins = (one | other) & BEGINS > 0
    verbatim = [
        proved([[start, end]])
        for start, end in true_within(unchanged, bounds, LEAST).tolist()
        if begins[start + BESIDE : end - BESIDE + 1].any()
    ]
    assert found[ALONE] == proved(bounds.tolist())
    assert found[VERBATIM] == max(verbatim, default=0.0)
    assert found[NOTICES] == int((both & NOTICE > 0).sum())
    assert found[BOTH_QUOTED] == int((both & QUOTED > 0).sum())


@given(st.lists(st.integers(0, 255), max_size=40))
def test_a_unit_weighs_what_its_marks_say(marks: list[int]) -> None:
    each, alone = unit_weights(np.array(marks, dtype=np.uint8), 1.4, 0.7, 0.25).tolist()

    assert each == [(0.7 if mark & NAME else 1.4) if mark & WORD else 1.0 for mark in marks]
    assert alone == [0.25 if mark & CODE else weight for mark, weight in zip(marks, each, strict=True)]


@pytest.mark.parametrize("length", [1, 1_000_000])
def test_hostile_parts_are_weighed(length: int) -> None:
    """One unit, and a million equal ones, each of which begins a sentence."""
    marks = np.full(length, BEGINS, dtype=np.uint8)
    weights, none, same = unit_weights(marks, 1.4, 0.7, 0.25), np.zeros(length, dtype=np.bool_), np.zeros(length, "u8")

    found = weigh(
        np.array([[0, 0, length]]),
        *(marks, marks, weights, weights, same, same, none, none),
        np.array([1.0, 0.5, 0.35, 0.35, 0.0, 0.0, 0.25, 0, 0]),
    )

    assert found[PROOF] == length
    assert found[VERBATIM] == (length if length >= run_units.SLIVER else 0)
