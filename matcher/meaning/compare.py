"""Two texts compared by meaning, beside texts that have nothing to do with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from matcher.meaning.background import Background
from matcher.meaning.encoded_text import EncodedText, encode_texts
from matcher.meaning.encoders.encoder import Encoder, EncoderUnavailable, label_of
from matcher.meaning.particulars import Contrast, particulars_of
from matcher.meaning.retelling import Retelling, retelling_of
from matcher.meaning.rivals import Rivals
from matcher.meaning.sentences import sentences_of
from matcher.meaning.terms.terms import terms_of
from matcher.meaning.wholes import RIVALS
from matcher.meaning.wording import same_wording

FEWEST_TEXTS: Final = 30
"""Other texts that are needed: what is rare, and what every sentence resembles, is learned from them."""
BACKGROUND: Final = 2_000
"""Sentences of the background: some four seconds of a core."""
NEAREST: Final = 30
"""Texts of the contrast: those on the nearest subjects, so that the words of the subject are not rare."""


@dataclass(frozen=True, slots=True, eq=False)
class MeaningComparison:
    """`retelling` is None if no sentences are alike. `texts`: the other texts it was compared beside."""

    left: EncodedText
    right: EncodedText
    retelling: Retelling | None
    texts: int
    encoder: str


class MeaningComparer:
    """Compares pairs of texts by meaning beside the same other texts; the same texts give the same results.

    `others`: texts of other articles, which sentences and particulars are measured against. Raises EncoderUnavailable
    if the encoder is missing, or with fewer than `FEWEST_TEXTS` others.
    """

    def __init__(self, others: Sequence[str], encoder: Encoder) -> None:
        if len(others) < FEWEST_TEXTS:
            message = (
                f"The store holds {len(others)} texts, and a comparison by meaning needs {FEWEST_TEXTS} beside which "
                "similarity shows. Import or crawl more, or leave --meaning out."
            )
            raise EncoderUnavailable(message)
        self._others = others
        self._encoder = encoder
        self._background = Background.of(encoder.encode(_sample(others)))

    def compare(self, left: str, right: str) -> MeaningComparison:
        near = _nearest(left, right, self._others)
        texts = [(text, None) for text in (left, right, *near[:RIVALS])]
        one, other, *rivals = encode_texts(texts, self._encoder, self._background)
        contrast = Contrast.of(near)
        retelling = retelling_of(
            one,
            other,
            contrast,
            Rivals.of(one, rivals, contrast),
            ignored_left=same_wording(one, other),
            ignored_right=same_wording(other, one),
            terms=lambda: Contrast.of_particulars(map(terms_of, near)),
        )
        return MeaningComparison(one, other, retelling, len(self._others), label_of(self._encoder))


def _nearest(left: str, right: str, others: Sequence[str]) -> list[str]:
    """Return the texts that share the rarest particulars with the left text, neither of both among them."""
    whole = Contrast.of(others)
    own = particulars_of(left)
    ranked = []
    for number, text in enumerate(others):
        if text not in (left, right):
            keys = particulars_of(text)
            shared = sum(sorted(whole.rarity(key) for key in keys & own))
            ranked.append((-shared / sqrt(len(keys) + 1), number))
    return [others[number] for _, number in sorted(ranked)[:NEAREST]]


def _sample(texts: Sequence[str]) -> list[str]:
    """Return sentences spread evenly over the texts."""
    each = -(-BACKGROUND // len(texts))
    sample: list[str] = []
    for text in texts:
        sentences = sentences_of(text)
        step = max(1, len(sentences) // each)
        sample += [text[start:end] for start, end in sentences[::step][:each]]
    return sample
