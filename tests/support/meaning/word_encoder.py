"""An encoder for tests: the vector of a text is the sum of fixed random vectors of its pairs of characters."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from matcher.meaning.encoders.encoder import Vectors


@lru_cache(20_000)
def _drawn(pair: str, size: int) -> Vectors:
    drawn = random.Random(pair.encode("utf-8", "surrogatepass"))  # noqa: S311  # repeatable
    return np.frombuffer(drawn.randbytes(size), dtype=np.uint8).astype(np.float32) - np.float32(127.5)


class WordEncoder:
    """Knows no meaning: texts with the same words are near each other. Counts the texts that it was given."""

    name = "pairs of characters"

    def __init__(self, *, version: str = "1", size: int = 128, reads_unpublished: bool = True) -> None:
        self.version = version
        self.size = size
        self.reads_unpublished = reads_unpublished
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(-1, self.size)

    def _vector(self, text: str) -> Vectors:
        total = np.full(self.size, 0.01, dtype=np.float32)
        for pair, count in Counter(pairwise(text)).items():
            total += count * _drawn("".join(pair), self.size)
        length: Vectors = total / np.linalg.norm(total)
        return length
