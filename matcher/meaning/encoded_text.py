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


def encode_text(text: str, encoder: Encoder, background: Background) -> EncodedText:
    """Return the text prepared for comparison: some 20 µs a character, once for all its candidates."""
    (encoded,) = encode_texts([(text, None)], encoder, background)
    return encoded


def encode_texts(
    texts: Sequence[tuple[str, Sequence[int] | None]], encoder: Encoder, background: Background
) -> list[EncodedText]:
    """The same for several texts by one call of the encoder: words that they share are computed once, and a service
    gets fewer requests. Each text has the numbers of the sentences that are encoded, ascending; None: all of them.
    """
    chosen = [_chosen(text, numbers) for text, numbers in texts]
    parts = [[text[start:end] for start, end in found] for (text, _), found in zip(texts, chosen, strict=True)]
    vectors = background.centred(encoder.encode([part for own in parts for part in own]))
    ambient = background.ambient(vectors)
    encoded, first = [], 0
    for (text, _), sentences, own in zip(texts, chosen, parts, strict=True):
        rows = slice(first, first + len(own))
        # Copies: a text that is kept would keep the vectors of all others.
        particulars = [particulars_of(part) for part in own]
        encoded.append(EncodedText(text, sentences, vectors[rows].copy(), ambient[rows].copy(), particulars))
        first = rows.stop
    return encoded


def _chosen(text: str, numbers: Sequence[int] | None) -> Sequence[Sentence]:
    sentences = sentences_of(text)
    return sentences if numbers is None else [sentences[number] for number in numbers]
