"""A text prepared for comparison by meaning: its sentences with their vectors and particulars."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from matcher.meaning.background import Background
from matcher.meaning.encoders.encoder import Encoder, Vectors
from matcher.meaning.particulars import particulars_of
from matcher.meaning.sentences import Sentence, length, sentences_of


@dataclass(frozen=True, slots=True, eq=False)
class EncodedText:
    """`vectors`: centred, of length 1, shape (sentences, size). `ambient`: see `Background`. `particulars`: of each
    sentence. `lengths`: of each sentence in Han characters.
    """

    text: str = field(repr=False)
    sentences: Sequence[Sentence]
    vectors: Vectors = field(repr=False)
    ambient: npt.NDArray[np.float32] = field(repr=False)
    particulars: Sequence[frozenset[str]] = field(repr=False)
    lengths: npt.NDArray[np.float32] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        lengths = [length(self.text[start:end]) for start, end in self.sentences]
        object.__setattr__(self, "lengths", np.array(lengths, dtype=np.float32))

    def __len__(self) -> int:
        return len(self.sentences)

    def sentence(self, number: int) -> str:
        start, end = self.sentences[number]
        return self.text[start:end]

    def part(self, numbers: Sequence[int]) -> "EncodedText":
        """Return the same text with these sentences only."""
        return EncodedText(
            self.text,
            [self.sentences[number] for number in numbers],
            self.vectors[list(numbers)],
            self.ambient[list(numbers)],
            [self.particulars[number] for number in numbers],
        )

    def others(self, ignored: Collection[int]) -> list[int]:
        """Return the numbers of the sentences that are not ignored."""
        left_out = set(ignored)
        return [number for number in range(len(self)) if number not in left_out]


def encode_text(
    text: str, encoder: Encoder, background: Background, numbers: Sequence[int] | None = None
) -> EncodedText:
    """Return the text prepared for comparison: some 20 µs a character, once for all its candidates. `numbers`: of the
    sentences that are encoded, ascending; the result has no others.
    """
    sentences = sentences_of(text)
    if numbers is not None:
        sentences = tuple(sentences[number] for number in numbers)
    parts = [text[start:end] for start, end in sentences]
    vectors = background.centred(encoder.encode(parts))
    return EncodedText(text, sentences, vectors, background.ambient(vectors), [particulars_of(part) for part in parts])
