"""Blocks of shared units: inside both texts, never overlapping, whole for equals, none for strangers."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.compute import analyse
from fingerprint.model import UnitCodes
from matcher.alignment.align import AlignmentParameters, Block, Run, align, prepare
from tests.matcher.alignment import plain_alignment
from tests.support.factories import story, text_of

FEW_LETTERS = st.lists(st.integers(1, 3), max_size=250)
MANY_LETTERS = st.lists(st.integers(1, 36), max_size=250)
LOWEST = AlignmentParameters(min_matched=8)


def codes(units: Sequence[int]) -> UnitCodes:
    return np.array(units, dtype=np.uint8)


def units(text: str) -> UnitCodes:
    return analyse(text).initials.codes


def random_units(seed: int, length: int) -> UnitCodes:
    return np.random.default_rng(seed).integers(1, 27, length).astype(np.uint8)


def stretches(blocks: Sequence[Block]) -> list[tuple[int, int, int, int]]:
    return [(block.left, block.left_end, block.right, block.right_end) for block in blocks]


def assert_sound(blocks: Sequence[Block], left: UnitCodes, right: UnitCodes, least: int) -> None:
    """What holds for the blocks of any two texts."""
    for block in blocks:
        assert block.matched >= least
        assert 0 < block.density <= 1
        for run in block.runs:
            assert run.length > 0
            assert run.left >= 0
            assert run.right >= 0
            assert left[run.left : run.left_end].tolist() == right[run.right : run.right_end].tolist()
            assert run.left_end <= len(left)
            assert run.right_end <= len(right)
        for one, other in pairwise(block.runs):
            assert one.left_end <= other.left
            assert one.right_end <= other.right
    for first, end in ("left", "left_end"), ("right", "right_end"):
        placed = sorted((getattr(block, first), getattr(block, end)) for block in blocks)
        assert all(one[1] <= other[0] for one, other in pairwise(placed))
    assert list(blocks) == sorted(blocks, key=lambda block: (block.left, block.right))


@settings(max_examples=150, deadline=None)
@given(st.one_of(FEW_LETTERS, MANY_LETTERS), st.one_of(FEW_LETTERS, MANY_LETTERS))
def test_blocks_of_any_two_texts_are_equal_inside_bounds_and_apart(left: list[int], right: list[int]) -> None:
    for parameters in (AlignmentParameters(), LOWEST):
        blocks = align(codes(left), codes(right), parameters)
        assert_sound(blocks, codes(left), codes(right), parameters.min_matched)


def assert_as_in_plain_python(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> None:
    for one, other in ((left, right), (right, left)):
        expected = plain_alignment.aligned(one.tolist(), other.tolist(), parameters)
        assert [[tuple(run) for run in block.runs] for block in align(one, other, parameters)] == expected


@settings(max_examples=60, deadline=None)
@given(st.one_of(FEW_LETTERS, MANY_LETTERS), st.one_of(FEW_LETTERS, MANY_LETTERS))
def test_blocks_of_any_two_texts_are_those_of_plain_python(left: list[int], right: list[int]) -> None:
    for parameters in (AlignmentParameters(), LOWEST):
        assert_as_in_plain_python(codes(left), codes(right), parameters)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 280), st.integers(8, 120)), max_size=8),
    st.sampled_from([4, 27]),
    st.sampled_from([0.0, 0.05, 0.2, 0.4]),
)
def test_so_are_those_of_edited_patchworks(
    seed: int, patches: list[tuple[int, int]], letters: int, share: float
) -> None:
    left = np.random.default_rng(seed).integers(1, letters, 300).astype(np.uint8)
    pieces = [np.r_[left[start : start + size], random_units(seed + start, size % 13)] for start, size in patches]
    right = np.concatenate([left[:0], *pieces]).astype(np.uint8)
    right = edited_words(right[: len(right) // 2 * 2], share, seed)

    for parameters in (AlignmentParameters(), LOWEST):
        assert_as_in_plain_python(left, right, parameters)


@pytest.mark.parametrize("shared", [0, 7, 8, 9, 30])
def test_texts_of_a_million_equal_units_are_aligned(shared: int) -> None:
    left, right = codes([1]).repeat(1_000_000), np.r_[codes([1]).repeat(shared), codes([2]).repeat(1_000_000)]

    blocks = align(left, right.astype(np.uint8))

    assert [(block.right, block.right_end) for block in blocks] == ([(0, 30)] if shared == 30 else [])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_pieces_of_one_text_in_another_order_are_found_soundly(data: st.DataObject) -> None:
    whole = random_units(data.draw(st.integers(0, 50)), 300).tolist()
    cuts = sorted(data.draw(st.lists(st.integers(0, 300), max_size=6)))
    pieces = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, 300], strict=True)]
    mixed = [unit for piece in data.draw(st.permutations(pieces)) for unit in piece]

    blocks = align(codes(whole), codes(mixed))

    assert_sound(blocks, codes(whole), codes(mixed), AlignmentParameters().min_crumb)
    # Where two blocks meet, one may have grown a few units into the other by chance; what is no longer than a gap
    # may lie in one.
    expected = sum(len(piece) - 10 for piece in pieces if len(piece) > AlignmentParameters().max_gap)
    assert sum(block.matched for block in blocks) >= expected


@given(st.integers(16, 400), st.integers(0, 100))
def test_a_text_and_itself_are_one_block(length: int, seed: int) -> None:
    text = random_units(seed, length)

    (block,) = align(text, text)

    assert block.runs == (Run(0, 0, length),)
    assert block.density == 1.0


@pytest.mark.parametrize("length", [0, 1, 7, 8, 15])
def test_what_is_shorter_than_a_block_has_none(length: int) -> None:
    text = random_units(1, length)

    assert align(text, text) == ()
    assert align(text, random_units(2, 500)) == ()


@pytest.mark.parametrize("numbers", [(1, 2), (3, 4), (5, 6)])
def test_strangers_have_no_block(numbers: tuple[int, int]) -> None:
    left, right = (random_units(number, 3_000) for number in numbers)

    assert align(left, right) == ()


def test_articles_on_different_subjects_have_no_block() -> None:
    assert align(units(story("glacier")), units(story("night-bus"))) == ()


def test_an_excerpt_is_one_block_at_its_place() -> None:
    text = random_units(1, 900)

    assert stretches(align(text[300:500], text)) == [(0, 200, 300, 500)]
    assert stretches(align(text, text[300:500])) == [(300, 500, 0, 200)]


@pytest.mark.parametrize("size", [1, 3, 20])
def test_an_insertion_is_bridged(size: int) -> None:
    text = random_units(1, 400)
    longer = np.r_[text[:200], random_units(2, size), text[200:]].astype(np.uint8)

    (block,) = align(text, longer)

    assert (block.left, block.left_end, block.right, block.right_end) == (0, 400, 0, 400 + size)
    assert block.matched >= 400
    (mirrored,) = align(longer, text)
    assert (mirrored.right, mirrored.right_end) == (0, 400)


def test_an_insertion_longer_than_the_drift_parts_two_blocks() -> None:
    text = random_units(1, 400)
    longer = np.r_[text[:200], random_units(2, 200), text[200:]].astype(np.uint8)

    assert stretches(align(text, longer)) == [(0, 200, 0, 200), (200, 400, 400, 600)]


def test_a_moved_block_is_a_block_of_its_own() -> None:
    text = random_units(1, 600)
    moved = np.r_[text[400:], text[:400]].astype(np.uint8)

    assert stretches(align(text, moved)) == [(0, 400, 200, 600), (400, 600, 0, 200)]


@pytest.mark.parametrize("every", [10, 14, 20])
def test_single_units_that_differ_do_not_break_a_block(every: int) -> None:
    text = random_units(1, 600)
    edited = text.copy()
    edited[::every] = 27

    (block,) = align(text, edited)

    assert block.left_end - block.left >= 590
    assert block.matched == pytest.approx(600 - 600 / every, abs=12)


def test_both_ends_are_reached_past_a_differing_unit() -> None:
    text = random_units(1, 200)
    edited = text.copy()
    edited[[5, 194]] = 27

    (block,) = align(text, edited)

    assert (block.left, block.left_end) == (0, 200)
    assert block.matched == 198


@pytest.mark.parametrize("pair", [("kelp", "kelp"), ("glacier", "sleep-lab")])
def test_what_one_side_shares_the_other_shares(pair: tuple[str, str]) -> None:
    left = units(text_of(1) + story(pair[0]))
    right = units(story(pair[1])[100:700] + text_of(2))

    forth, back = align(left, right), align(right, left)

    assert sorted((b, b_end, a, a_end) for a, a_end, b, b_end in stretches(forth)) == stretches(back)
    assert sum(block.matched for block in forth) == sum(block.matched for block in back)


def test_a_text_copied_twice_into_another_is_taken_from_once() -> None:
    text = random_units(1, 300)

    blocks = align(text, np.r_[text, text].astype(np.uint8))

    assert sum(block.left_end - block.left for block in blocks) == 300


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.tuples(st.integers(0, 280), st.integers(8, 60)), min_size=2, max_size=12))
def test_patchworks_of_copied_and_repeated_stretches_are_sound(seed: int, patches: list[tuple[int, int]]) -> None:
    left = random_units(seed, 300)
    pieces = [np.r_[left[start : start + size], random_units(seed + start, size % 13)] for start, size in patches]
    right = np.concatenate(pieces).astype(np.uint8)

    for one, other in ((left, right), (right, left)):
        assert_sound(align(one, other, LOWEST), one, other, LOWEST.min_matched)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.tuples(st.integers(0, 280), st.integers(8, 60)), min_size=2, max_size=12))
def test_exchanged_texts_have_the_same_blocks_mirrored(seed: int, patches: list[tuple[int, int]]) -> None:
    left = random_units(seed, 300)
    pieces = [np.r_[left[start : start + size], random_units(seed + start, size % 13)] for start, size in patches]
    right = np.concatenate(pieces).astype(np.uint8)

    mirrored = [block.mirrored() for block in align(right, left)]

    assert sorted(mirrored, key=lambda block: block.left) == list(align(left, right))


@settings(max_examples=50, deadline=None)
@given(MANY_LETTERS, st.integers(0, 100))
def test_a_prepared_text_aligns_as_it_does_unprepared(units_of_one: list[int], seed: int) -> None:
    left, right = codes([*units_of_one, *random_units(seed, 60).tolist()]), random_units(seed, 200)

    assert align(prepare(left), right) == align(left, right)


def edited_words(text: UnitCodes, every: float, seed: int) -> UnitCodes:
    """Words of two units, `every` share of them replaced, one in five dropped or doubled instead."""
    rng = np.random.default_rng(seed)
    out: list[int] = []
    for word in text.reshape(-1, 2).tolist():
        if rng.random() >= every:
            out += word
        elif rng.random() < 0.6:
            out += rng.integers(1, 27, 2).tolist()
        elif rng.random() < 0.5:
            out += [*word, *rng.integers(1, 27, 2).tolist()]
    return codes(out)


@pytest.mark.parametrize("share", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_a_passage_with_edited_words_is_one_block_from_end_to_end(share: float, seed: int) -> None:
    text = random_units(seed, 1_500)
    around = [random_units(seed + 10, 400), random_units(seed + 20, 400)]
    edited = edited_words(text, share, seed)

    (block,) = align(np.concatenate([around[0], edited, around[1]]), text)

    assert block.left == pytest.approx(400, abs=20)
    assert block.left_end == pytest.approx(400 + len(edited), abs=20)
    assert block.right == pytest.approx(0, abs=20)
    assert block.right_end == pytest.approx(1_500, abs=20)


def test_a_stretch_between_two_parts_joins_them_only_if_it_is_shared_too() -> None:
    text, strange = random_units(1, 600), random_units(2, 600)
    half_edited, rewritten = text.copy(), text.copy()
    half_edited[250:400:5] = 27  # every fifth unit: no gram of eight is left
    rewritten[250:400] = strange[250:400]

    assert stretches(align(half_edited, text)) == [(0, 600, 0, 600)]
    assert len(align(rewritten, text)) == 2


def test_a_short_sentence_moved_by_itself_counts_where_most_of_the_text_is_shared() -> None:
    long, short = [random_units(seed, 60) for seed in range(3)], [random_units(seed, 12) for seed in range(10, 12)]
    text = np.concatenate([long[0], short[0], long[1], short[1], long[2]])
    backwards = np.concatenate([long[2], short[1], long[1], short[0], long[0]])

    found = stretches(align(backwards, text))

    assert len(found) == 5
    assert {(60, 72, 132, 144), (132, 144, 60, 72)} <= set(found)
    assert align(np.concatenate([random_units(20, 192), short[0]]), text) == ()


def test_a_sentence_moved_into_a_gap_parts_the_block_around_it() -> None:
    text = random_units(1, 400)
    # Where 40 units were rewritten, the end of the text stands.
    mixed = np.concatenate([text[:150], text[360:400], text[190:360]])

    assert stretches(align(mixed, text)) == [(0, 150, 0, 150), (150, 190, 360, 400), (190, 360, 190, 360)]


def test_two_sentences_that_changed_places_leave_four_blocks() -> None:
    text = random_units(1, 400)
    mixed = np.concatenate([text[:150], text[180:210], text[150:180], text[210:]])

    assert stretches(align(mixed, text)) == [
        (0, 150, 0, 150),
        (150, 180, 180, 210),
        (180, 210, 150, 180),
        (210, 400, 210, 400),
    ]


def test_two_set_phrases_some_way_apart_are_no_passage() -> None:
    phrase, other_phrase = random_units(1, 12), random_units(2, 8)

    def around(seed: int, *, apart: int) -> UnitCodes:
        between = random_units(seed, apart)
        return np.concatenate([random_units(seed + 1, 300), phrase, between, other_phrase, random_units(seed + 2, 300)])

    assert align(around(10, apart=16), around(20, apart=16)) == ()
    (block,) = align(around(10, apart=4), around(20, apart=4))
    assert block.matched == 20


HOSTILE = {
    "one character": "哈" * 20_000,
    "two words in turn": "哈嘿" * 10_000,
    "a long line repeated": text_of(1, chars=60) * 400,
    "an article repeated eight times": text_of(1, chars=800) * 8,
    "an article repeated nine times": text_of(1, chars=800) * 9,
    "dates": "".join(f"2024-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)) * 6,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_extreme_repetition_ends_and_stays_sound(text: str) -> None:
    left, other = units(text), units(text[: len(text) // 2] + story() + text[len(text) // 2 :])

    for right in (left, other):
        blocks = align(left, right)
        assert_sound(blocks, left, right, AlignmentParameters().min_crumb)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_text_that_repeats_itself_is_found_whole_in_its_copy(text: str) -> None:
    left = units(text)

    (block,) = align(left, left)

    assert block.runs == (Run(0, 0, len(left)),)


def test_an_article_inside_repetition_is_still_found() -> None:
    around = "哈" * 20_000
    left, right = units(around + story() + around), units(story())

    assert sum(block.matched for block in align(left, right)) == len(right)
