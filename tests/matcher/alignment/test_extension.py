"""Texts go on past small edits as far as they agree, and not a unit further."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.model import UnitCodes
from matcher.alignment.blocks import DEFAULT_ALIGNMENT, Run, units_of
from matcher.alignment.extension import between, grown


def random_units(seed: int, length: int) -> UnitCodes:
    return np.random.default_rng(seed).integers(1, 27, length).astype(np.uint8)


def joined(*parts: UnitCodes) -> UnitCodes:
    return np.concatenate(parts)


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
    left, right = (np.frombuffer(text.encode(), dtype=np.uint8) for text in pair)

    assert grown(left, right, DEFAULT_ALIGNMENT) == []
    assert between(left, right, DEFAULT_ALIGNMENT) == []


def test_a_stretch_edited_all_over_is_found_between_and_a_strange_one_is_not() -> None:
    edited = TEXT.copy()
    edited[::6] = 27

    assert units_of(between(edited, TEXT, DEFAULT_ALIGNMENT)) >= 160
    assert all(units_of(between(random_units(seed, 200), TEXT, DEFAULT_ALIGNMENT)) <= 12 for seed in range(50, 60))
