"""Numbers of blocks are counted as each unit says."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.model import FIRST_DIGIT
from matcher.alignment.blocks import Block, Run
from matcher.discounts.changed_numbers import DIGIT, numbers_differ, numbers_of

GAPS = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 6))
UNITS = st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).choice([1, 2, 27, 28, 36], 160).tolist())


def blocks_of(gaps: list[list[tuple[int, int, int]]]) -> list[Block]:
    blocks, at, right_at = [], 0, 0
    for of_block in gaps:
        runs = []
        for gap, right_gap, length in of_block:
            runs.append(Run(at + gap, right_at + right_gap, length))
            at, right_at = runs[-1].left_end, runs[-1].right_end
        blocks.append(Block(tuple(runs)))
    return blocks


def plain(blocks: list[Block], codes: list[int], others: list[int]) -> tuple[list[list[int]], int, int]:
    numbers: list[list[int]] = []
    words = shared = 0
    for block in blocks:
        place = {unit: run.right + unit - run.left for run in block.runs for unit in range(run.left, run.left_end)}
        start = block.left
        for unit in range(block.left, block.left_end + 1):
            if unit < block.left_end and codes[unit] >= FIRST_DIGIT:
                continue
            if start < unit:
                places = [place.get(one) for one in range(start, unit)]
                first = places[0]
                is_kept = first is not None and places == list(range(first, first + len(places)))
                if first is not None and is_kept:
                    beside = [*others[max(first - 1, 0) : first], *others[first + len(places) :][:1]]
                    is_kept = all(other < FIRST_DIGIT for other in beside)
                numbers.append([start, unit, int(is_kept)])
            start = unit + 1
            if unit < block.left_end:
                words += 1
                shared += unit in place
    return numbers, words, shared


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(GAPS, min_size=1, max_size=4), max_size=4), UNITS, UNITS, st.booleans())
def test_numbers_are_those_that_both_texts_have_whole_at_one_place(
    gaps: list[list[tuple[int, int, int]]], units: list[int], others: list[int], is_copy: bool
) -> None:
    blocks = blocks_of(gaps)
    if is_copy:
        for run in (run for block in blocks for run in block.runs):
            others[run.right : run.right_end] = units[run.left : run.left_end]
    left, right = (np.array(codes, dtype=np.uint8) for codes in (units, others))
    runs = np.array([run for block in blocks for run in block.runs], dtype=np.int64).reshape(-1, 3)
    ends = np.cumsum([len(block.runs) for block in blocks]).astype(np.int64)

    numbers, words, shared = numbers_of(runs, ends, left, right)

    assert (numbers.tolist(), words, shared) == plain(blocks, units, others)
    assert numbers_differ(blocks, left, right) == numbers_differ([block.mirrored() for block in blocks], right, left)


def test_a_digit_is_what_the_model_says() -> None:
    assert DIGIT == FIRST_DIGIT


def test_a_million_digits_are_one_number() -> None:
    codes = np.full(1_000_000, DIGIT, dtype=np.uint8)

    numbers, words, _ = numbers_of(np.array([[0, 0, len(codes)]]), np.array([1]), codes, codes)

    assert (numbers.tolist(), words) == ([[0, len(codes), 1]], 0)
