"""word2vec: words in similar contexts have similar vectors; a text is the mean of its words.

T. Mikolov, K. Chen, G. Corrado, J. Dean: Efficient estimation of word representations in vector space. 2013,
arXiv:1301.3781.
"""

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import xxhash

from matcher.measures.model import Measured
from matcher.measures.semantic.corpus import FEWEST_BEARERS, SEED, Corpus

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

DIMENSIONS: Final = 100
WINDOW: Final = 5
ROUNDS: Final = 5

Vectors: TypeAlias = npt.NDArray[np.float64]


def word2vec_cosine(corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    """Cosine of the means of the words' vectors, rare words weighing more: -1…1, symmetric.

    The mean of all stored texts is taken away first (after S. Arora, Y. Liang, T. Ma: A simple but tough-to-beat
    baseline for sentence embeddings. ICLR 2017). Time to fit O(stored words · 100 · 5 rounds).
    """
    from gensim.models import Word2Vec  # noqa: PLC0415  # an extra, and a second to import

    # One worker and a hash of our own: with more, or with Python's, the vectors differ from run to run.
    fitted = Word2Vec(
        [list(words) for words in corpus.texts],
        vector_size=DIMENSIONS,
        window=WINDOW,
        min_count=FEWEST_BEARERS,
        epochs=ROUNDS,
        seed=SEED,
        workers=1,
        hashfxn=_hash,
    )
    vectors = _weighed_vectors(fitted.wv, corpus)
    means = corpus.counts @ vectors / np.maximum(corpus.counts.sum(axis=1), 1).reshape(-1, 1)
    # What all texts have in common tells no two of them apart, and would make any two near.
    common = np.asarray(means).mean(axis=0)
    one, other = (_mean(vectors, corpus, words) - common for words in (left, right))
    lengths = float(np.sqrt((one @ one) * (other @ other)))
    if not lengths:
        return Measured(None, "a text is no different from the mean of all")
    return Measured(float(np.clip(one @ other / lengths, -1, 1)), figures={"dimensions": DIMENSIONS})


def _weighed_vectors(vectors: "KeyedVectors", corpus: Corpus) -> Vectors:
    """The vector of each column's word, times how rare the word is among the stored texts."""
    bearers = np.asarray((corpus.counts > 0).sum(axis=0)).ravel()
    rarity = np.log(len(corpus.texts) / bearers)
    return np.stack([vectors[word] for word in corpus.columns]) * rarity[:, np.newaxis]


def _mean(vectors: Vectors, corpus: Corpus, words: list[str]) -> Vectors:
    return np.asarray(vectors[[corpus.columns[word] for word in words]].mean(axis=0))


def _hash(word: str) -> int:
    return xxhash.xxh32_intdigest(word.encode("utf-8", "surrogatepass"))
