"""A text as passages of some sentences each, with one vector a passage: what retellings are looked up by.

The vector of a passage is the sum of those of its sentences, each as long as the sentence. It ranks the source of a
retelling as often first as the vector of the passage read as one text does, so a text is encoded once for both the
look-up and the alignment of its sentences.

Stored passages are apart. Asked ones are shorter and overlap by half: of three paragraphs inside a foreign article,
some asked passage has little else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.meaning.background import Background
from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.encoders.encoder import Encoder, Vectors
from matcher.meaning.sentences import Sentence, length, sentences_of

PASSAGE: Final = 180.0
"""Length of a passage in Han characters, about."""
ASKED: Final = 90.0
"""The same of an asked passage. A longer one holds too much else beside a part of three paragraphs: their original was
among the first 36 of 9,958 texts for 114 of 120, with 130 for 104, with 180 for 102; that of 60 whole articles always.
"""
WHOLE: Final = 1.3
"""Passages up to which a text is asked for as one."""


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
    return [_span(sentences, first, last) for first, last in _apart(_lengths(text, sentences))]


def sentences_around(text: str, passages: Sequence[int], *, beside: int) -> list[int]:
    """Return the numbers of the sentences in these passages of the text and in as many `beside` each on either side."""
    rows = _apart(_lengths(text, sentences_of(text)))
    near = {place for number in passages for place in range(number - beside, number + beside + 1)}
    return [number for place, (first, last) in enumerate(rows) if place in near for number in range(first, last + 1)]


def encode_passages(
    text: str, encoder: Encoder, background: Background, *, overlapping: bool = False
) -> EncodedPassages:
    """Return the passages of a text with their bits, as they are stored, or `overlapping`, as they are asked for.

    Time: some 20 µs a Han character. Accepts any text; one without a sentence has no passages.
    """
    sentences = sentences_of(text)
    vectors = background.centred(encoder.encode([text[start:end] for start, end in sentences]))
    return passages_of_sentences(text, sentences, vectors, background, overlapping=overlapping)


def asked_passages(encoded: EncodedText, background: Background) -> EncodedPassages:
    """Return the overlapping passages of a text whose sentences are encoded already, to look up what resembles them."""
    return passages_of_sentences(encoded.text, encoded.sentences, encoded.vectors, background, overlapping=True)


def passages_of_sentences(
    text: str, sentences: Sequence[Sentence], vectors: Vectors, background: Background, *, overlapping: bool = False
) -> EncodedPassages:
    """Return the passages of a text from its sentences. `vectors`: centred, of length 1, one a sentence."""
    lengths = _lengths(text, sentences)
    rows = _overlapping(lengths) if overlapping else _apart(lengths)
    weighted = vectors * lengths[:, np.newaxis].astype(np.float32)
    signs = np.zeros((len(rows), vectors.shape[1]), dtype=bool)
    for number, (first, last) in enumerate(rows):
        signs[number] = weighted[first : last + 1].sum(axis=0) > 0
    passages = [_span(sentences, first, last) for first, last in rows]
    return EncodedPassages(text, passages, np.packbits(signs, axis=1), background.id)


def _lengths(text: str, sentences: Sequence[Sentence]) -> npt.NDArray[np.float64]:
    return np.array([length(text[start:end]) for start, end in sentences], dtype=np.float64)


def _apart(lengths: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the first and last sentence of each passage, equal parts of the text."""
    if not len(lengths):
        return []
    count = max(1, round(float(lengths.sum()) / PASSAGE))
    # A sentence belongs to the part in which its middle is.
    middles = np.cumsum(lengths) - lengths / 2
    number = np.minimum((middles / lengths.sum() * count).astype(int), count - 1)
    firsts = np.flatnonzero(np.diff(number, prepend=-1)).tolist()
    lasts = [first - 1 for first in firsts[1:]] + [len(lengths) - 1]
    return list(zip(firsts, lasts, strict=True))


def _overlapping(lengths: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the first and last sentence of each passage, where one begins in the middle of the one before."""
    total = float(lengths.sum())
    if total <= WHOLE * PASSAGE:
        return [(0, len(lengths) - 1)] if len(lengths) else []
    middles = np.cumsum(lengths) - lengths / 2
    steps = ceil((total - ASKED) / (ASKED / 2))
    rows: dict[tuple[int, int], None] = {}
    for start in np.linspace(0.0, total - ASKED, steps + 1):
        first, after = np.searchsorted(middles, (start, start + ASKED)).tolist()
        if after > first:
            rows[first, after - 1] = None
    return list(rows)


def _span(sentences: Sequence[Sentence], first: int, last: int) -> Sentence:
    return Sentence(sentences[first].start, sentences[last].end)
