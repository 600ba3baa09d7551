from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.meaning.cached_encoder import CachedEncoder
from benchmarks.meaning.others import METHODS, Method, cosines
from matcher.meaning.encoders.encoder import Vectors
from tests.support.factories import text_of

TEXTS = tuple(text_of(number, chars=800) for number in range(40))


class Counting:
    """An encoder that counts what it encodes."""

    name = "counting"
    version = "1"
    size = 4
    reads_unpublished = True

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        return np.array([[len(text), 1 / 3, 0, 1] for text in texts], dtype=np.float32).reshape(-1, 4)


@pytest.mark.parametrize(("name", "method"), METHODS, ids=[name for name, _ in METHODS])
def test_a_method_finds_the_text_itself_first(name: str, method: Method) -> None:
    found = list(method(TEXTS, [TEXTS[7], "", "\ud800"]))

    assert [len(scores) for scores in found] == [len(TEXTS)] * 3
    assert int(np.argmax(found[0])) == 7
    assert all(np.isfinite(scores).all() for scores in found)


def test_cosines_of_nothing_are_nothing() -> None:
    known = np.array([[1.0, 0.0], [0.0, 0.0]])
    assert [row.tolist() for row in cosines(known, known)] == [[1.0, 0.0], [0.0, 0.0]]


def test_a_sentence_is_encoded_once_and_reads_the_same(tmp_path: Path) -> None:
    first = Counting()
    made = CachedEncoder(first, tmp_path).encode(["一", "二二", "一", "\ud800"])
    again = Counting()
    cached = CachedEncoder(again, tmp_path)

    assert first.encoded == ["一", "二二", "\ud800"]
    assert np.array_equal(cached.encode(["一", "二二", "一", "\ud800"]), made)
    assert again.encoded == []
    assert cached.encode([]).shape == (0, 4)


def test_many_sentences_are_read_in_parts(tmp_path: Path) -> None:
    texts = [str(number) for number in range(1_700)]
    cached = CachedEncoder(Counting(), tmp_path)
    assert np.array_equal(cached.encode(texts), cached.encode(texts))
