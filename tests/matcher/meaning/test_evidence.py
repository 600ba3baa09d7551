import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.evidence import Evidence, ShortEvidence, agreement, score
from matcher.meaning.in_common import InCommon
from matcher.meaning.particulars import Contrast, particulars_of
from matcher.meaning.quotations import shared_quotations
from matcher.meaning.retelling import Retelling
from matcher.meaning.rivals import Won
from matcher.meaning.sentence_pairs import SentencePair
from matcher.meaning.sentences import sentences_of
from matcher.meaning.short_texts import LONGEST, are_short, short_evidence
from matcher.meaning.stretches import Stretch
from matcher.meaning.wholes import Wholes

ALIKE = Wholes(0.85, 0.5, 1.0, 900.0)
STRONG = Evidence(9.0, 12, 60.0, 25, (9, 10), 0.7, 0.8, wholes=ALIKE, common=InCommon(90.0, 0.15), won=Won(12, 0.3))
SHORT = ShortEvidence(0.9, 40.0, 0.4, (2, 2), 1.1)


def _encoded(text: str, *vectors: tuple[float, float]) -> EncodedText:
    """A text with made-up vectors, one a sentence."""
    sentences = sentences_of(text)
    rows = np.array(vectors, dtype=np.float32).reshape(len(sentences), 2)
    parts = [particulars_of(text[start:end]) for start, end in sentences]
    return EncodedText(text, sentences, rows, np.zeros(len(rows), dtype=np.float32), parts)


@pytest.mark.parametrize(
    "weaker", [{"weight": 1.0}, {"in_order": 1}, {"rare": 0.0}, {"figures": (1, 10)}, {"gain": 0.1}]
)
def test_less_of_any_evidence_is_a_lower_score(weaker: dict[str, Any]) -> None:
    assert score(STRONG._replace(**weaker)) < score(STRONG)


@pytest.mark.parametrize("weaker", [{"similarity": 0.3}, {"rest": 0.8}, {"rival": 1.7}, {"length": 90.0}])
def test_the_same_holds_for_both_sides_as_wholes(weaker: dict[str, Any]) -> None:
    assert score(STRONG._replace(wholes=ALIKE._replace(**weaker))) < score(STRONG)


@pytest.mark.parametrize("weaker", [Won(1, 0.3), Won(12, -0.2)])
def test_what_rivals_take_is_a_lower_score(weaker: Won) -> None:
    assert score(STRONG._replace(won=weaker)) < score(STRONG)


def test_a_lead_in_the_look_up_counts_across_languages_only() -> None:
    translated = Evidence(1.5, 3, 1.0, 12, (1, 2), 0.5, 0.5, is_translated=True)
    ahead, behind = Won(2, 0.1, 0.7), Won(2, 0.1, -0.7)

    assert score(translated._replace(won=behind)) < score(translated._replace(won=ahead))
    assert score(STRONG._replace(won=behind)) == score(STRONG._replace(won=ahead))


@pytest.mark.parametrize("weaker", [{"gain": 0.1}, {"rare": 3.0}, {"rare_share": 0.0}, {"figures": (0, 4)}])
def test_the_same_holds_for_short_texts(weaker: dict[str, Any]) -> None:
    assert score(SHORT._replace(**weaker)) < score(SHORT)


def test_the_same_evidence_across_languages_proves_more() -> None:
    weak = Evidence(1.5, 3, 1.0, 12, (1, 2), 0.5, 0.5)

    assert score(weak) < score(weak._replace(is_translated=True))


def test_more_rare_particulars_and_terms_in_common_are_a_higher_score() -> None:
    weak = Evidence(1.5, 3, 1.0, 12, (1, 2), 0.5, 0.5, common=InCommon(5.0, 0.1))
    translated = weak._replace(is_translated=True)

    assert score(weak) < score(weak._replace(common=InCommon(60.0, 0.1)))
    assert score(translated) < score(translated._replace(common=InCommon(5.0, 0.3)))


def test_more_common_wording_beside_the_same_particulars_is_a_template() -> None:
    assert score(STRONG._replace(common=InCommon(90.0, 0.3))) < score(STRONG)


def test_sides_that_are_not_alike_as_wholes_prove_little() -> None:
    assert score(STRONG._replace(wholes=ALIKE._replace(similarity=0.49))) <= 0.1 < score(STRONG)


def test_one_sentence_of_many_is_no_retelling() -> None:
    pair = SentencePair(0, 0, 1.5, ("2000",))
    one = Retelling(Stretch((pair,), 0, 1, 1.4), 0.99, 0.17, 0.33, ("2000",), (2, 2))

    assert not one.is_retold
    assert replace(one, right_share=0.5).is_retold, "half of a short text"
    assert replace(one, stretch=Stretch((pair, pair), 0, 2, 2.8)).is_retold


@pytest.mark.parametrize(
    ("is_translated", "score_of_it", "expected"),
    [(True, 0.7, True), (True, 0.699, False), (False, 0.799, False), (False, 0.8, True)],
)
def test_a_translation_needs_less(is_translated: bool, score_of_it: float, expected: bool) -> None:
    pair = SentencePair(0, 0, 1.5, ("2000",))
    evidence = STRONG._replace(is_translated=is_translated)
    one = Retelling(Stretch((pair, pair), 0, 2, 2.8), score_of_it, 0.5, 0.5, ("2000",), (2, 2), evidence=evidence)

    assert one.is_retold is expected


def test_two_short_texts_need_the_higher_score() -> None:
    pair = SentencePair(0, 0, 1.5, ("2000",))
    one = Retelling(Stretch((pair, pair), 0, 2, 2.8), 0.75, 1.0, 1.0, ("2000",), (2, 2), evidence=SHORT)

    assert one.needed == 0.8
    assert not one.is_retold


def test_template_news_has_the_sentences_and_other_figures() -> None:
    assert score(STRONG) > 0.9
    assert score(Evidence(2.5, 3, 8.0, 12, (0, 10), 0.5, 0.6)) < 0.1
    assert score(Evidence(2.5, 3, 8.0, 12, (0, 10), 0.5, 0.6, wholes=Wholes(0.8, 0.5, 1.4, 300.0))) < 0.1


@given(
    st.floats(0, 1e6), st.integers(0, 600), st.floats(0, 1e6), st.integers(0, 600), st.integers(0, 99), st.floats(0, 3)
)
def test_a_score_is_a_probability(
    weight: float, in_order: int, rare: float, shorter: int, most: int, gain: float
) -> None:
    assert 0 <= score(Evidence(weight, in_order, rare, shorter, (most // 2, most), gain, 1.0)) <= 1
    assert 0 <= score(ShortEvidence(gain, rare, 1.0, (0, most), 1.0)) <= 1


def test_no_figures_on_either_side_say_nothing() -> None:
    assert agreement((0, 0)) == 0.5
    assert agreement((0, 1)) < 0.5 < agreement((1, 1))


def test_short_texts_are_compared_as_a_whole() -> None:
    left = _encoded("当天陈尚斌在阳台上种了三十棵番茄。", (1.0, 0.0))
    right = _encoded("陈尚斌那天种下30棵番茄，都在阳台。", (0.8, 0.6))
    found = short_evidence(left, right, Contrast.of(["今天天气很好", "阳台改造的经验"] * 15))

    assert are_short(left, right)
    assert found.figures == (1, 1)
    assert math.isclose(found.gain, 1.6, rel_tol=1e-5)
    assert 0 < found.rare_share <= 1
    assert found.length_ratio < 1.3


def test_a_long_text_or_one_of_another_length_is_not_short() -> None:
    sentence = "当天陈尚斌在阳台上种了三十棵番茄。"
    short = _encoded(sentence, (1.0, 0.0))
    longer = _encoded(sentence * 6, *[(1.0, 0.0)] * len(sentences_of(sentence * 6)))
    many = sentence * int(LONGEST / 10)
    long = _encoded(many, *[(1.0, 0.0)] * len(sentences_of(many)))

    assert not are_short(short, longer)
    assert not are_short(long, long)
    assert are_short(longer, longer)


def test_quotations_are_shared_whatever_their_marks() -> None:
    left = ["他说：“我们绝不会放弃这条河。”", "题为《河》"]
    right = ["「我們絕不會放棄這條河」，他强调。", '他又说 "好的"']

    assert shared_quotations(left, right) == ("我们绝不会放弃这条河。",)
    assert shared_quotations(left, []) == ()


@pytest.mark.parametrize("text", ["“" * 50_000, '"' * 50_000, "「\ud800" * 10_000, "“\0”", ""])
def test_broken_quotation_marks_are_no_trap(text: str) -> None:
    assert shared_quotations([text], [text]) == () or len(text) > 1000
