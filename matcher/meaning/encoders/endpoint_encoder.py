"""An encoder behind an embeddings endpoint of the user's: a JSON service as OpenAI, vLLM, Ollama and others offer it.

Only requests and answers are made here. The client that sends them is handed in.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from matcher.meaning.encoders.encoder import EncoderUnavailable, Vectors, readable

TEXTS_A_REQUEST: Final = 32
"""The default limit of Text Embeddings Inference, the lowest of the common servers."""
SHORTEST_VECTOR: Final = 1e-6
"""Length below which a vector has no direction."""

Post: TypeAlias = Callable[[bytes], bytes]
"""Posts a JSON body to the endpoint and returns the body of its answer. Raises EncoderUnavailable."""


class EndpointEncoder:
    """`host`: names the endpoint in messages and beside the vectors, since a model's name says not who serves it.
    `model`, `size`: the model to ask for, and the numbers of its vectors.

    Which revision of the model answers is unknown. After a change of the model behind the same name, the store must be
    encoded again.
    """

    def __init__(self, post: Post, *, host: str, model: str, size: int, sends_unpublished: bool = False) -> None:
        self.reads_unpublished: Final = sends_unpublished
        self._post = post
        self._host = host
        self._model = model
        self._size = size
        self._names_size = False

    @property
    def name(self) -> str:
        return f"{self._model}@{self._host}"

    @property
    def version(self) -> str:
        return str(self._size)

    @property
    def size(self) -> int:
        return self._size

    def require(self) -> None:
        """Nothing is needed to begin; whether the endpoint answers shows when it is asked."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Raises EncoderUnavailable if the endpoint does not answer, or with anything but one vector for each text."""
        vectors = np.empty((len(texts), self._size), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_A_REQUEST):
            batch = [readable(text) for text in texts[start : start + TEXTS_A_REQUEST]]
            vectors[start : start + len(batch)] = self._vectors(batch)
        return vectors

    def _vectors(self, texts: list[str]) -> Vectors:
        rows = self._asked(texts)
        # A model that can shorten its vectors does it on request only; others refuse the request.
        if not self._names_size and any(len(row) != self._size for row in rows):
            self._names_size = True
            rows = self._asked(texts)
        if wrong := {len(row) for row in rows} - {self._size}:
            raise self._bad(f"with {min(wrong)} numbers a vector, but ZHIWEN_ENCODER_SIZE is {self._size}")
        return self._of_length_one(rows)

    def _asked(self, texts: list[str]) -> list[list[Any]]:
        """Return the embeddings in the order of the texts, each a list of anything."""
        wanted: dict[str, object] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._names_size:
            wanted["dimensions"] = self._size
        items = self._items(self._post(json.dumps(wanted).encode("ascii")))
        if len(items) != len(texts):
            raise self._bad(f"with {len(items)} vectors for {len(texts)} texts")
        rows: list[list[Any] | None] = [None] * len(texts)
        for item in items:
            place, row = (item.get("index"), item.get("embedding")) if isinstance(item, Mapping) else (None, None)
            if type(place) is not int or not 0 <= place < len(rows) or rows[place] is not None:
                raise self._bad(f"without the places of the vectors: each needs an index from 0 to {len(rows) - 1}")
            if not isinstance(row, list):
                raise self._bad("without vectors: each embedding must be a list of numbers")
            rows[place] = row
        return [row for row in rows if row is not None]

    def _items(self, body: bytes) -> list[Any]:
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError) as error:  # JSON that is none, in another encoding, or nested too deep
            raise self._bad(f"with something else than JSON ({_beginning(body)})") from error
        items = answer.get("data") if isinstance(answer, Mapping) else None
        if not isinstance(items, list):
            raise self._bad(f"without a list of vectors named data ({_beginning(body)})")
        return items

    def _of_length_one(self, rows: list[list[Any]]) -> Vectors:
        if any(type(number) not in (int, float) for row in rows for number in row):
            raise self._bad("with vectors that hold something else than numbers")
        try:
            vectors = np.array(rows, dtype=np.float64)
        except OverflowError as error:  # an integer beyond every float
            raise self._bad("with vectors that hold numbers that are too large") from error
        if not np.isfinite(vectors).all():
            raise self._bad("with vectors that hold NaN or infinity")
        vectors /= np.maximum(np.abs(vectors).max(axis=1, keepdims=True), SHORTEST_VECTOR)
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        # After the division above, a vector that is not 0 has a length of 1 or more.
        if (length < 1 - SHORTEST_VECTOR).any():
            raise self._bad("with vectors of length 0")
        normal: Vectors = (vectors / length).astype(np.float32)
        return normal

    def _bad(self, what: str) -> EncoderUnavailable:
        return EncoderUnavailable(f"The embeddings endpoint {self._host} answers {what}. Check ZHIWEN_ENCODER.")


def _beginning(body: bytes) -> str:
    words = "".join(char if char.isprintable() else " " for char in body[:200].decode("utf-8", "replace"))
    return " ".join(words.split())[:80] or "nothing"
