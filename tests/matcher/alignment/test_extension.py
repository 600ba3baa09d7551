"""Texts go on past small edits as far as they agree, and not a unit further."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.model import UnitCodes
from matcher.alignment import extension, windows
from matcher.alignment.blocks import DEFAULT_ALIGNMENT, AlignmentParameters, Run, units_of
from tests.matcher.alignment import plain_alignment


def random_units(seed: int, length: int) -> UnitCodes:
    return np.random.default_rng(seed).integers(1, 27, length).astype(np.uint8)


def joined(*parts: UnitCodes) -> UnitCodes:
    return np.concatenate(parts)


def grown(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run]:
    free_left, free_right = np.ones(len(left), dtype=np.bool_), np.ones(len(right), dtype=np.bool_)
    rows = extension.grown(left, right, free_left, free_right, 0, 0, 1, parameters.reach)
    return list(map(Run._make, rows.tolist()))


def between(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run]:
    return list(map(Run._make, windows.between(left, right, parameters).tolist()))


TEXT = random_units(1, 200)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 3), max_size=150), st.lists(st.integers(1, 3), max_size=150))
def test_runs_are_equal_in_order_and_apart(left: list[int], right: list[int]) -> None:
    one, other = np.array(left, dtype=np.uint8), np.array(right, dtype=np.uint8)

    for runs in (grown(one, other, DEFAULT_ALIGNMENT), between(one, other, DEFAULT_ALIGNMENT)):
        at_left = at_right = 0
        for run in runs:
            assert run.length > 0
            assert run.left >= at_left
            assert run.right >= at_right
            assert left[run.left : run.left_end] == right[run.right : run.right_end]
            at_left, at_right = run.left_end, run.right_end
        assert at_left <= len(left)
        assert at_right <= len(right)


FEW, MANY = st.lists(st.integers(1, 3), max_size=90), st.lists(st.integers(1, 30), max_size=300)


@settings(max_examples=60, deadline=None)
@given(st.one_of(FEW, MANY), st.one_of(FEW, MANY))
def test_runs_are_those_of_plain_python(left: list[int], right: list[int]) -> None:
    one, other = np.array(left, dtype=np.uint8), np.array(right, dtype=np.uint8)

    assert grown(one, other, DEFAULT_ALIGNMENT) == plain_alignment.grown(left, right)
    assert between(one, other, DEFAULT_ALIGNMENT) == plain_alignment.between(left, right)


@settings(max_examples=60, deadline=None)
@given(MANY, st.lists(st.tuples(st.integers(0, 299), st.integers(1, 30)), max_size=40))
def test_so_are_those_of_an_edited_text(left: list[int], edits: list[tuple[int, int]]) -> None:
    right = list(left)
    for place, unit in edits:
        right[place : place + unit % 3] = [unit]
    one, other = np.array(left, dtype=np.uint8), np.array(right, dtype=np.uint8)

    assert grown(one, other, DEFAULT_ALIGNMENT) == plain_alignment.grown(left, right)
    assert between(one, other, DEFAULT_ALIGNMENT) == plain_alignment.between(left, right)


def test_growth_backwards_is_growth_of_the_texts_read_from_their_ends_up_to_taken_units() -> None:
    edited = TEXT.copy()
    edited[::7] = 27
    free, free_there = np.ones(200, dtype=np.bool_), np.ones(200, dtype=np.bool_)
    free[20], free_there[150] = False, False

    back = extension.grown(TEXT, edited, free, free_there, 140, 140, -1, DEFAULT_ALIGNMENT.reach)
    forth = extension.grown(TEXT, edited, free, free_there, 140, 140, 1, DEFAULT_ALIGNMENT.reach)

    assert back.tolist() == [
        list(run) for run in plain_alignment.grown(TEXT[140:20:-1].tolist(), edited[140:20:-1].tolist())
    ]
    assert forth.tolist() == [
        list(run) for run in plain_alignment.grown(TEXT[140:150].tolist(), edited[140:150].tolist())
    ]


def test_each_bit_of_a_word_has_its_place() -> None:
    products = [(1 << bit) * int(windows._PRODUCT) % 2**64 >> int(windows._PRODUCT_BITS) for bit in range(64)]

    assert windows._PLACES[products].tolist() == list(range(64))


@pytest.mark.parametrize("length", [1, 63, 64, 65, 200])
def test_what_is_equal_is_one_run(length: int) -> None:
    assert grown(TEXT[:length], TEXT[:length], DEFAULT_ALIGNMENT) == [Run(0, 0, length)]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_growth_passes_what_was_replaced_inserted_or_dropped(size: int) -> None:
    strange = random_units(2, size)

    replaced = grown(joined(TEXT[:50], strange, TEXT[50 + size :]), TEXT, DEFAULT_ALIGNMENT)
    inserted = grown(joined(TEXT[:50], strange, TEXT[50:]), TEXT, DEFAULT_ALIGNMENT)
    dropped = grown(joined(TEXT[:50], TEXT[50 + size :]), TEXT, DEFAULT_ALIGNMENT)

    assert (replaced[-1].left_end, replaced[-1].right_end) == (200, 200)
    assert (inserted[-1].left_end, inserted[-1].right_end) == (200 + size, 200)
    assert (dropped[-1].left_end, dropped[-1].right_end) == (200 - size, 200)


@pytest.mark.parametrize("seed", range(10))
def test_growth_ends_where_the_texts_part(seed: int) -> None:
    left = joined(TEXT[:40], random_units(100 + seed, 300))
    right = joined(TEXT[:40], random_units(200 + seed, 300))

    assert units_of(grown(left, right, DEFAULT_ALIGNMENT)) <= 41  # one more may be equal by chance


@pytest.mark.parametrize("pair", [("", ""), ("", "a"), ("a", ""), ("a", "b")])
def test_nothing_goes_on_where_there_is_nothing(pair: tuple[str, str]) -> None:
    left, right = (np.array(list(text.encode()), dtype=np.uint8) for text in pair)

    assert grown(left, right, DEFAULT_ALIGNMENT) == []
    assert between(left, right, DEFAULT_ALIGNMENT) == []


def test_a_stretch_edited_all_over_is_found_between_and_a_strange_one_is_not() -> None:
    edited = TEXT.copy()
    edited[::6] = 27

    assert units_of(between(edited, TEXT, DEFAULT_ALIGNMENT)) >= 160
    assert all(units_of(between(random_units(seed, 200), TEXT, DEFAULT_ALIGNMENT)) <= 12 for seed in range(50, 60))
