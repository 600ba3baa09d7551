"""When two texts are a copy and of what kind: passages, shares, quotations, mosaics, boilerplate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerprint.compute import analyse
from fingerprint.model import Initials
from matcher.alignment.align import unit_grams
from matcher.boilerplate.classifier import GRAM, covered, gram_index, is_due
from matcher.discounts.quotations import LONGEST_QUOTATION, quoted_units
from matcher.judgement.gates import GateKind
from matcher.judgement.judge import Judgement, judge, kind_of, union_share
from matcher.judgement.mosaic import own_shares, parts_of_mosaic
from storage.records.matches import Passage
from storage.types import MatchKind
from tests.support.disguises import shuffle_paragraphs, swap_homophones, to_traditional
from tests.support.factories import story, text_of

NO_BOILERPLATE = gram_index(())
SENTENCE = "承重这件事她专门去问过物业的工程师，对方起初以为她要装浴缸"


def units(text: str) -> Initials:
    return analyse(text).initials


def judged(left: str, right: str, boilerplate: str = "") -> Judgement:
    runs = [units(boilerplate).codes.tobytes()] if boilerplate else []
    return judge(units(left), units(right), boilerplate=gram_index(runs))


def a_passage(start: int, end: int, *, is_boilerplate: bool = False) -> Passage:
    return Passage(start, end, 0, end - start, 1.0, is_boilerplate=is_boilerplate)


def test_a_text_and_itself_are_identical() -> None:
    found = judged(story(), story())

    assert found.is_match
    assert (found.left_share, found.right_share) == (1.0, 1.0)
    (passage,) = found.passages
    assert passage.similarity == 1.0
    assert kind_of(1.0, 1.0, found.passages) is MatchKind.IDENTICAL


def test_different_articles_are_no_match() -> None:
    found = judged(story("kelp"), story("glacier"))

    assert not found.is_match
    assert found.passages == ()


def unchanged(found: Judgement) -> float:
    (gate,) = [gate for gate in found.gates if gate.kind is GateKind.VERBATIM]
    return gate.measured


@pytest.mark.parametrize(
    ("units_taken", "stop_after", "is_match"), [(47, 20, True), (47, 2, False), (47, 0, False), (42, 20, False)]
)
def test_a_short_passage_counts_when_not_one_character_was_changed_and_a_sentence_ends_in_it(
    units_taken: int, stop_after: int, *, is_match: bool
) -> None:
    """Of the edges some more or less may be alike by chance: the gate is at 44, and 50 is where sounds suffice."""
    taken = units(story("kelp")).canonical.text[200 : 200 + 3 * units_taken]
    letters = "".join(sign for sign in taken if sign.isalpha())[:units_taken]
    piece = f"{letters[:stop_after]}。{letters[stop_after:]}" if stop_after else letters
    found = judged(
        f"{text_of(3, chars=300)}{piece}{text_of(4, chars=300)}", f"{text_of(1, chars=200)}{piece}{text_of(2)}"
    )

    assert found.is_match is is_match
    assert unchanged(found) == pytest.approx(units_taken if stop_after > 2 else 0, abs=1)


def test_the_same_sounds_in_other_characters_are_not_unchanged() -> None:
    disguised = swap_homophones(story(), share=1.0, seed=1)

    assert unchanged(judged(story(), disguised)) < unchanged(judged(story(), story())) / 10


@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: swap_homophones(text, share=0.3, seed=1),
        to_traditional,
        lambda text: shuffle_paragraphs(text, seed=1),
        "\u200b".join,
    ],
    ids=["homophones", "traditional", "shuffled paragraphs", "zero-width"],
)
def test_a_disguised_copy_is_seen_through_whole(disguise) -> None:  # type: ignore[no-untyped-def]  # a table of lambdas
    found = judged(disguise(story()), story())

    assert found.is_match
    assert found.left_share > 0.95
    assert found.right_share > 0.95


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 900), st.integers(0, 500), st.sampled_from(["balcony-garden", "kelp", "sleep-lab"]))
def test_exchanging_the_texts_exchanges_the_shares(start: int, size: int, slug: str) -> None:
    one, other = text_of(start) + story(slug)[start : start + size], story(slug)

    forth, back = judged(one, other), judged(other, one)

    assert forth.is_match == back.is_match
    assert (forth.left_share, forth.right_share) == pytest.approx((back.right_share, back.left_share))
    assert [passage.swapped() for passage in back.passages] == sorted(
        forth.passages, key=lambda passage: passage.right_start
    )


def test_quoting_a_sentence_is_no_match_and_copying_a_paragraph_is() -> None:
    source = story()
    assert SENTENCE in source

    assert not judged(f"{text_of(1)}她说：“{SENTENCE}。”{text_of(2)}", source).is_match
    assert not judged(f"{text_of(1)}{SENTENCE}{text_of(2)}", source).is_match
    assert judged(f"{text_of(1)}{source[300:360]}{text_of(2)}", source).is_match


@pytest.mark.parametrize(("chars", "is_match"), [(30, False), (60, True)])
def test_about_forty_five_characters_in_a_row_are_a_copy(chars: int, *, is_match: bool) -> None:
    assert judged(text_of(1) + story()[400 : 400 + chars] + text_of(2), story()).is_match is is_match


def test_a_marked_quotation_must_be_twice_as_long_as_a_plain_copy() -> None:
    plain = story("tactile-paving").replace("“", "").replace("”", "")[300:420]
    short, whole = plain[:60], plain

    def quoting(part: str) -> str:
        return f"{text_of(1)}“{part}”{text_of(2)}"

    source = text_of(3) + plain + text_of(4)
    assert judged(f"{text_of(1)}{short}{text_of(2)}", source).is_match
    assert not judged(quoting(short), source).is_match
    assert judged(quoting(whole), source).is_match


def test_a_whole_short_text_copied_is_a_match() -> None:
    short = "明日起，三号线延长运营一小时，末班车改为二十三点四十五分。"

    assert judged(short, short).is_match
    assert judged(f"{short}请市民相互转告。", short).is_match
    assert not judged("明日有雨。", "明日有雨。").is_match


def test_what_is_learned_to_prove_nothing_makes_no_match() -> None:
    notice = text_of(77, chars=200)
    one, other = f"{text_of(1)}\n{notice}", f"{text_of(2)}\n{notice}"

    assert judged(one, other).is_match
    assert not judged(one, other, boilerplate=notice).is_match


def test_boilerplate_beside_a_copied_passage_is_marked_and_counts_for_nothing() -> None:
    notice, copied = text_of(77, chars=150), story()[:200]
    one, other = f"{copied}{text_of(1)}{notice}", f"{text_of(2)}{copied}{text_of(3)}{notice}"

    found = judged(one, other, boilerplate=notice)

    assert found.is_match
    assert [passage.is_boilerplate for passage in found.passages if passage.left_end - passage.left_start > 100] == [
        False,
        True,
    ]
    assert 190 <= found.longest <= 210
    assert found.boilerplate_units >= 120


@pytest.mark.parametrize(
    ("copy_share", "source_share", "similarity", "expected"),
    [
        (1.0, 1.0, 1.0, MatchKind.IDENTICAL),
        (1.0, 1.0, 0.99, MatchKind.NEAR),
        (0.8, 0.75, 0.9, MatchKind.NEAR),
        (0.9, 0.2, 1.0, MatchKind.EXCERPT),
        (0.2, 0.9, 1.0, MatchKind.EMBEDDED),
        (0.2, 0.2, 1.0, MatchKind.EMBEDDED),
    ],
)
def test_the_kind_is_seen_from_the_copy(
    copy_share: float, source_share: float, similarity: float, expected: MatchKind
) -> None:
    assert kind_of(copy_share, source_share, [Passage(0, 9, 0, 9, similarity)]) is expected


def test_moved_passages_are_those_out_of_order() -> None:
    parts = [story()[start : start + 150] for start in (0, 200, 400, 600)]
    found = judged("".join(text_of(n, chars=80) + parts[i] for n, i in enumerate((1, 2, 3, 0))), story())

    assert [passage.differences.moved > 0 for passage in found.passages] == [False, False, False, True]


@pytest.mark.parametrize("pair", [("", ""), ("", "字"), ("。", "。"), ("一", "一")])
def test_next_to_nothing_is_no_match_and_no_error(pair: tuple[str, str]) -> None:
    found = judged(*pair)

    assert not found.is_match
    assert 0.0 <= found.left_share <= 1.0


def test_shares_of_overlapping_passages_count_once() -> None:
    passages = [a_passage(0, 50), a_passage(30, 60), a_passage(90, 100, is_boilerplate=True)]

    assert union_share(passages, 100) == 0.6
    assert union_share([], 0) == 0.0


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ([[(0, 40)], [(50, 90)]], {0, 1}),
        ([[(0, 80)], [(80, 100)]], set()),
        ([[(0, 40)], [(0, 38)]], set()),
        ([[(0, 40)], [(0, 38)], [(50, 80)]], {0, 2}),
        ([[(0, 40)], [(50, 55)]], set()),
        ([[(0, 40)]], set()),
        ([], set()),
        ([[(0, 20), (60, 80)], [(25, 55)]], {0, 1}),
    ],
)
def test_a_mosaic_is_made_of_sources_that_each_explain_a_part_of_their_own(
    sources: list[list[tuple[int, int]]], expected: set[int]
) -> None:
    passages = [[a_passage(*place) for place in source] for source in sources]

    assert parts_of_mosaic(passages, 100) == expected


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 90), st.integers(1, 40)), max_size=4).map(
            lambda spans: [a_passage(start, min(100, start + length)) for start, length in spans]
        ),
        max_size=6,
    )
)
def test_every_stretch_belongs_to_one_source(sources: list[list[Passage]]) -> None:
    shares = own_shares(sources, 100)

    covered = {place for passages in sources for item in passages for place in range(item.left_start, item.left_end)}
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) == pytest.approx(len(covered) / 100)


def test_boilerplate_is_no_part_of_a_mosaic() -> None:
    assert parts_of_mosaic([[a_passage(0, 40)], [a_passage(50, 90, is_boilerplate=True)]], 100) == frozenset()


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("他说“好的”然后走", "好的"),
        ("他說「好的」然後走", "好的"),
        ("他说“好的然后走", ""),
        ("他说”好的“然后走", ""),
        ("甲“乙”丙“丁”戊", "乙丁"),
        ("“" + "字" * (LONGEST_QUOTATION + 1) + "”", ""),
        ("没有引号", ""),
        ("", ""),
    ],
)
def test_what_stands_between_marks_is_quoted(text: str, quoted: str) -> None:
    read = units(text)
    inside = quoted_units(read)

    assert "".join(read.canonical.text[start] for start in read.chars_from[inside]) == quoted.replace("說", "说")


def test_stray_marks_by_the_thousand_end() -> None:
    assert not quoted_units(units("“字" * 20_000)).any()


def test_learned_runs_cover_their_own_units_and_no_others() -> None:
    run, text = units(text_of(1, chars=100)).codes, units(text_of(2) + text_of(1, chars=100) + text_of(3)).codes

    mask = covered(text, gram_index([run.tobytes()]))

    expected = np.isin(unit_grams(text, GRAM), unit_grams(run, GRAM))
    assert mask.sum() == len(run)
    assert mask[: len(expected)][expected].all()
    assert not covered(text, NO_BOILERPLATE).any()
    assert not covered(text[:3], gram_index([run.tobytes()])).any()


def test_a_verdict_is_due_at_first_and_after_a_fifth_as_many_more() -> None:
    assert is_due(5, None)
    assert [texts for texts in range(10, 15) if is_due(texts, 10)] == [12, 13, 14]


GETTERS = """
public class Student {
    private Integer id; private String name; private Integer age;
    public Integer getId() { return id; }
    public void setId(Integer id) { this.id = id; }
    public String getName() { return name; }
    public void setName(String name) { this.name = name; }
}
"""


def test_the_idioms_of_a_programming_language_are_no_copy() -> None:
    one = f"{text_of(1, chars=500)}\n{GETTERS}\n{text_of(2, chars=300)}"
    other = f"{text_of(3, chars=400)}\n{GETTERS.replace('Student', 'Teacher')}\n{text_of(4, chars=300)}"

    assert not judged(one, other).is_match


def test_a_long_listing_is_a_copy_all_the_same() -> None:
    lines = [
        f"total_{chr(97 + n % 26)}{chr(97 + n // 26)} = sum(item.weight for item in shelf[{n}]);" for n in range(60)
    ]
    listing = "\n".join(lines)

    assert judged(f"{text_of(1, chars=500)}\n{listing}", f"{text_of(3, chars=400)}\n{listing}").is_match


def price_list(*prices: str) -> str:
    names = ("粳米", "菜籽油", "精瘦肉", "五花肉", "鸡蛋", "黄瓜", "番茄", "菠菜", "豇豆", "空心菜")
    return "据市场监测，本周价格如下：" + "；".join(
        f"{name}每500克{price}元" for name, price in zip(names, prices, strict=True)
    )


THIS_WEEK = ("2.85", "9.70", "17.20", "15.60", "4.95", "3.12", "3.41", "2.98", "5.07", "4.36")
NEXT_WEEK = ("2.88", "9.91", "18.33", "16.14", "5.20", "2.67", "3.99", "3.05", "6.18", "4.72")


def test_template_news_with_other_numbers_is_no_copy() -> None:
    found = judged(price_list(*THIS_WEEK), price_list(*NEXT_WEEK))

    assert not found.is_match
    assert found.matched_units > 40


def test_the_same_notice_with_its_numbers_is_a_copy() -> None:
    assert judged(f"{text_of(1, chars=200)}\n{price_list(*THIS_WEEK)}", price_list(*THIS_WEEK)).is_match


def test_a_copied_text_is_cut_where_boilerplate_begins_and_ends() -> None:
    text = units(story())
    learned = gram_index([text.codes[100:300].tobytes()])

    found = judge(text, text, boilerplate=learned)

    assert [passage.is_boilerplate for passage in found.passages] == [False, True, False]
    assert found.proof <= len(text) - 200
    assert found.left_share == 1.0


def test_a_set_phrase_in_the_midst_of_a_copy_does_not_make_two_of_it() -> None:
    text = units(story())
    learned = gram_index([text.codes[120:150].tobytes()])

    found = judge(text, text, boilerplate=learned)

    [passage] = found.passages
    assert not passage.is_boilerplate
    assert (passage.left_start, passage.left_end) == text.source_span(0, len(text) - 1)
    assert found.proof <= len(text) - 30


def test_a_phrase_at_the_end_of_a_copy_stays_apart() -> None:
    text = units(story())
    learned = gram_index([text.codes[-40:].tobytes()])

    assert [passage.is_boilerplate for passage in judge(text, text, boilerplate=learned).passages] == [False, True]


def test_a_notice_copied_alone_proves_nothing() -> None:
    assert not judged(story()[:200], story(), boilerplate=story()[:200]).is_match
