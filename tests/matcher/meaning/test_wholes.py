"""Both sides of a stretch read as one, beside the rest of both texts and beside rival texts."""

from math import isclose, sqrt

import numpy as np
import pytest

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.particulars import particulars_of
from matcher.meaning.sentence_pairs import SentencePair
from matcher.meaning.sentences import sentences_of
from matcher.meaning.stretches import Stretch
from matcher.meaning.wholes import LEAST, wholes_of

SENTENCE = "当天陈尚斌在阳台上种了三十棵番茄。"
HAN = 16.35  # sixteen characters, and a sign that counts as a letter
STRANGE = (0.0, 0.0, 1.0)


def _text(*vectors: tuple[float, float, float]) -> EncodedText:
    """As many sentences, all as long, with made-up vectors."""
    text = SENTENCE * len(vectors)
    sentences = sentences_of(text)
    rows = np.array(vectors, dtype=np.float32).reshape(len(vectors), 3)
    parts = [particulars_of(text[start:end]) for start, end in sentences]
    return EncodedText(text, sentences, rows, np.zeros(len(rows), dtype=np.float32), parts)


def _stretch(*pairs: tuple[int, int]) -> Stretch:
    return Stretch(tuple(SentencePair(left, right, 1.0, ()) for left, right in pairs), 0, len(pairs), 1.0 * len(pairs))


def test_noise_of_single_sentences_cancels() -> None:
    """No sentence is nearer than .6 to its counterpart, and their sums are the same."""
    left = _text((0.8, 0.6, 0.0), (0.8, -0.6, 0.0))
    right = _text((0.8, -0.6, 0.0), (0.8, 0.6, 0.0))

    found = wholes_of(_stretch((0, 0), (1, 1)), left, right)

    assert isclose(found.similarity, 1.0, rel_tol=1e-5)
    assert isclose(found.length, 2 * HAN, rel_tol=1e-5)
    assert (found.rest, found.rival) == (LEAST, 2 * LEAST), "no rest and no rival: strangers at least"


def test_a_subject_that_both_have_throughout_is_in_the_rest() -> None:
    same = [(1.0, 0.0, 0.0)] * 4

    assert isclose(wholes_of(_stretch((0, 0), (1, 1)), _text(*same), _text(*same)).rest, 1.0, rel_tol=1e-5)


def test_the_text_that_is_further_away_counts() -> None:
    """Three paragraphs of an article inside another one: what surrounds them is on another subject."""
    article = _text(*[(1.0, 0.0, 0.0)] * 4)
    host = _text(STRANGE, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), STRANGE)

    assert wholes_of(_stretch((1, 1), (2, 2)), host, article).rest == LEAST
    assert wholes_of(_stretch((1, 1), (2, 2)), article, host).rest == LEAST


def test_the_third_nearest_rival_counts() -> None:
    one = _text((1.0, 0.0, 0.0))
    near, half, far = _text((1.0, 0.0, 0.0)), _text((sqrt(0.5), sqrt(0.5), 0.0)), _text((0.4, sqrt(0.84), 0.0))

    def rival(*texts: EncodedText) -> float:
        return wholes_of(_stretch((0, 0)), one, one, texts).rival

    assert rival(near, near) == 2 * LEAST, "two more may tell the same story"
    assert isclose(rival(near, half, near), 2 * sqrt(0.5), rel_tol=1e-5)
    assert isclose(rival(far, near, half), 0.8, rel_tol=1e-5)


def test_short_gaps_belong_to_a_stretch_unless_they_are_ignored() -> None:
    text = _text((1.0, 0.0, 0.0), STRANGE, (1.0, 0.0, 0.0))
    stretch = _stretch((0, 0), (2, 2))

    assert isclose(wholes_of(stretch, text, text).length, 3 * HAN, rel_tol=1e-5)
    assert isclose(wholes_of(stretch, text, text, ignored_left=[1], ignored_right=[1]).length, 2 * HAN, rel_tol=1e-5)


def test_a_long_gap_is_no_part_of_it() -> None:
    text = _text(*[(1.0, 0.0, 0.0)] * 5)
    assert isclose(wholes_of(_stretch((0, 0), (4, 4)), text, text).length, 2 * HAN, rel_tol=1e-5)


@pytest.mark.parametrize("vector", [(0.0, 0.0, 0.0), STRANGE])
def test_vectors_without_length_and_texts_without_sentences_give_numbers(vector: tuple[float, float, float]) -> None:
    found = wholes_of(_stretch((0, 0)), _text(vector), _text(vector), [_text(), _text(), _text()])
    assert all(map(np.isfinite, found))
