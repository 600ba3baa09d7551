"""Spans cover both texts in order and whole, and each names rightly what was changed."""

from dataclasses import fields

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matcher.alignment.diff import Span, compared, count_differences, similarity, typed_spans
from storage.records.differences import Differences, DifferenceType
from tests.matcher.alignment import plain_spans
from tests.support.factories import story, text_of

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=120)
# What folds to nothing, to one, to several characters, and what sounds or looks like another.
AWKWARD_CHARACTERS = "己已他她它体體Ａae\u0301\u200b\ufeff\0\ud800\n 。，0o１㈠々〇𠮷①"
ONE_TO_ONE = st.text(st.sampled_from(AWKWARD_CHARACTERS.replace("㈠", "")), max_size=60)
WITHOUT_WORDS = st.text(st.sampled_from([char for char in AWKWARD_CHARACTERS if char not in "Ａaeo㈠"]), max_size=60)
AWKWARD = st.text(st.sampled_from(AWKWARD_CHARACTERS + "ßﬁ㎏"), max_size=60)

D = DifferenceType


def assert_cover(spans: list[Span], left: str, right: str) -> None:
    at_left = at_right = 0
    for span in spans:
        assert (span.left_start, span.right_start) == (at_left, at_right)
        assert span.left_end >= at_left
        assert span.right_end >= at_right
        assert (span.left_end, span.right_end) != (at_left, at_right)
        at_left, at_right = span.left_end, span.right_end
        if span.type is D.SAME:
            assert left[span.left_start : span.left_end] == right[span.right_start : span.right_end]
        if span.type is D.INSERTED:
            assert span.right_start == span.right_end
        if span.type is D.DELETED:
            assert span.left_start == span.left_end
    assert (at_left, at_right) == (len(left), len(right))


def told(left: str, right: str) -> list[tuple[str, str, str]]:
    """The differences as (type, left, right), what is the same left out."""
    return [
        (str(span.type), left[span.left_start : span.left_end], right[span.right_start : span.right_end])
        for span in typed_spans(left, right)
        if span.type is not D.SAME
    ]


@settings(max_examples=200, deadline=None)
@given(st.one_of(ANY_TEXT, AWKWARD), st.one_of(ANY_TEXT, AWKWARD))
@example("ﬁ", "f")
@example("f", "ﬁ")
@example("㎏㎏", "kgk")
@example("\u200b", "")
@example("\u200b一", "二\u200b")
def test_spans_cover_any_two_texts_in_order_and_whole(left: str, right: str) -> None:
    assert_cover(typed_spans(left, right), left, right)


WORDS = st.lists(st.sampled_from(["quick", "rapid", "Ａae", "己已", "ﬁne", "ß", "体體", "\u200b", ""]), max_size=9).map(
    " ".join
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(ANY_TEXT, AWKWARD, WORDS), st.one_of(ANY_TEXT, AWKWARD, WORDS), st.booleans())
@example("㎏㎏", "kgk", True)
@example("\u200b一", "二\u200b", False)
def test_spans_are_those_of_plain_python_and_so_are_their_sums(left: str, right: str, moved: bool) -> None:
    spans = typed_spans(left, right)

    expected = plain_spans.typed_spans(left, right)
    assert spans == [Span(*span) for span in expected]
    assert compared(left, right, moved=moved) == (similarity(spans), count_differences(spans, moved=moved))
    longer = [max(i_end - i, j_end - j) for i, i_end, j, j_end, kind in expected if kind is D.EDITED]
    assert count_differences(spans).edited == sum(longer)


@settings(max_examples=100, deadline=None)
@given(st.one_of(ANY_TEXT, AWKWARD))
def test_a_text_and_itself_are_the_same(text: str) -> None:
    spans = typed_spans(text, text)

    assert_cover(spans, text, text)
    assert similarity(spans) == 1.0
    assert count_differences(spans) == Differences()


@settings(max_examples=60, deadline=None)
@given(WITHOUT_WORDS, WITHOUT_WORDS)
def test_what_one_text_is_longer_by_is_inserted(left: str, right: str) -> None:
    forth, back = count_differences(typed_spans(left, right)), count_differences(typed_spans(right, left))

    assert forth.inserted - forth.deleted == len(left) - len(right)
    assert back.inserted - back.deleted == len(right) - len(left)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("他走了", "她走了", [("homophone", "他", "她")]),
        ("银行在左边", "银航在左边", [("homophone", "行", "航")]),
        ("自己的书", "自已的书", [("lookalike", "己", "已")]),
        ("体重七十", "體重七十", [("variant", "体", "體")]),
        ("價格上漲", "价格上涨", [("variant", "價", "价"), ("variant", "漲", "涨")]),
        ("编号A12", "编号Ａ１２", [("variant", "A12", "Ａ１２")]),
        ("Zhiwen", "ZHIWEN", [("variant", "hiwen", "HIWEN")]),
        ("山高水长", "山低水长", [("edited", "高", "低")]),
        ("他很快地走了", "他走了", [("inserted", "很快地", "")]),
        ("他走了", "他很快地走了", [("deleted", "", "很快地")]),
        ("他走了，", "他走了。", [("edited", "，", "。")]),
        ("完全没有", "", [("inserted", "完全没有", "")]),
        ("", "完全没有", [("deleted", "", "完全没有")]),
        ("中\u200b间", "中间", [("inserted", "\u200b", "")]),
        ("中间", "中\u200b间", [("deleted", "", "\u200b")]),
        ("аpple", "apple", [("lookalike", "а", "a")]),
        ("the quick fox", "the rapid fox", [("edited", "quick", "rapid")]),
        ("the colour is", "the color is", [("inserted", "u", "")]),
        ("he jumped", "he jumps", [("edited", "e", "s"), ("inserted", "d", "")]),
        ("a big red fox", "a red fox", [("inserted", "big ", "")]),
        ("家\u200d人\ufeff", "家\u200d人\ufeff", []),
    ],
)
def test_each_change_is_named_by_its_type(left: str, right: str, expected: list[tuple[str, str, str]]) -> None:
    assert told(left, right) == expected


def test_characters_are_counted_by_type_on_the_longer_side() -> None:
    spans = typed_spans("他自己說，老桥很长", "她自已说，旧桥")

    found = count_differences(spans)

    assert found == Differences(homophone=1, lookalike=1, variant=1, edited=1, inserted=2)
    assert similarity(spans) == pytest.approx(4 / 9)


def test_what_is_only_written_differently_is_as_similar_as_can_be() -> None:
    assert similarity(typed_spans("體重", "体重")) == 1.0


def test_what_is_the_same_in_a_passage_out_of_order_counts_as_moved_and_every_character_once() -> None:
    assert count_differences(typed_spans("他走了", "她走了"), moved=True) == Differences(homophone=1, moved=2)


@settings(max_examples=100, deadline=None)
@given(ONE_TO_ONE, ONE_TO_ONE, st.booleans())
def test_in_a_moved_passage_too_every_span_is_counted_once(left: str, right: str, moved: bool) -> None:
    spans = typed_spans(left, right)
    found = count_differences(spans, moved=moved)

    sizes = [
        max(span.left_end - span.left_start, span.right_end - span.right_start)
        for span in spans
        if moved or span.type is not D.SAME
    ]
    assert sum(getattr(found, field.name) for field in fields(found)) == sum(sizes)


def test_nothing_against_nothing_is_the_same() -> None:
    assert typed_spans("", "") == []
    assert similarity([]) == 1.0


LONG = "".join(text_of(number, chars=1_000) for number in range(50))


def test_a_long_text_with_a_word_changed_every_so_often_has_just_these_differences() -> None:
    edited = list(LONG)
    places = range(37, len(LONG), 497)
    for place in places:
        edited[place] = "☃"

    spans = typed_spans("".join(edited), LONG)

    assert_cover(spans, "".join(edited), LONG)
    assert count_differences(spans) == Differences(edited=len(places))


def test_a_long_insertion_into_a_long_text_is_one_insertion() -> None:
    inserted = story("kelp")

    spans = typed_spans(LONG[:25_000] + inserted + LONG[25_000:], LONG)

    assert_cover(spans, LONG[:25_000] + inserted + LONG[25_000:], LONG)
    found = count_differences(spans)
    assert found.inserted - found.deleted == len(inserted)
    assert similarity(spans) > 0.97


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (LONG, LONG[::-1][:20_000]),
        ("哈" * 10_000, "嘿" * 10_000),
        ("哈嘿" * 25_000, "嘿哈" * 25_000),
        ("哈" * 50_000, "哈"),
        (LONG, ""),
        (" " * 50_000, "\u200b" * 50_000),
        ("。" * 10_000, LONG[:10_000]),
    ],
    ids=["backwards", "two letters", "out of step", "one of many", "nothing", "blanks", "marks"],
)
def test_long_texts_with_little_in_common_end_and_are_covered(left: str, right: str) -> None:
    assert_cover(typed_spans(left, right), left, right)
