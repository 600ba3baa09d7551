"""An encoder that encodes each text once, for tests that compare the same texts again and again."""

from collections.abc import Sequence

import numpy as np

from matcher.meaning.encoders.encoder import Encoder, Vectors


class RememberingEncoder:
    """Has the vectors of `encoder`, which gives a text the same in any company."""

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self.version = encoder.version
        self.size = encoder.size
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32).reshape(-1, self.size)
