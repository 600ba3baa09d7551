"""Passages of a text, and the bits of their vectors."""

import time
from itertools import pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.background import Background
from matcher.meaning.encoded_text import encode_text
from matcher.meaning.passages import ASKED, PASSAGE, asked_passages, encode_passages, passages_of, sentences_around
from matcher.meaning.sentences import length, sentences_of
from tests.support.factories import story, text_of
from tests.support.meaning.word_encoder import WordEncoder

OVERLAPPING = ceil(2 * PASSAGE / ASKED)
"""Asked passages, which overlap by half, for each stored one."""
HOSTILE = {
    "empty": "",
    "white space": " \n\t\u3000\n",
    "no letter": "—— …… 。。。 !!! \U0001f600",
    "no Han": "The quick brown fox jumps over the lazy dog. " * 60,
    "right to left": "كتب الصحفي تقريرا طويلا عن الحياة في المدينة. " * 40 + "\u202eabc\u202c",
    "lone surrogates": "这是一句话\ud800，还有一句\udfff。" * 50,
    "NUL": "一句\0话在\0这里，说的是同一件事。" * 50,
    "combining": "a" + "\u0301" * 5_000 + "。",
    "one sentence": "字" * 1_000_000,
    "one word": "a" * 1_000_000,
    "only full stops": "。" * 200_000,
}


@pytest.fixture(scope="module")
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture(scope="module")
def background(encoder: WordEncoder) -> Background:
    return Background.of(encoder.encode([text_of(number, chars=60) for number in range(50)]))


def test_passages_are_whole_sentences_of_about_one_length() -> None:
    text = text_of(1, chars=3_300)

    passages = passages_of(text)

    lengths = [length(text[start:end]) for start, end in passages]
    assert len(passages) == round(length(text) / PASSAGE)
    assert all(0.6 * PASSAGE < one < 1.5 * PASSAGE for one in lengths)
    assert all(text[end - 1] in "。" for _, end in passages[:-1])
    assert all(one.end <= other.start for one, other in pairwise(passages))


def test_a_short_text_is_one_passage() -> None:
    assert passages_of("一句话就是一个段落，不多也不少。") == [(0, 16)]


@given(st.text(max_size=2_000))
def test_passages_lie_in_order_inside_any_text(text: str) -> None:
    passages = passages_of(text)

    assert all(0 <= start < end <= len(text) for start, end in passages)
    assert all(one.end <= other.start for one, other in pairwise(passages))


def test_the_sentences_around_a_passage_are_those_in_it_and_in_its_neighbours() -> None:
    text = text_of(1, chars=3_300)
    passages, sentences = passages_of(text), sentences_of(text)

    around = sentences_around(text, [5], beside=1)

    assert sentences[around[0]].start == passages[4].start
    assert sentences[around[-1]].end == passages[6].end
    assert around == list(range(around[0], around[-1] + 1))


@given(st.text(max_size=2_000), st.lists(st.integers(0, 30), max_size=4), st.integers(0, 3))
def test_the_sentences_around_passages_are_some_of_the_text_in_order(text: str, near: list[int], beside: int) -> None:
    around = sentences_around(text, near, beside=beside)
    every = sentences_around(text, range(len(passages_of(text))), beside=beside)

    assert around == sorted(set(around))
    assert set(around) <= set(every)
    assert every == list(range(len(sentences_of(text))))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_encoded_in_bounded_time(name: str, encoder: WordEncoder, background: Background) -> None:
    began = time.process_time()

    stored = encode_passages(HOSTILE[name], encoder, background)
    asked = encode_passages(HOSTILE[name], encoder, background, overlapping=True)

    assert stored.bits.shape == (len(stored.passages), encoder.size // 8)
    assert len(stored) <= len(asked) <= OVERLAPPING * len(stored) + 1
    assert len(stored) < 400
    assert all(len(bits) == encoder.size for bits in stored.strings())
    assert time.process_time() - began < 60


def test_asked_passages_overlap_by_half_and_contain_each_sentence(encoder: WordEncoder, background: Background) -> None:
    encoded = encode_text(story(), encoder, background)

    asked = asked_passages(encoded, background)

    assert len(asked) > len(passages_of(story()))
    covered = {number for start, end in asked.passages for number in range(start, end)}
    assert all(set(range(start, end)) <= covered for start, end in encoded.sentences)
    assert np.array_equal(asked.bits, encode_passages(story(), encoder, background, overlapping=True).bits)


def test_the_same_text_has_the_same_bits_and_another_one_others(encoder: WordEncoder, background: Background) -> None:
    def bits(text: str) -> list[str]:
        return encode_passages(text, encoder, background).strings()

    assert bits(text_of(1)) == bits(text_of(1))
    assert distance(bits(text_of(1))[0], bits(text_of(2))[0]) > 0.3 * encoder.size
    assert distance(bits(text_of(1))[0], bits(text_of(1) + "尾声。")[0]) < 0.2 * encoder.size


def distance(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))
