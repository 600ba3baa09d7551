"""Grams are numbers without collision; common runs are all and only what two texts share, paired in bounded number."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.model import UnitCodes
from matcher.alignment.kgrams import ALPHABET, common_runs, prepare, runs_of_pairs, unit_grams

LETTERS = st.lists(st.integers(1, 4), max_size=60)
WITHOUT_BOUND = 1_000_000


def codes(units: Sequence[int]) -> UnitCodes:
    return np.array(units, dtype=np.uint8)


@given(st.lists(st.integers(1, 36), max_size=40), st.integers(1, 12))
def test_a_gram_is_its_units_in_base_37_and_none_where_the_text_is_shorter(units: list[int], size: int) -> None:
    expected = [
        sum(unit * ALPHABET ** (size - 1 - place) for place, unit in enumerate(units[start : start + size]))
        for start in range(len(units) - size + 1)
    ]

    assert unit_grams(codes(units), size).tolist() == expected


def exhaustive_runs(left: list[int], right: list[int], gram: int) -> list[list[int]]:
    """Maximal equal stretches of at least a gram, by looking at every pair of places."""
    found = []
    for i in range(len(left)):
        for j in range(len(right)):
            if i and j and left[i - 1] == right[j - 1]:
                continue
            length = 0
            while i + length < len(left) and j + length < len(right) and left[i + length] == right[j + length]:
                length += 1
            if length >= gram:
                found.append([i, j, length])
    return sorted(found)


@given(LETTERS, LETTERS, st.sampled_from([3, 4, 8]))
def test_common_runs_are_all_maximal_equal_stretches(left: list[int], right: list[int], gram: int) -> None:
    found = common_runs(prepare(codes(left), gram), codes(right), WITHOUT_BOUND)

    assert sorted(found.tolist()) == exhaustive_runs(left, right, gram)


@given(LETTERS, LETTERS, st.integers(1, 9))
def test_repeated_grams_are_paired_in_bounded_number_and_truly_equal(
    left: list[int], right: list[int], max_pairs: int
) -> None:
    found = common_runs(prepare(codes(left), 3), codes(right), max_pairs)

    for at_left, at_right, length in found.tolist():
        assert left[at_left : at_left + length] == right[at_right : at_right + length]
    pairs = int((found[:, 2] - 2).sum())
    assert pairs <= max_pairs * len(set(unit_grams(codes(left), 3).tolist())) + min(len(left), len(right))


@given(LETTERS, LETTERS, st.integers(1, 9))
def test_exchanged_texts_share_the_same_runs(left: list[int], right: list[int], max_pairs: int) -> None:
    forth = common_runs(prepare(codes(left), 3), codes(right), max_pairs)
    back = common_runs(prepare(codes(right), 3), codes(left), max_pairs)

    assert sorted(forth.tolist()) == sorted(back[:, [1, 0, 2]].tolist())


@pytest.mark.parametrize("length", [65, 5_000])
def test_one_letter_repeated_is_paired_in_order(length: int) -> None:
    text = codes([7] * length)

    assert common_runs(prepare(text), text, 64).tolist() == [[0, 0, length]]


def test_pairs_in_any_order_make_runs_by_diagonal() -> None:
    at_left, at_right = np.array([11, 4, 10, 5, 30]), np.array([1, 4, 0, 5, 90])

    assert runs_of_pairs(at_left, at_right, 3).tolist() == [[30, 90, 3], [4, 4, 4], [10, 0, 4]]
    assert runs_of_pairs(at_left[:0], at_right[:0], 3).tolist() == []
