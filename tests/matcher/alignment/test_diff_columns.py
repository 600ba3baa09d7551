"""Columns hold every character of both texts once and in order, paired as the shortest edit script has it."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from fingerprint.normalize import canonicalize
from matcher.alignment.diff_columns import PIECE, SHORT, columns
from matcher.alignment.diff_loops import NOTHING
from tests.support.factories import story, text_of

TEXTS = st.text(st.sampled_from("一二三四abc 。"), max_size=80)


def pairs_of(left: str, right: str) -> list[tuple[int, int]]:
    return list(zip(*columns(canonicalize(left), canonicalize(right)).tolist(), strict=True))


def assert_whole(pairs: list[tuple[int, int]], left: str, right: str) -> None:
    assert [one for one, _ in pairs if one != NOTHING] == list(range(len(canonicalize(left).text)))
    assert [other for _, other in pairs if other != NOTHING] == list(range(len(canonicalize(right).text)))
    assert (NOTHING, NOTHING) not in pairs


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_any_two_texts_are_whole_and_as_near_as_can_be(left: str, right: str) -> None:
    pairs = pairs_of(left, right)

    assert_whole(pairs, left, right)
    changed = sum(NOTHING in pair or left[pair[0]] != right[pair[1]] for pair in pairs)
    assert changed == Levenshtein.distance(left, right)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_exchanged_texts_are_paired_alike(left: str, right: str) -> None:
    forth = {pair for pair in pairs_of(left, right) if NOTHING not in pair}
    back = {(one, other) for other, one in pairs_of(right, left) if NOTHING not in (one, other)}

    assert forth == back


@pytest.mark.parametrize("edits", [0, 1, 20, 150, 400, 1_500])
def test_a_long_piece_has_the_script_of_the_whole_table(edits: int) -> None:
    chance = Random(edits)  # noqa: S311  # repeatable, nothing secret
    text = "".join(text_of(number, chars=500) for number in range(3))
    edited = list(text)
    for _ in range(edits):
        place = chance.randrange(len(edited) - 1)
        edited[place : place + chance.randrange(2)] = chance.choice(("", "字", chance.choice(text)))
    left, right = sorted(canonicalize(one).text for one in (text, "".join(edited)))

    alone = [pair for pair in pairs_of(left, right) if NOTHING in pair]

    assert min(len(left), len(right)) > SHORT
    script = Levenshtein.editops(left, right).as_list()
    whole = [(one, NOTHING) if tag == "delete" else (NOTHING, other) for tag, one, other in script if tag != "replace"]
    assert sorted(alone) == sorted(whole)


@pytest.mark.parametrize("inserted", [0, 40, PIECE, 3 * PIECE])
def test_a_text_longer_than_a_table_is_paired_across_an_insertion(inserted: int) -> None:
    text = "".join(text_of(number, chars=1_000) for number in range(3 * PIECE // 1_000))
    middle = len(text) // 2
    strange = (story("kelp") * 20)[:inserted]
    longer = text[:middle] + strange + text[middle:]

    pairs = pairs_of(longer, text)

    assert_whole(pairs, longer, text)
    kept = sum(one != NOTHING and longer[one] == text[other] for one, other in pairs if other != NOTHING)
    assert kept >= 0.98 * len(text)


def test_a_short_stretch_moved_to_the_front_does_not_hide_what_stayed() -> None:
    text = "".join(text_of(number, chars=1_000) for number in range(2 * PIECE // 1_000))
    moved = text[-100:] + text[:-100]

    kept = sum(one >= 0 and other >= 0 and moved[one] == text[other] for one, other in pairs_of(moved, text))

    assert kept >= len(text) - 110
