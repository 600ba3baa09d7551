"""Identical characters that lie together, against the plainest way to add them up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.scoring.shared_runs import LEAST, RUN, WORD, RunIndex, Together, canonical


def prose(start: int, length: int) -> str:
    """Characters of which none occurs twice, other ones for each start: fit to be cut and joined."""
    return "".join(chr(0x4E00 + 7 * number) for number in range(start, start + length))


def shares(one: str, other: str) -> bool:
    return Together(one).shares_with(canonical(other))


def plainly(one: str, other: str) -> int:
    """The same by looking at every pair of places, and at every pair of runs."""
    runs = []
    for left in range(len(one)):
        for right in range(len(other)):
            length = 0
            while one[left + length : left + length + 1] == other[right + length : right + length + 1] != "":
                length += 1
            longer = left and right and one[left - 1] == other[right - 1]
            if length >= RUN and not longer:
                runs.append((left, right, length))
    best: dict[tuple[int, int, int], int] = {}
    for run in sorted(runs):
        before = [
            total
            for (left, right, length), total in best.items()
            if 0 <= run[0] - left - length <= WORD and 0 <= run[1] - right - length <= WORD
        ]
        best[run] = run[2] + max(before, default=0)
    return max(best.values(), default=0)


@st.composite
def _texts_with_common_pieces(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts of the same pieces in one order, with some other characters between them in each."""
    others = st.text(alphabet="子丑寅", max_size=WORD + 2)
    pieces = [prose(100 * number, draw(st.integers(5, 40))) for number in range(draw(st.integers(1, 6)))]
    if draw(st.booleans()):
        pieces.append(pieces[0])
    left = "".join(draw(others) + piece for piece in pieces)
    return left, "".join(draw(others) + piece for piece in pieces)


@given(_texts_with_common_pieces())
def test_it_adds_up_what_comparing_every_place_adds_up(texts: tuple[str, str]) -> None:
    one, other = texts
    expected = plainly(one, other)
    found = Together(one).most(canonical(other))

    assert found == expected or (found == 0 and expected < LEAST)
    assert shares(one, other) is (expected >= LEAST)
    assert shares(other, one) is shares(one, other)


@given(st.text(alphabet="甲乙x", max_size=150), st.text(alphabet="甲乙x", max_size=150))
def test_what_is_found_in_a_row_lies_together(one: str, other: str) -> None:
    common = prose(0, LEAST)

    assert shares(one + common + other, other + common + one)
    assert RunIndex([other + common]).sharing(one + common) == {0}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (prose(0, 30) + "子" + prose(30, 30), True),
        (prose(0, 30) + "子" * WORD + prose(30, 30), True),
        (prose(0, 30) + "子" * (WORD + 1) + prose(30, 30), False),
        (prose(0, 30) + "子" + prose(30, 29), False),
        (prose(30, 30) + "子" + prose(0, 30), False),
        ("子".join(prose(start, RUN) for start in range(0, 60, RUN)), True),
        ("子".join(prose(start, RUN - 1) for start in range(0, 60, RUN - 1)), False),
    ],
    ids=["a word put in", "four characters", "five", "one too few", "moved", "runs of ten", "runs of nine"],
)
def test_sixty_characters_lie_together_though_a_word_is_put_in(other: str, *, expected: bool) -> None:
    assert shares("丑" * 40 + prose(0, 60), other + "寅" * 40) is expected


def test_short_and_empty_texts_and_long_drawn_lines_share_nothing() -> None:
    assert not shares("", "")
    assert not shares("天" * 9, "天" * 100)
    assert not shares("-" * 100_000, "-" * 100_000)


def test_the_characters_of_a_text_are_those_that_were_put_in() -> None:
    texts = ["", "天地玄黃", "x" * 70]
    index = RunIndex(texts)

    assert [index.chars(number).tolist() for number in range(3)] == [canonical(text).tolist() for text in texts]
