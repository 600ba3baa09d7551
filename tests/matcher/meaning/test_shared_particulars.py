"""Particulars that two sentences share, as an editor reads them: whole words of both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.normalize import canonicalize
from matcher.meaning.particulars import particulars_of
from matcher.meaning.shared_particulars import shared_particulars


def shared(left: str, right: str) -> tuple[str, ...]:
    """All that both have, as if nothing of it was in other texts."""
    return shared_particulars(particulars_of(left) & particulars_of(right), left, right)


def test_a_name_that_no_dictionary_has_is_whole() -> None:
    assert shared("当天，陈尚斌与 Linus 说了30次。", "Linus 回忆，陈尚斌说过30次") == ("陈尚斌", "Linus", "30")


def test_the_end_of_a_word_and_the_beginning_of_the_next_are_shown_as_both_words() -> None:
    """影学 is rare, and no word: 电影学院 is what both name."""
    assert shared_particulars(["影学"], "他考上了电影学院。", "毕业于北京电影学院") == ("电影学院",)


def test_the_same_characters_in_other_words_are_not_shown() -> None:
    assert shared_particulars(["家主"], "有专家主张限制。", "多个国家主动减排") == ()


def test_numbers_and_dates_are_shown_as_written() -> None:
    found = shared("3月5日共卖出三千万件，增长三成。", "On March 5, 30 million were sold, up 30%.")

    assert found == ("3月5日", "三千万", "三成")


def test_case_and_script_are_those_of_the_left_text() -> None:
    assert shared("陳尚斌寫了Linux內核", "陈尚斌编写 LINUX 内核") == ("陳尚斌", "Linux", "內核")


def test_links_are_whole() -> None:
    link = "https://Example.org/a/b"
    assert shared(f"见 {link} 。", f"({link})") == (link,)


@pytest.mark.parametrize(
    "text", ["", "\0", "\ud800陈\udfff", "字" * 20_000, "a" * 20_000, "\u202eكتب abc\u202c", "\n\n陈尚\n斌\n"]
)
def test_hostile_sentences_are_answered(text: str) -> None:
    assert all(one in text for one in shared(text, text))


@given(
    st.text(alphabet="陈尚斌电影学院的与a1 \n，", max_size=60),
    st.text(alphabet="陈尚斌电影学院的与a1 \n，", max_size=60),
)
def test_what_is_shown_stands_in_both_sentences(left: str, right: str) -> None:
    for one in shared(left, right):
        assert one in left
        assert canonicalize(one).text in canonicalize(right).text


@given(st.text(max_size=200))
def test_any_text_can_be_shown(text: str) -> None:
    shared(text, text)
