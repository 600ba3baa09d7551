"""The choice of phrases: where they stand, what they are not, and hostile texts."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.web_search.phrases import PHRASE_CHARS, PHRASE_WORDS, choose_phrases, phrase_count

SENTENCE = "他们在第{}天的早晨沿着旧河道走到了下游的村子里，把看见的事情都记在了本子上。"
NUMBERS = "一二三四五六七八九"
TEXT = "\n".join("".join(SENTENCE.format(a + b) for b in NUMBERS) for a in NUMBERS)
ENGLISH = " ".join(
    f"On the {n}th morning they walked along the old river to the village below, and wrote down what they had seen."
    for n in range(40)
)


def test_three_phrases_of_ten_characters_stand_in_clauses_spread_over_the_text() -> None:
    found = choose_phrases(TEXT, count=3, salt="1")

    assert [len(one.text) for one in found] == [PHRASE_CHARS] * 3
    assert [one.start * 3 // len(TEXT) for one in found] == [0, 1, 2]
    for one in found:
        assert TEXT[one.start : one.end] == one.text
        assert not re.search(r"[，。\n]", one.text)


@pytest.mark.parametrize(
    ("length", "plain", "dear"), [(0, 3, 5), (9_999, 3, 5), (10_000, 4, 6), (54_000, 15, 17), (10**7, 15, 17)]
)
def test_long_articles_have_more_phrases_up_to_a_bound(length: int, plain: int, dear: int) -> None:
    assert phrase_count(length, is_dear=False) == plain
    assert phrase_count(length, is_dear=True) == dear


def test_the_same_salt_chooses_the_same_phrases_and_another_one_others() -> None:
    assert choose_phrases(TEXT, count=3, salt="1") == choose_phrases(TEXT, count=3, salt="1")
    assert choose_phrases(TEXT, count=3, salt="1") != choose_phrases(TEXT, count=3, salt="2")


def test_where_words_have_spaces_a_phrase_is_of_words() -> None:
    found = choose_phrases(ENGLISH, count=3, salt="1")

    assert len(found) == 3
    assert all(len(one.text.split()) == PHRASE_WORDS for one in found)
    assert all(one.text in ENGLISH for one in found)


def test_quotations_are_not_asked_for() -> None:
    quoted = "他说：“我们在那天早晨沿着旧河道走到了下游的村子里”。"
    assert choose_phrases(quoted * 5, count=3, salt="1") == ()
    assert choose_phrases(quoted.translate(str.maketrans("“”", "「」")) * 5, count=3, salt="1") == ()
    assert choose_phrases("《我们在那天早晨沿着旧河道走到了下游》", count=3, salt="1") == ()


@pytest.mark.parametrize(
    "line",
    [
        "特别声明：本文为作者的观点不代表我们的立场请注意",
        "转载请注明出处并且保留文章的链接和作者的名字谢谢",
        "责任编辑：这个是我们的编辑王小明和他的同事们一起写的",
        "2026年3月1日 来源：我们的城市晚报和它的记者们写的新闻",
    ],
)
def test_notices_and_lines_about_the_page_are_not_asked_for(line: str) -> None:
    assert choose_phrases(line, count=3, salt="1") == ()


def test_names_alone_are_not_asked_for() -> None:
    assert choose_phrases("中国科学院计算技术研究所网络数据科学实验室", count=3, salt="1") == ()
    assert choose_phrases("Northern River Valley Water Board Director Alice Margaret Brown", count=3, salt="1") == ()


def test_stretches_to_avoid_are_avoided() -> None:
    middle = len(TEXT) // 2
    for salt in map(str, range(20)):
        found = choose_phrases(TEXT, count=3, salt=salt, avoid=[(0, middle)])
        assert len(found) == 3
        assert all(one.start >= middle for one in found)


def test_what_stands_in_another_text_is_not_asked_for() -> None:
    other = TEXT[: len(TEXT) // 2].replace("走到", "走 到")
    for salt in map(str, range(20)):
        found = choose_phrases(TEXT, count=3, salt=salt, elsewhere=[other])
        assert len(found) == 3
        assert all(one.text not in TEXT[: len(TEXT) // 2] for one in found)


def test_a_text_that_stands_elsewhere_as_a_whole_has_no_phrase() -> None:
    assert choose_phrases(TEXT, count=3, salt="1", elsewhere=["前言" + TEXT]) == ()


@pytest.mark.parametrize("text", ["", "短", "\x00" * 999, "\ud800" * 999, "的" * 9, "，。" * 9_999, "\n" * 9_999])
def test_a_text_without_anything_to_ask_for_has_no_phrase(text: str) -> None:
    assert choose_phrases(text, count=3, salt="1") == ()
    assert choose_phrases(TEXT, count=0, salt="1") == ()


@given(st.text(st.sampled_from("的了在是河水村子里“”「」，。 \nabc12\ud800\x00"), max_size=400), st.integers(1, 5))
def test_phrases_are_inside_the_text_apart_and_printable(text: str, count: int) -> None:
    found = choose_phrases(text, count=count, salt="1")

    assert len(found) <= count
    for one in found:
        assert text[one.start : one.end] == one.text
        assert one.text.isprintable()
    for one, after in itertools.pairwise(found):
        assert one.end <= after.start
