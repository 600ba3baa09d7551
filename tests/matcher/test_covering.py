"""Units inside the grams of learned runs, as comparing every place finds them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcher.alignment.align import ALPHABET
from matcher.boilerplate import covering
from matcher.boilerplate.classifier import GRAM, covered, gram_index

CODES = st.lists(st.integers(1, 3), max_size=60)


@settings(max_examples=200)
@given(CODES, st.lists(CODES, max_size=3), st.integers(0, 40))
def test_units_are_covered_where_a_gram_of_a_run_is(codes: list[int], runs: list[list[int]], start: int) -> None:
    runs = [*runs, codes[start : start + 12]]
    grams = {tuple(run[place : place + GRAM]) for run in runs for place in range(len(run) - GRAM + 1)}
    expected = [False] * len(codes)
    for place in range(len(codes) - GRAM + 1):
        if tuple(codes[place : place + GRAM]) in grams:
            expected[place : place + GRAM] = [True] * GRAM

    found = covered(np.array(codes, dtype=np.uint8), gram_index(bytes(run) for run in runs))

    assert found.tolist() == expected


def test_grams_are_numbers_as_in_the_alignment() -> None:
    assert (covering.GRAM, covering.ALPHABET) == (GRAM, ALPHABET)


@pytest.mark.parametrize("code", [1, 36])
def test_a_million_equal_units_are_covered(code: int) -> None:
    codes = np.full(1_000_000, code, dtype=np.uint8)

    assert covered(codes, gram_index([bytes([code] * GRAM)])).all()
    assert not covered(codes, gram_index([bytes([37 - code] * GRAM)])).any()
