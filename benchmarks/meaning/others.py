"""Other methods on the same texts: cosines of vectors of whole texts, and shared fingerprints.

Each scores every stored text for every probe. A method that ranks the source first has not found it yet: what counts is
how often the source scores above nearly every innocent's best.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.common.key_index import KeyIndex
from benchmarks.quality.baselines.keys import winnowed
from matcher.measures.semantic.lsa import DIRECTIONS
from matcher.measures.semantic.word2vec import DIMENSIONS, ROUNDS, WINDOW
from matcher.measures.semantic.words import words_of

Scores: TypeAlias = npt.NDArray[np.float32]
"""The score of every stored text."""
Method: TypeAlias = Callable[[Sequence[str], Sequence[str]], Iterator[Scores]]
"""Stored texts, probes → the scores for each probe in order."""

SEED: Final = 20160901
MOST_WORDS: Final = 50_000
COMMON_SHARE: Final = 0.5
"""Words in more than this share of the texts say nothing; of few texts all words count."""
MANY: Final = 100
TRAINED_ON: Final = 3_000
"""Texts that word2vec learns from: a minute of a core."""


def tfidf(stored: Sequence[str], queries: Sequence[str]) -> Iterator[Scores]:
    known, asked = _weighed(stored, queries)
    return _sparse_cosines(known, asked)


def lsa(stored: Sequence[str], queries: Sequence[str]) -> Iterator[Scores]:
    from sklearn.decomposition import TruncatedSVD  # noqa: PLC0415  # of the bench extra

    known, asked = _weighed(stored, queries)
    directions = min(DIRECTIONS, min(known.shape) - 1)
    reduce = TruncatedSVD(n_components=directions, random_state=SEED).fit(known)
    return cosines(reduce.transform(known), reduce.transform(asked))


def word2vec(stored: Sequence[str], queries: Sequence[str]) -> Iterator[Scores]:
    from gensim.models import Word2Vec  # noqa: PLC0415  # of the semantic extra

    texts = [words_of(text) for text in stored]
    step = max(1, len(texts) // TRAINED_ON)
    fitted = Word2Vec(
        texts[::step], vector_size=DIMENSIONS, window=WINDOW, min_count=2, epochs=ROUNDS, seed=SEED, workers=1
    )
    bearers: dict[str, int] = {}
    for words in texts:
        for word in set(words):
            bearers[word] = bearers.get(word, 0) + 1

    def mean(words: Sequence[str]) -> npt.NDArray[np.float64]:
        known = [word for word in words if word in fitted.wv and word in bearers]
        if not known:
            return np.zeros(DIMENSIONS)
        rarity = np.log(len(texts) / np.array([bearers[word] for word in known]))
        total: npt.NDArray[np.float64] = (fitted.wv[known] * rarity[:, np.newaxis]).mean(axis=0)
        return total

    vectors = np.stack([mean(words) for words in texts])
    common = vectors.mean(axis=0)
    return cosines(vectors - common, np.stack([mean(words_of(text)) for text in queries]) - common)


def winnowing(stored: Sequence[str], queries: Sequence[str]) -> Iterator[Scores]:
    """Share of the probe's keys that a stored text has (Schleimer, Wilkerson, Aiken 2003)."""
    index = KeyIndex(winnowed(None, list(stored)))
    for text in queries:
        keys = winnowed(None, [text])[0]
        yield (index.shared(keys) / max(1, len(keys))).astype(np.float32)


METHODS: Final[tuple[tuple[str, Method], ...]] = (
    ("TF-IDF cosine", tfidf),
    ("LSA", lsa),
    ("word2vec", word2vec),
    ("winnowing", winnowing),
)


def cosines(known: npt.NDArray[Any], asked: npt.NDArray[Any]) -> Iterator[Scores]:
    """Return the cosines of the rows of `known` with each row of `asked`; 0 for rows of zeros."""
    rows = _of_length_one(known)
    for row in _of_length_one(asked):
        yield rows @ row


def _of_length_one(rows: npt.NDArray[Any]) -> Scores:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    normal: Scores = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return normal


def _weighed(stored: Sequence[str], queries: Sequence[str]) -> tuple[Any, Any]:
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415  # of the bench extra

    most = COMMON_SHARE if len(stored) >= MANY else 1.0
    vectorizer = TfidfVectorizer(
        analyzer=words_of, sublinear_tf=True, max_df=most, max_features=MOST_WORDS, dtype=np.float32
    )
    return vectorizer.fit_transform(stored), vectorizer.transform(queries)


def _sparse_cosines(known: Any, asked: Any) -> Iterator[Scores]:
    turned = known.T.tocsc()
    for number in range(asked.shape[0]):
        yield (asked[number] @ turned).toarray()[0]
