"""PLSA: each text a mixture of topics, each topic a choice of words, as likely as can be.

T. Hofmann: Probabilistic latent semantic indexing. SIGIR 1999. Fitted as non-negative factors with the Kullback-Leibler
divergence, which is the same thing: E. Gaussier, C. Goutte: Relation between PLSA and NMF and implications. SIGIR 2005.
"""

from typing import Final

from matcher.measures.model import Measured
from matcher.measures.semantic.corpus import SEED, Corpus
from matcher.measures.semantic.topics import TOPICS, mixtures_agree

ROUNDS: Final = 40


def plsa_topics(corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    """How near the mixtures of 50 topics are: 0…1, symmetric. Time to fit O(stored words · 50 · 40 rounds)."""
    from sklearn.decomposition import NMF  # noqa: PLC0415  # an extra, and a second to import

    topics = min(TOPICS, len(corpus.texts), len(corpus.columns))
    # Without a tolerance it goes on for all rounds: the same work on every machine, and no warning at the end.
    factors = NMF(
        topics, solver="mu", beta_loss="kullback-leibler", init="random", random_state=SEED, max_iter=ROUNDS, tol=0
    )
    factors.fit(corpus.counts)
    words_a_topic = factors.components_.sum(axis=1)
    one, other = (factors.transform(corpus.row(words))[0] * words_a_topic for words in (left, right))
    return mixtures_agree(one, other)
