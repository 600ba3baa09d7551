"""The exhaustive scan for shared runs, against the plainest way to look for them."""

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.scoring.shared_runs import LEAST, RunIndex
from fingerprint.normalize import canonicalize


def _share_a_run(one: str, other: str) -> bool:
    left, right = canonicalize(one).text, canonicalize(other).text
    return any(left[start : start + LEAST] in right for start in range(len(left) - LEAST + 1))


@st.composite
def _texts_with_common_parts(draw: st.DrawFn) -> tuple[list[str], str]:
    """Texts over four letters, some of them with a piece of the one asked about, of any length around the least."""
    letters = st.text(alphabet="甲乙丙x", max_size=90)
    asked = draw(st.text(alphabet="甲乙丙x", min_size=0, max_size=160))
    texts = []
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, max(0, len(asked) - 1)))
        length = draw(st.integers(0, 75))
        texts.append(draw(letters) + asked[start : start + length] + draw(letters))
    return texts, asked


@given(_texts_with_common_parts())
def test_it_finds_what_comparing_every_place_finds(given_texts: tuple[list[str], str]) -> None:
    texts, asked = given_texts
    expected = {number for number, text in enumerate(texts) if _share_a_run(text, asked)}
    assert RunIndex(texts).sharing(asked) == expected


@given(st.integers(0, 130), st.integers(0, 130))
def test_a_run_of_sixty_is_found_wherever_it_stands_and_one_of_59_is_not(before: int, after: int) -> None:
    run = "".join(chr(0x4E00 + 7 * number) for number in range(LEAST))
    stored = "子" * before + run + "丑" * after
    assert RunIndex(["寅" * 200, stored]).sharing("卯" * after + run + "辰" * before) == {1}
    assert RunIndex([stored]).sharing("卯" * after + run[1:] + "辰" * before) == frozenset()


def test_a_run_does_not_go_on_from_one_text_into_the_next() -> None:
    run = "".join(chr(0x4E00 + 7 * number) for number in range(LEAST))
    assert RunIndex([run[:30], run[30:]]).sharing(run) == frozenset()


def test_the_same_character_over_and_over_is_a_run_too() -> None:
    assert RunIndex(["-" * 5_000, "-" * 59]).sharing("-" * 5_000) == {0}


def test_script_and_width_make_no_difference() -> None:
    simple = "这里说的是两个国家的经济体系" * 5
    assert RunIndex([simple]).sharing("這裡說的是兩個國家的經濟體系".replace("裡", "里") * 5) == {0}


def test_nothing_is_shared_with_an_empty_text_nor_in_an_empty_store() -> None:
    assert RunIndex([]).sharing("天" * 100) == frozenset()
    assert RunIndex(["", "天" * 100]).sharing("") == frozenset()
