"""What the other texts leave to the one that is judged."""

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.particulars import Contrast
from matcher.meaning.rivals import NOTHING_WON, THIRD, Rivals, Won
from matcher.meaning.sentences import sentences_of

SENTENCE = "当天陈尚斌在阳台上种了三十棵番茄。"
NEAR, HALF, FAR = (1.0, 0.0), (0.6, 0.8), (0.0, 1.0)
CONTRAST = Contrast.of([])


def text_of(*vectors: tuple[float, float]) -> EncodedText:
    """As many sentences, all as long, with made-up vectors and nothing that they name."""
    text = SENTENCE * len(vectors)
    rows = np.array(vectors, dtype=np.float32).reshape(len(vectors), 2)
    return EncodedText(text, sentences_of(text), rows, np.zeros(len(vectors), np.float32), [frozenset()] * len(vectors))


def gains(*values: float) -> npt.NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def test_the_third_nearest_rival_counts_for_each_sentence() -> None:
    left = text_of(NEAR, FAR)
    rivals = Rivals.of(left, [text_of(NEAR), text_of(NEAR), text_of(HALF), text_of(HALF, FAR), text_of(HALF)], CONTRAST)

    found = rivals.left_over(left, [0, 1], gains(1.5, 1.5))

    # Of the first sentence the third nearest has 1.2, twice the cosine; of the second 1.6.
    assert found.sentences == 1
    assert np.isclose(found.margin, (0.3 - 0.1) / 2)


def test_two_more_texts_may_tell_the_same_story() -> None:
    left = text_of(NEAR, NEAR, NEAR)
    rivals = Rivals.of(left, [text_of(NEAR, NEAR)] * THIRD, CONTRAST)

    assert rivals.left_over(left, [0, 2], gains(1.0, 1.0)) == Won(2, 1.0)
    assert Rivals().left_over(left, [0, 2], gains(1.0, 1.0)) == Won(2, 1.0), "as without rivals"


def test_the_text_that_is_judged_is_no_rival_of_itself() -> None:
    left = text_of(NEAR)
    rivals = Rivals.of(left, [text_of(HALF), text_of(NEAR), text_of(FAR), text_of(HALF)], CONTRAST)

    assert np.isclose(rivals.left_over(left, [0], gains(1.0)).margin, 1.0 - 1.2)
    assert rivals.without(1).left_over(left, [0], gains(1.0)) == Won(1, 1.0)
    assert len(rivals.without(1).texts) == 3
    assert rivals.without(1, lead=0.7).left_over(left, [0], gains(1.0)).lead == 0.7


def test_texts_without_sentences_win_nothing_and_take_nothing() -> None:
    empty = text_of()
    left = text_of(NEAR)

    assert Rivals.of(empty, [left], CONTRAST).left_over(empty, [], gains()) == NOTHING_WON
    assert Rivals.of(left, [empty] * 5, CONTRAST).left_over(left, [0], gains(-1.0)).sentences == 1


@given(arrays(np.float32, (6, 4), elements=st.floats(-2, 3, width=32)), st.permutations(range(6)))
def test_the_order_of_rivals_does_not_matter_and_more_of_them_take_more(
    known: npt.NDArray[np.float32], order: list[int]
) -> None:
    left = text_of(*[NEAR] * 4)
    texts = [text_of(NEAR)] * 6
    own = gains(0.5, 0.5, 0.5, 0.5)

    every = Rivals(texts, known).left_over(left, range(4), own)
    fewer = Rivals(texts[:5], known[:5]).left_over(left, range(4), own)

    assert Rivals(texts, known[order]).left_over(left, range(4), own) == every
    assert every.sentences <= fewer.sentences
    assert every.margin <= fewer.margin + 1e-5
    assert 0 <= every.sentences <= 4
