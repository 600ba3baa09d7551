"""The whole comparison with the real encoder, on an article of the demo and what was made of it for these tests."""

import numpy as np
import pytest

from matcher.meaning.compare import FEWEST_TEXTS, MeaningComparer, MeaningComparison
from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.meaning.encoders.kept_vectors import KeptVectors
from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder
from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from zhiwen.demo.articles import articles

SOURCE = "balcony-garden"


@pytest.fixture(scope="module")
def encoder() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


@pytest.fixture(scope="module")
def comparer(encoder: UniversalSentenceEncoder) -> MeaningComparer:
    others = [item.text for name, item in articles("original").items() if name != SOURCE]
    beside = [*others, *(item.text for item in articles("innocent").values())]
    return MeaningComparer(beside, KeptVectors(encoder))


def _compare(text: str, comparer: MeaningComparer, source: str = SOURCE) -> MeaningComparison:
    return comparer.compare(text, articles("original")[source].text)


def test_a_text_in_other_words_is_a_retelling_with_its_reasons(comparer: MeaningComparer) -> None:
    found = _compare(RETOLD, comparer).retelling
    assert found is not None
    assert found.is_retold
    assert found.stretch.in_order >= 8
    shared, most = found.figures
    assert shared >= 0.7 * most >= 4
    assert any("柯文倩" in particular for particular in found.particulars)
    assert min(found.left_share, found.right_share) > 0.5


def test_a_translation_is_one_too(comparer: MeaningComparer) -> None:
    found = _compare(TRANSLATED, comparer).retelling
    assert found is not None
    assert found.is_retold
    assert found.figures[0] >= 4
    assert found.stretch.in_order >= 12
    assert "Ke Wenqian = 柯文倩" in found.particulars


@pytest.mark.parametrize("name", list(articles("innocent")))
def test_an_article_on_the_same_subject_is_none(name: str, comparer: MeaningComparer) -> None:
    text = articles("innocent")[name].text
    for source in (SOURCE, "old-teahouse", "waterlogging"):
        found = _compare(text, comparer, source).retelling
        assert found is None or not found.is_retold


def test_what_is_copied_word_by_word_is_left_to_the_literal_proof(comparer: MeaningComparer) -> None:
    found = _compare(articles("original")[SOURCE].text, comparer).retelling
    assert found is None or not found.is_retold


def test_too_few_texts_to_compare_beside_are_named(encoder: UniversalSentenceEncoder) -> None:
    with pytest.raises(EncoderUnavailable, match=f"needs {FEWEST_TEXTS}"):
        MeaningComparer(["一篇"], encoder)


@pytest.mark.parametrize("text", ["", "\0", "\ud800\udfff", "。", "\u202e", "a" * 100_000, "汉" * 100_000])
def test_any_text_has_a_vector_of_length_one(text: str, encoder: UniversalSentenceEncoder) -> None:
    vectors = encoder.encode([text, "另一句话。"])
    assert vectors.shape == (2, encoder.size)
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


@pytest.mark.parametrize("text", ["", "\0\0", "\ud800", "一句话。", "{}" * 5000])
def test_hostile_texts_compare_to_nothing(text: str, comparer: MeaningComparer) -> None:
    found = _compare(text, comparer).retelling
    assert found is None or not found.is_retold
