"""The score orders hits, and is a probability."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.judgement.judge import judge
from matcher.judgement.score import estimated_score
from tests.support.factories import story, text_of


@given(st.floats(0, 1e6), st.floats(0, 1))
def test_a_score_is_a_probability(strength: float, share: float) -> None:
    assert 0.0 <= estimated_score(strength, share) <= 1.0


@given(st.floats(0.1, 50), st.floats(0, 0.9))
def test_more_proof_and_a_larger_share_are_surer(strength: float, share: float) -> None:
    assert estimated_score(strength * 1.1, share) >= estimated_score(strength, share)
    assert estimated_score(strength, share + 0.1) >= estimated_score(strength, share)


@pytest.mark.parametrize(
    ("strength", "share", "expected"), [(1, 0, 0.31), (1, 0.5, 0.52), (3, 0.1, 0.90), (10, 1, 1.0)]
)
def test_the_fit_stands_as_it_was_made(strength: float, share: float, expected: float) -> None:
    assert estimated_score(strength, share) == pytest.approx(expected, abs=0.01)


def test_a_whole_copy_is_surer_than_a_passage_and_a_passage_surer_than_nothing() -> None:
    def score(text: str) -> float:
        return judge(analyse(text).initials, analyse(story()).initials, boilerplate=gram_index(())).score

    passage = f"{text_of(1)}{story()[300:380]}{text_of(2)}"
    assert score(story()) > 0.99
    assert score(text_of(1)) < 0.01
    assert 0.5 < score(passage) < score(story())
