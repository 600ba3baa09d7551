"""Vectors of the sentences that were encoded last, kept for those who ask next.

A new text is encoded for its look-up and again for its comparison, and then in parts as the candidate of others, which
are mostly of its subject and have the same candidates.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from matcher.alignment.kept_values import KeptValues
from matcher.meaning.encoders.encoder import MOST_CHARS, Encoder, EncoderAround, Vectors

MOST_BYTES: Final = 64_000_000
"""Of the vectors and sentences that are kept: some 28,000 sentences of the built-in encoder. When the first 100 of
1,702 articles were compared with the others, .31 of the characters had to be encoded that are without it; with half of
the bytes .46, with twice as many .31.
"""

CHAR_BYTES: Final = 4
"""Of one character in memory, at most."""


class KeptVectors(EncoderAround):
    """An encoder that asks another one, which gives a sentence the same vector each time, for new sentences only.
    Threads may share it; nothing leaves the memory of the process.
    """

    def __init__(self, encoder: Encoder, *, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(encoder)
        self._kept = KeptValues[str, Vectors](most_bytes)

    def encode(self, texts: Sequence[str]) -> Vectors:
        # No encoder reads more of a text, and a longer one would be a key of any length.
        read = [text[:MOST_CHARS] for text in texts]
        known = {text: self._kept.get(text) for text in dict.fromkeys(read)}
        new = [text for text, vector in known.items() if vector is None]
        if new:
            for text, vector in zip(new, self._encoder.encode(new), strict=True):
                # A copy: the row alone would keep the whole array.
                known[text] = self._kept.keep(text, vector.copy(), size=vector.nbytes + CHAR_BYTES * len(text))
        return np.array([known[text] for text in read], dtype=np.float32).reshape(len(read), self.size)
