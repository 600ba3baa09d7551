"""The sieve lets through whatever is among the others, and few strangers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from matcher.alignment.prefilter import Numbers, Sieve

NUMBERS = st.lists(st.integers(0, 2**64 - 1), max_size=60)


def numbers(some: list[int]) -> Numbers:
    return np.array(some, dtype=np.uint64)


@given(NUMBERS, NUMBERS)
def test_what_is_among_them_passes_in_order(own: list[int], others: list[int]) -> None:
    asked = [*others, *own]

    passing = Sieve.of(numbers(own)).passing(numbers(asked)).tolist()

    assert passing == sorted(passing)
    assert {place for place, number in enumerate(asked) if number in set(own)} <= set(passing)


def test_nothing_passes_a_sieve_of_nothing() -> None:
    assert not len(Sieve.of(numbers([])).passing(numbers([0, 1, 2**64 - 1])))
    assert not len(Sieve.of(numbers([1])).passing(numbers([])))


def test_of_strangers_few_pass_also_where_they_are_neighbours() -> None:
    own, strangers = np.arange(2_000, dtype=np.uint64), np.arange(10_000, 30_000, dtype=np.uint64)
    assert len(Sieve.of(own).passing(strangers)) < len(strangers) / 8
