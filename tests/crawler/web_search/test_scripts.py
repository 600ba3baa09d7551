"""A query in both Chinese scripts, from any text."""

from hypothesis import given
from hypothesis import strategies as st
from opencc import OpenCC

from crawler.web_search.scripts import in_both_scripts

MOST = 190


def test_simplified_words_are_repeated_in_traditional_script() -> None:
    assert in_both_scripts("Redis 读后感与体会 中文", most=MOST) == "Redis 读后感与体会 中文 讀後感與體會"


def test_traditional_words_are_repeated_in_simplified_script() -> None:
    assert in_both_scripts("讀後感與體會 7.2", most=MOST) == "讀後感與體會 7.2 读后感与体会"


def test_forms_of_taiwan_and_hong_kong_are_traditional_too() -> None:
    assert in_both_scripts("裡面的檯燈與床牀", most=MOST) == "裡面的檯燈與床牀 里面的台灯与床床"


def test_words_that_are_the_same_in_both_scripts_stand_once() -> None:
    assert in_both_scripts("中文 一二三 Kafka", most=MOST) == "中文 一二三 Kafka"


def test_words_that_do_not_fit_are_left_out_whole() -> None:
    assert in_both_scripts("读书笔记 体会", most=9) == "读书笔记 体会"
    assert in_both_scripts("读书笔记 体会", most=10) == "读书笔记 体会 體會"


def test_japanese_and_other_languages_stay_as_they_are() -> None:
    for query in ("学校で会う", "the river rose", "река поднялась", ""):
        assert in_both_scripts(query, most=MOST) == query


def test_single_characters_are_those_of_the_usual_dictionary() -> None:
    convert = OpenCC("s2t").convert
    words = "动态规划 数据结构 图书馆员 进程线程 观察对象"

    for word in words.split():
        assert in_both_scripts(word, most=MOST) == f"{word} {convert(word)}"


@given(st.text(max_size=300), st.integers(0, 200))
def test_any_query_keeps_its_beginning_and_its_bound(query: str, most: int) -> None:
    both = in_both_scripts(query, most=most)

    assert both.startswith(query)
    assert len(both) <= max(most, len(query))
    assert "\n" not in both[len(query) :]
