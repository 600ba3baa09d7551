"""What copying leaves on a text: half sentences, phrases of another page, another paper's voice."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.boilerplate.classifier import gram_index
from matcher.judgement.judge import judge
from matcher.provenance.copy_damage import CopyDamage, copy_damage_of
from matcher.provenance.direction import Direction, direction_between
from matcher.provenance.leftover_phrases import _LEFT_OVER, left_over, speaks_as
from storage.records.pages import Declared
from storage.types import DateOrigin, Precision
from tests.support.factories import SEEN, facts, story

PAPER = facts("paper", site_name="江城晚报网", owner_name="江城日报社")


def wear_between(left: str, right: str) -> CopyDamage:
    units = (to_initials(canonicalize(text)) for text in (left, right))
    return copy_damage_of(judge(*units, boilerplate=gram_index(())), left, right)


def cut_between(left: str, right: str) -> tuple[bool, bool]:
    found = wear_between(left, right)
    return found.left_cut, found.right_cut


def test_a_text_that_breaks_off_in_the_middle_of_a_sentence_was_cut() -> None:
    whole = story()
    middle = whole.index("，", 300) - 2

    assert cut_between(whole[:middle], whole) == (True, False)
    assert cut_between(whole, whole[middle:]) == (False, True)


def test_whole_sentences_and_whole_texts_are_not_cut() -> None:
    whole = story()
    end = whole.index("。", 300) + 1

    assert cut_between(whole[:end], whole) == (False, False)
    assert cut_between(whole[end:], whole) == (False, False)
    assert cut_between(whole, whole) == (False, False)
    assert cut_between(f"{whole[:end]}本报将继续关注此事的进展。", whole) == (False, False)


PIECES = [
    "点击",
    "查看",
    "戳",
    "原文",
    "阅读原文",
    "链接",
    "转载",
    "自",
    "网络",
    "互联网",
    "公众号",
    "来源",
    "来自",
    "：",
    "侵",
]
PIECES += [
    "删",
    "权",
    "删除",
    "联系",
    "版权归",
    "原作者",
    "本文为",
    "系",
    "如下",
    "中",
    " ",
    "Read",
    "the",
    "full",
    "original",
]
PIECES += ["appeared", "first", "on", "more", "at", "View"]


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_no_phrase_is_without_one_of_the_words_that_are_looked_for_first(text: str) -> None:
    found = _LEFT_OVER.search(text)

    assert left_over(text) == ("" if found is None else " ".join(found[0].split()))


@pytest.mark.parametrize(
    "phrase",
    [
        "点击阅读原文",
        "查看原文",
        "来源：网络，侵删",
        "如有侵权请联系删除",
        "转载自互联网",
        "Read the original here",
        "原文链接：见下",
    ],
)
def test_a_phrase_of_another_page_is_left_over(phrase: str) -> None:
    assert left_over(f"{story()}\n{phrase}")
    assert direction_between(facts("a", text=f"{story()}\n{phrase}"), facts("b", text=story())).left_is_source is False


@pytest.mark.parametrize("text", ["", story(), "老桥的原文件保存在档案馆里。", "记者点击了页面，没有反应。"])
def test_ordinary_prose_has_nothing_left_over(text: str) -> None:
    assert left_over(text) == ""


def test_a_phrase_that_both_have_says_nothing() -> None:
    both = f"{story()}\n点击阅读原文"

    assert direction_between(facts("a", text=both), facts("b", text=both)).confidence == 0.5


@pytest.mark.parametrize(
    "text", ["昨天，江城晚报记者来到桥头。", "（江城晚报5月4日讯）老桥通车。", "江城日报社记者李四"]
)
def test_a_page_that_speaks_in_the_name_of_another_has_its_text_from_there(text: str) -> None:
    assert speaks_as(text, PAPER)
    found = direction_between(facts("copy", text=f"新闻：{text}"), PAPER)
    assert (found.left_is_source, found.confidence > 0.8) == (False, True)


@pytest.mark.parametrize(
    "text", ["他每天读江城晚报。", "江城晚报的发行量很大，江城晚报有一百年历史。", "", "记者江城晚报"]
)
def test_a_name_that_is_only_mentioned_is_nobodys_voice(text: str) -> None:
    assert speaks_as(text, PAPER) == ""


HOSTILE = ["江城晚报" * 100_000, "点击" * 100_000, "侵权" + "甲" * 200_000, "\ud800\0" * 50_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_read_in_no_time(text: str) -> None:
    assert (left_over(text), speaks_as(text, PAPER)) == ("", "")


def said(hours: float) -> Declared:
    return Declared(SEEN + timedelta(hours=hours), Precision.MINUTE, DateOrigin.META)


@pytest.mark.parametrize(
    "copier",
    [
        {"first_seen_at": SEEN.replace(day=1)},
        {"first_seen_at": SEEN.replace(day=1), "declared": said(-90)},
        {"first_seen_at": SEEN.replace(day=1), "declared": Declared()},
    ],
    ids=["crawled first", "and claims an earlier date", "and has no date"],
)
def test_a_copier_who_is_first_by_the_clock_is_known_by_what_he_left(copier: dict[str, object]) -> None:
    text = f"昨天，江城晚报记者来到桥头。{story()}"
    source = facts("paper", site_name="江城晚报", declared=said(0), text=text)

    found: Direction = direction_between(facts("copier", text=text, **copier), source, CopyDamage(30, 700, 600))

    assert not found.left_is_source
    assert found.confidence < 0.97
