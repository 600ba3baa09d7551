"""Grams are numbers without collision; common runs are all and only what two texts share, paired in bounded number."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.model import UnitCodes
from matcher.alignment.kgrams import ALPHABET, common_runs, groups_of, in_order, prepare, unit_grams
from tests.matcher.alignment import plain_alignment

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


@given(LETTERS, LETTERS, st.sampled_from([1, 2, 3, 8]), st.sampled_from([1, 4, 9, 64]))
def test_common_runs_are_those_of_plain_python(left: list[int], right: list[int], gram: int, max_pairs: int) -> None:
    found = common_runs(prepare(codes(left), gram), codes(right), max_pairs)

    assert sorted(map(tuple, found.tolist())) == sorted(plain_alignment.common_runs(left, right, gram, max_pairs))


def test_runs_are_in_the_order_of_the_right_text() -> None:
    left, right = codes([1, 2, 3, 9, 1, 2, 3, 4]), codes([1, 2, 3, 4, 8, 1, 2, 3])

    assert common_runs(prepare(left, 3), right, 64).tolist() == [[0, 0, 3], [4, 0, 4], [0, 5, 3], [4, 5, 3]]
    assert common_runs(prepare(left[:0], 3), right, 64).tolist() == []
    assert common_runs(prepare(left, 3), right[:2], 64).tolist() == []


def test_a_million_equal_units_are_one_run() -> None:
    text = codes([7]).repeat(1_000_000)

    assert common_runs(prepare(text), text, 64).tolist() == [[0, 0, 1_000_000]]


@given(LETTERS, st.sampled_from([3, 8, 12]))
def test_grams_in_order_keep_equal_ones_by_position(units: list[int], gram: int) -> None:
    grams = unit_grams(codes(units), gram)

    ordered, places = in_order(grams, np.arange(len(grams)), gram)

    assert list(zip(ordered.tolist(), places.tolist(), strict=True)) == sorted(
        (number, place) for place, number in enumerate(grams.tolist())
    )
    starts, repeats = groups_of(ordered)
    assert ordered[starts].tolist() == sorted(set(grams.tolist()))
    assert repeats.tolist() == [grams.tolist().count(number) for number in ordered[starts].tolist()]
