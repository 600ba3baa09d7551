"""Runs units one behind the other are the same units, and what is found of them all at once is what each run says."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from matcher.alignment.blocks import Run
from matcher.judgement.run_units import RunUnits, Tally

RUNS = st.lists(st.builds(Run, st.integers(0, 50), st.integers(0, 50), st.integers(1, 20)), min_size=1, max_size=6)


@given(RUNS)
def test_every_run_is_laid_whole_and_in_order(runs: list[Run]) -> None:
    units = RunUnits.of(runs)

    assert units.left.tolist() == [place for run in runs for place in range(run.left, run.left_end)]
    assert units.right.tolist() == [place for run in runs for place in range(run.right, run.right_end)]
    assert [end - start for start, end in units.runs] == [run.length for run in runs]


@given(RUNS, st.integers(1, 6), st.randoms(use_true_random=False))
def test_stretches_end_where_the_mask_or_the_run_does(runs: list[Run], least: int, chance: Random) -> None:
    units = RunUnits.of(runs)
    mask = [chance.random() < 0.8 for _ in range(units.bounds[-1])]

    expected, begun = [], None
    for place in range(len(mask) + 1):
        if begun is not None and (place in units.bounds or not mask[place]):
            expected += [(begun, place)] if place - begun >= least else []
            begun = None
        if begun is None and place < len(mask) and mask[place]:
            begun = place
    assert units.stretches(np.array(mask), least) == expected


@given(RUNS, st.randoms(use_true_random=False))
def test_a_tally_adds_up_each_stretch_by_itself_to_the_last_digit(runs: list[Run], chance: Random) -> None:
    units = RunUnits.of(runs)
    counts = np.array([chance.choice([1.4, 0.7, 0.35, 0.1]) for _ in units.left])
    is_figure = np.array([chance.random() < 0.3 for _ in units.left])

    words = figures = 0.0
    for start, end in units.runs:
        of_run, mask = counts[start:end], is_figure[start:end]
        words += float(of_run[~mask].sum())
        figures += float(of_run[mask].sum())
    assert Tally(counts, is_figure).of(units.runs) == (words, figures)
