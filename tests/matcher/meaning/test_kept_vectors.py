"""Vectors that are kept: a sentence is encoded once, and is the same as if it were encoded each time."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.encoders.encoder import MOST_CHARS, EncoderUnavailable, Vectors
from matcher.meaning.encoders.kept_vectors import KeptVectors
from tests.support.meaning.word_encoder import WordEncoder

SIZE = 128
ROOM = 1_000_000


def test_a_sentence_is_encoded_once_alone_and_among_others() -> None:
    plain = WordEncoder()
    kept = KeptVectors(plain, most_bytes=ROOM)

    first = kept.encode(["江水上涨。", "村民撤离。", "江水上涨。"])
    again = kept.encode(["村民撤离。", "河堤加固。"])

    assert plain.encoded == ["江水上涨。", "村民撤离。", "河堤加固。"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(again[0], first[1])
    assert kept.encode([]).shape == (0, SIZE)


def test_it_is_called_as_the_encoder_that_it_asks_and_may_read_no_more() -> None:
    plain = WordEncoder(version="7", reads_unpublished=False)
    kept = KeptVectors(plain)
    assert (kept.name, kept.version, kept.size) == (plain.name, "7", SIZE)
    assert not kept.reads_unpublished


@given(st.lists(st.lists(st.text(alphabet=st.characters(codec=None), max_size=4), max_size=6), max_size=6))
def test_the_vectors_are_those_of_the_encoder_whatever_is_kept(asked: list[list[str]]) -> None:
    for room in (1, 3 * 4 * SIZE, ROOM):
        kept = KeptVectors(WordEncoder(), most_bytes=room)
        for texts in asked:
            assert np.array_equal(kept.encode(texts), WordEncoder().encode(texts))


def test_what_a_caller_does_with_a_vector_changes_none_that_is_kept() -> None:
    kept = KeptVectors(WordEncoder())
    vectors = kept.encode(["江水上涨。"])
    before = vectors.copy()
    vectors[:] = 0
    assert np.array_equal(kept.encode(["江水上涨。"]), before)


def test_only_so_much_is_kept() -> None:
    plain = WordEncoder()
    kept = KeptVectors(plain, most_bytes=10 * 4 * SIZE)
    numbered = [f"{number}号村民" for number in range(30)]

    kept.encode(numbered)
    plain.encoded.clear()
    kept.encode(numbered[-5:])
    assert plain.encoded == []
    kept.encode(numbered[:5])
    assert plain.encoded == numbered[:5]


def test_of_a_text_without_end_no_more_is_kept_than_is_read() -> None:
    plain = WordEncoder()
    kept = KeptVectors(plain)
    for length in (MOST_CHARS, 10 * MOST_CHARS, 100 * MOST_CHARS):
        kept.encode(["江" * length])
    assert plain.encoded == ["江" * MOST_CHARS]


def test_of_a_call_that_fails_nothing_is_kept() -> None:
    class Away(WordEncoder):
        is_away = True

        def encode(self, texts: Sequence[str]) -> Vectors:
            if self.is_away:
                raise EncoderUnavailable("away")
            return super().encode(texts)

    plain = Away()
    kept = KeptVectors(plain)
    with pytest.raises(EncoderUnavailable):
        kept.encode(["江水上涨。"])
    plain.is_away = False
    assert np.array_equal(kept.encode(["江水上涨。"]), WordEncoder().encode(["江水上涨。"]))
