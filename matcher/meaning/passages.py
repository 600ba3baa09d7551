"""A text as passages of some sentences each, with one vector a passage: what retellings are looked up by.

The vector of a passage is the sum of those of its sentences, each as long as the sentence. It ranks the source of a
retelling as often first as the vector of the passage read as one text does, so a text is encoded once for both the
look-up and the alignment of its sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.meaning.background import Background
from matcher.meaning.encoder import Encoder, Vectors
from matcher.meaning.sentences import Sentence, length, sentences_of

PASSAGE: Final = 180.0
"""Length of a passage in Han characters, about: three paragraphs have several, and a sentence does not decide."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedPassages:
    """`bits`: the signs of the vectors, shape (passages, size / 8), uint8. `background_id`: of the mean they are seen
    from, None if that is not stored.
    """

    text: str = field(repr=False)
    passages: Sequence[Sentence]
    bits: npt.NDArray[np.uint8] = field(repr=False)
    background_id: int | None = None

    def __len__(self) -> int:
        return len(self.passages)

    def strings(self) -> list[str]:
        """Return the bits of each passage as a string of 0 and 1."""
        signs = np.unpackbits(self.bits, axis=1) + ord("0")
        return [row.tobytes().decode("ascii") for row in signs]


def passages_of(text: str) -> list[Sentence]:
    """Return the passages of a text: whole sentences in a row, about as long as each other, never overlapping."""
    sentences = sentences_of(text)
    return [_span(sentences, first, last) for first, last in _rows(_lengths(text, sentences))]


def encode_passages(text: str, encoder: Encoder, background: Background) -> EncodedPassages:
    """Return the passages of a text with their bits: some 30 µs a Han character. Never raises for any text."""
    sentences = sentences_of(text)
    vectors = background.centred(encoder.encode([text[start:end] for start, end in sentences]))
    return passages_of_sentences(text, sentences, vectors, background)


def passages_of_sentences(
    text: str, sentences: Sequence[Sentence], vectors: Vectors, background: Background
) -> EncodedPassages:
    """Return the same for a text whose sentences are encoded already. `vectors`: centred, of length 1, one a sentence,
    such as `EncodedText.vectors`.
    """
    lengths = _lengths(text, sentences)
    rows = _rows(lengths)
    weighted = vectors * lengths[:, np.newaxis].astype(np.float32)
    sums = [weighted[first : last + 1].sum(axis=0) for first, last in rows]
    signs = np.array(sums, dtype=np.float32).reshape(len(rows), -1 if rows else vectors.shape[1]) > 0
    passages = [_span(sentences, first, last) for first, last in rows]
    return EncodedPassages(text, passages, np.packbits(signs, axis=1), background.id)


def _lengths(text: str, sentences: Sequence[Sentence]) -> npt.NDArray[np.float64]:
    return np.array([length(text[start:end]) for start, end in sentences], dtype=np.float64)


def _rows(lengths: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the first and last sentence of each passage."""
    if not len(lengths):
        return []
    count = max(1, round(float(lengths.sum()) / PASSAGE))
    # A sentence belongs to the passage in which its middle is, if the text is cut into equal parts.
    middles = np.cumsum(lengths) - lengths / 2
    number = np.minimum((middles / lengths.sum() * count).astype(int), count - 1)
    firsts = np.flatnonzero(np.diff(number, prepend=-1)).tolist()
    lasts = [first - 1 for first in firsts[1:]] + [len(lengths) - 1]
    return list(zip(firsts, lasts, strict=True))


def _span(sentences: Sequence[Sentence], first: int, last: int) -> Sentence:
    return Sentence(sentences[first].start, sentences[last].end)
