"""The compiled search for scrambled windows finds what a plain comparison of all windows finds."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matcher.alignment.align import Indices, true_stretches
from matcher.judgement.scrambled_windows import (
    FEWEST,
    FEWEST_DISTINCT,
    KEPT,
    NOWHERE,
    SHIFTS,
    STEP,
    WINDOW,
    equal_places,
    kept_windows,
    slots_of,
    table_for,
)

NUMBERS = st.lists(st.integers(0, 2**60), max_size=60)
REPEATED = st.lists(st.sampled_from([0, 1, 7, 2**27, 2**40, 2**60]), max_size=60)
HOSTILE = [[], [5], [5] * 1_000_000, list(range(0, 2**20 * 64, 64)), [2**60 + 2**32 * step for step in range(5_000)]]


def arrays(*lists: list[int]) -> list[Indices]:
    return [np.array(numbers, dtype=np.int64) for numbers in lists]


@given(NUMBERS, NUMBERS | REPEATED)
def test_a_slot_stands_for_one_number(one: list[int], other: list[int]) -> None:
    known, asked = arrays(one + other[:20], other)
    table = table_for(known)

    assert sorted(table[table >= 0].tolist()) == sorted(set(known.tolist()))
    slots = slots_of(asked, table)
    found = [int(table[slot]) if slot != NOWHERE else None for slot in slots.tolist()]
    assert found == [number if number in set(known.tolist()) else None for number in other]


@given(REPEATED, REPEATED, st.integers(0, 9))
def test_equal_numbers_are_paired_in_order_unless_they_are_too_frequent(
    one: list[int], other: list[int], most: int
) -> None:
    expected = [
        (at, place)
        for at, number in enumerate(one)
        for place, same in enumerate(other)
        if same == number and other.count(number) <= most
    ]

    left, right = arrays(one, other)
    table = table_for(left)
    pairs = equal_places(slots_of(left, table), slots_of(right, table), len(table), most)

    assert list(zip(*pairs.tolist(), strict=True)) == expected


def plain_shares(one: list[int], other: list[int], partners: list[int]) -> list[tuple[float, int]]:
    """Every window compared with all windows near its partner; the first of equal shares wins."""
    found = []
    for number, partner in enumerate(partners):
        own = set(one[number * STEP : number * STEP + WINDOW])
        best = (-1.0, partner)
        for moved in (partner + shift for shift in SHIFTS):
            if len(own) >= FEWEST_DISTINCT and 0 <= moved <= len(other) - WINDOW:
                share = len(own & set(other[moved : moved + WINDOW])) / len(own)
                best = (share, moved) if share > best[0] else best
        found.append(best)
    return found


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 500), st.integers(40, 300), st.integers(0, 12))
def test_rows_of_kept_windows_are_those_of_a_plain_comparison(
    chance: Random, units: int, alphabet: int, strange: int
) -> None:
    """A text against itself, shuffled a little, with stretches of strange units that end the rows."""
    one = [chance.randrange(alphabet) for _ in range(units)]
    other = [unit for _, unit in sorted((place + chance.uniform(0, 12), unit) for place, unit in enumerate(one))]
    for _ in range(strange if units else 0):
        start = chance.randrange(units)
        other[start : start + 40] = [alphabet + 1] * len(other[start : start + 40])
    windows = max(0, (units - WINDOW) // STEP + 1)
    partners = [number * STEP + chance.choice([-90, -9, 0, 0, 3, 11, 500]) for number in range(windows)]

    left, right, near = arrays(one, other, partners)
    table = table_for(left)
    shares, places = kept_windows(slots_of(left, table), slots_of(right, table), near, len(table))

    plain = plain_shares(one, other, partners)
    enough = np.array([share >= KEPT for share, _ in plain], dtype=np.bool_)
    rows = [(first, count) for first, count in true_stretches(enough) if count >= FEWEST]
    assert [(first, count) for first, count in true_stretches(shares >= KEPT) if count >= FEWEST] == rows
    for first, count in rows:
        compared = list(zip(shares.tolist(), places.tolist(), strict=True))[first : first + count]
        assert compared == plain[first : first + count]


@pytest.mark.parametrize("one", HOSTILE)
@pytest.mark.parametrize("other", HOSTILE)
def test_hostile_numbers_are_handled(one: list[int], other: list[int]) -> None:
    left, right = arrays(one, other)
    table = table_for(left)
    own, foreign = slots_of(left, table), slots_of(right, table)

    equal_places(own, foreign, len(table), 8)
    partners = np.arange(max(0, (len(one) - WINDOW) // STEP + 1), dtype=np.int64) * STEP
    shares, _ = kept_windows(own, foreign, partners, len(table))
    assert len(shares) == len(partners)
