"""The classic measures: what holds for all of them, and answers that can be worked out by hand."""

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingerprint.compute import analyse
from matcher.measures.cosine import tfidf_cosine
from matcher.measures.edit_distance import LONGEST, edit_similarity
from matcher.measures.hyperplanes import MOST_WORDS, hyperplane_agreement
from matcher.measures.jaro import jaro_similarity
from matcher.measures.longest_sentences import longest_sentences, shared_longest_sentences
from matcher.measures.minhash import minhash_jaccard
from matcher.measures.model import Compares, Measure, Measured, Side, side_of
from matcher.measures.pinyin_dna import dna_share, literal_dna_share
from matcher.measures.shingles import shingle_jaccard, shingles_of
from matcher.measures.simhash import simhash_agreement
from matcher.measures.table import MEASURES, measure_all
from tests.support.factories import STORIES, story, text_of

LETTERS = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会"
# Every code point there is, lone surrogates too, mixed with what makes words, sentences and units.
TEXTS = st.text(st.characters() | st.sampled_from(LETTERS + "。！\n aA1.,\u200b\x00\ud800"), max_size=300)
LONG_TEXTS = st.lists(st.sampled_from([text_of(number, chars=40) for number in range(12)]), min_size=2, max_size=9).map(
    "".join
)

all_measures = pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)


def side(text: str) -> Side:
    return side_of(analyse(text))


def of(compares: Callable[[Side, Side], Measured], left: str, right: str) -> float | None:
    return compares(side(left), side(right)).value


@all_measures
@given(left=TEXTS, right=TEXTS)
@example(left="", right="")
@example(left="", right="一")
@example(left="\ud800\x00", right="\u200b\u200b")
@example(left="a", right="b" * 5_000)
def test_whatever_is_compared_has_a_value_in_range_or_a_reason(
    measure: Measure[Compares], left: str, right: str
) -> None:
    measured = measure.compares(side(left), side(right))

    if measured.value is None:
        assert measured.note
    else:
        assert measure.lowest <= measured.value <= measure.highest


@all_measures
@given(left=TEXTS | LONG_TEXTS, right=TEXTS | LONG_TEXTS)
def test_exchanged_sides_give_the_same_value(measure: Measure[Compares], left: str, right: str) -> None:
    assert of(measure.compares, left, right) == of(measure.compares, right, left)


@all_measures
@given(text=TEXTS | LONG_TEXTS)
def test_a_text_with_itself_is_as_near_as_can_be_if_it_has_a_value(measure: Measure[Compares], text: str) -> None:
    assert of(measure.compares, text, text) in (None, measure.highest)


@all_measures
@pytest.mark.parametrize("slug", STORIES[:3])
def test_a_real_article_has_a_value_and_it_is_the_highest_with_itself_alone(
    measure: Measure[Compares], slug: str
) -> None:
    own, other = story(slug), story(STORIES[4])

    assert of(measure.compares, own, own) == measure.highest
    unlike = of(measure.compares, own, other)
    assert unlike is not None
    assert unlike < 0.75


@all_measures
def test_a_lightly_edited_copy_is_nearer_than_another_article(measure: Measure[Compares]) -> None:
    own = story(STORIES[0])
    copy = own.replace(own[500:506], "", 1)

    near, far = of(measure.compares, own, copy), of(measure.compares, own, story(STORIES[4]))

    assert near is not None
    assert far is not None
    assert near > far + 0.2


def test_the_table_names_each_measure_once_with_its_source() -> None:
    assert len({measure.name for measure in MEASURES}) == len(MEASURES) == 10
    assert all(measure.meaning and measure.source and measure.lowest < measure.highest for measure in MEASURES)


def test_measuring_all_gives_a_row_for_each_measure_in_order() -> None:
    results = measure_all(analyse(""), analyse(story()))

    assert [result.measure for result in results] == list(MEASURES)
    assert [result.measured.value for result in results] == [None] * len(MEASURES)


def test_edit_distance_counts_what_is_put_in_taken_out_and_replaced() -> None:
    measured = edit_similarity(side("北京大学出版社"), side("北京的大学出版"))

    assert measured.value == pytest.approx(5 / 7)
    assert measured.figures == {"distance": 2, "characters": 7}


def test_edit_distance_of_a_book_is_that_of_its_beginning_and_says_so() -> None:
    one = "".join(text_of(number, chars=2_000) for number in range(30))

    measured = edit_similarity(side(one), side(one[:LONGEST] + "另外的结尾"))

    assert measured.value == 1.0
    assert "50,000" in measured.note


def test_jaro_is_that_of_the_textbook() -> None:
    assert of(jaro_similarity, "martha", "marhta") == pytest.approx(0.9444, abs=1e-4)


def test_shingles_are_the_different_runs_of_five() -> None:
    assert len(shingles_of("abcdeabcde")) == 5
    assert len(shingles_of("abcd")) == 0


def test_shingles_of_a_text_put_behind_itself_are_nearly_its_own() -> None:
    measured = shingle_jaccard(side("abcdefgh"), side("abcdexyz"))

    assert measured.figures == {"shared": 1, "left": 4, "right": 4}
    assert measured.value == pytest.approx(1 / 7)


@pytest.mark.parametrize("percent", [10, 30, 50, 80])
def test_minhash_stays_near_the_jaccard_it_estimates(percent: int) -> None:
    own, other = text_of(1, chars=4_000), text_of(2, chars=4_000)
    mixed = own[: 40 * percent] + other[40 * percent :]

    estimated, exact = of(minhash_jaccard, own, mixed), of(shingle_jaccard, own, mixed)

    assert estimated is not None
    assert estimated == pytest.approx(exact, abs=4 * 0.044)


def test_longest_sentences_are_letters_only_and_the_longest_ones() -> None:
    text = "短句。这一句话比所有别的句子都要长一些！版本 3.14 在 a.b.com 上，随时可以下载。"

    assert longest_sentences(text, 1) == {"版本314在abcom上随时可以下载"}


def test_an_excerpt_of_half_an_article_keeps_its_own_longest_sentences() -> None:
    sentences = [text_of(number, chars=30).replace("，", "").replace("。", "") + "。" for number in range(8)]

    measured = shared_longest_sentences(side("".join(sentences)), side("".join(sentences[:4])))

    assert measured.value == 0.5
    assert measured.figures == {"shared": 4, "left": 8, "right": 4}


def test_the_cosine_does_not_ask_for_the_order_of_words_and_the_edit_distance_does() -> None:
    sentences = story().split("。")
    shuffled = "。".join(reversed(sentences))

    assert of(tfidf_cosine, story(), shuffled) == pytest.approx(1.0, abs=0.01)
    assert (of(edit_similarity, story(), shuffled) or 0) < 0.4


def test_texts_without_a_common_word_have_a_cosine_of_zero() -> None:
    assert of(tfidf_cosine, "城市河流桥梁", "学校老师学生") == 0.0


def test_hyperplanes_estimate_the_angle_of_the_cosine() -> None:
    texts = [story(STORIES[0]) * (1 + number) + story(STORIES[4]) for number in range(2)]

    for left, right in combinations([*texts, story(STORIES[0]), story(STORIES[4])], 2):
        estimated = hyperplane_agreement(side(left), side(right)).figures["cosine"]
        assert estimated == pytest.approx(of(tfidf_cosine, left, right), abs=0.25)


def test_hyperplanes_of_a_dictionary_are_those_of_its_heaviest_words_and_say_so() -> None:
    many = " ".join(f"word{number:06x}x" for number in range(MOST_WORDS + 10))

    assert "20,000" in hyperplane_agreement(side(many), side(many)).note


def test_simhash_counts_the_bits_that_differ() -> None:
    left, right = side(story(STORIES[0])), side(story(STORIES[1]))
    one, other = left.analysis.fingerprint.simhash, right.analysis.fingerprint.simhash
    assert one is not None
    assert other is not None

    measured = simhash_agreement(left, right)

    assert measured.figures["distance"] == f"{one ^ other:b}".count("1")
    assert measured.value == 1 - measured.figures["distance"] / 64


def test_homophones_leave_the_dna_as_it_is_in_both_forms() -> None:
    own = story()
    disguised = own.replace("他", "她").replace("在", "再").replace("是", "事")
    assert disguised != own

    assert of(dna_share, own, disguised) == 1.0
    assert of(literal_dna_share, own, disguised) == 1.0


def test_seven_characters_at_the_top_shift_the_grid_of_the_notes_and_not_ours() -> None:
    own = story()
    shifted = "本报今日讯：" + own

    ours, literal = of(dna_share, own, shifted), of(literal_dna_share, own, shifted)

    assert ours is not None
    assert literal is not None
    assert ours > 0.9
    assert literal < 0.5


def test_the_table_does_not_load_the_libraries_that_only_one_measure_needs() -> None:
    program = (
        "import sys, matcher.measures.table; print(sorted({'datasketch', 'sklearn', 'gensim'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
