"""What `why-not` says of a proof by meaning: the score decides, unless a guard holds it back."""

import pytest

from matcher.explanation.meaning_steps import proof_step
from matcher.explanation.sentences import Sentence
from matcher.meaning.retelling import Retelling
from matcher.meaning.sentence_pairs import SentencePair
from matcher.meaning.stretches import Stretch
from storage.types import RetellingKind


def _retelling(count: int, *, score: float, share: float = 0.9, figures: tuple[int, int] = (0, 0)) -> Retelling:
    pairs = tuple(SentencePair(number, number, 1.0, ()) for number in range(count))
    return Retelling(Stretch(pairs, 0, count, 1.0 * count), score, share, share, (), figures)


@pytest.mark.parametrize(
    ("retelling", "sentence"),
    [
        (_retelling(9, score=0.97), Sentence.RETOLD),
        (_retelling(9, score=0.3), Sentence.NOT_RETOLD),
        (_retelling(9, score=0.97, figures=(3, 12)), Sentence.OTHER_FIGURES),
        (_retelling(1, score=0.97, share=0.1), Sentence.ONE_SENTENCE),
        (_retelling(1, score=0.3, share=0.1), Sentence.NOT_RETOLD),
        (None, Sentence.NOT_ALIKE),
    ],
)
def test_the_step_names_what_decided(retelling: Retelling | None, sentence: Sentence) -> None:
    step = proof_step(retelling, RetellingKind.RETOLD)

    assert step.sentence is sentence
    assert step.passed is (sentence is Sentence.RETOLD)
    assert step.said


def test_the_guard_of_figures_says_how_many_agree() -> None:
    step = proof_step(_retelling(9, score=0.97, figures=(3, 12)), RetellingKind.TRANSLATED)

    assert "of 12 figures that could agree only 3 do" in step.said
    assert "0.97" in step.said
