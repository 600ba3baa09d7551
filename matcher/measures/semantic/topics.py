"""Topic models: each text a mixture of topics, each topic a choice of words.

PLSA: T. Hofmann: Probabilistic latent semantic indexing. SIGIR 1999. Fitted as non-negative factors with the
Kullback-Leibler divergence, which is the same thing: E. Gaussier, C. Goutte: Relation between PLSA and NMF and
implications. SIGIR 2005.

LDA adds a prior over mixtures, so that short texts are not overrated: D. M. Blei, A. Y. Ng, M. I. Jordan: Latent
Dirichlet allocation. Journal of Machine Learning Research 3, 2003.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from matcher.measures.model import Measured
from matcher.measures.semantic.corpus import SEED, Corpus

TOPICS: Final = 50
"""Enough to tell subjects apart, few enough to be fitted on some hundred texts."""
PLSA_ROUNDS: Final = 40
LDA_ROUNDS: Final = 10

Mixture = npt.NDArray[np.float64]


def plsa_topics(corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    """How near the mixtures of 50 topics are: 0…1, symmetric. Time to fit O(stored words · 50 · 40 rounds)."""
    from sklearn.decomposition import NMF  # noqa: PLC0415  # an extra, and a second to import

    # Without a tolerance it goes on for all rounds: the same work on every machine, and no warning at the end.
    factors = NMF(
        _topics(corpus),
        solver="mu",
        beta_loss="kullback-leibler",
        init="random",
        random_state=SEED,
        max_iter=PLSA_ROUNDS,
        tol=0,
    )
    factors.fit(corpus.counts)
    words_a_topic = factors.components_.sum(axis=1)
    one, other = (factors.transform(corpus.row(words))[0] * words_a_topic for words in (left, right))
    return mixtures_agree(one, other)


def lda_topics(corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    """How near the mixtures of 50 topics are: 0…1, symmetric. Time to fit O(stored words · 50 · 10 rounds)."""
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415  # an extra, and a second to import

    model = LatentDirichletAllocation(_topics(corpus), learning_method="batch", max_iter=LDA_ROUNDS, random_state=SEED)
    model.fit(corpus.counts)
    one, other = (model.transform(corpus.row(words))[0] for words in (left, right))
    return mixtures_agree(one, other)


def _topics(corpus: Corpus) -> int:
    return min(TOPICS, len(corpus.texts), len(corpus.columns))


def mixtures_agree(left: Mixture, right: Mixture) -> Measured:
    """1 less the Hellinger distance of the two mixtures, each brought to a sum of 1: 0…1, symmetric."""
    if not left.sum() or not right.sum():
        return Measured(None, "a text has no part in any topic")
    one, other = (np.sqrt(mixture / mixture.sum()) for mixture in (left, right))
    distance = float(np.sqrt(((one - other) ** 2).sum() / 2))
    # Rounding may lift the distance of two mixtures without a common topic a hair above 1.
    return Measured(max(0.0, 1 - distance), figures={"topics": len(left)})
