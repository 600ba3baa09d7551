"""LDA: as PLSA, but with a belief about mixtures before any text is seen, so that short texts are not overrated.

D. M. Blei, A. Y. Ng, M. I. Jordan: Latent Dirichlet allocation. Journal of Machine Learning Research 3, 2003.
"""

from typing import Final

from matcher.measures.model import Measured
from matcher.measures.semantic.corpus import SEED, Corpus
from matcher.measures.semantic.topics import TOPICS, mixtures_agree

ROUNDS: Final = 10


def lda_topics(corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    """How near the mixtures of 50 topics are: 0…1, symmetric. Time to fit O(stored words · 50 · 10 rounds)."""
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415  # an extra, and a second to import

    topics = min(TOPICS, len(corpus.texts), len(corpus.columns))
    model = LatentDirichletAllocation(topics, learning_method="batch", max_iter=ROUNDS, random_state=SEED)
    model.fit(corpus.counts)
    one, other = (model.transform(corpus.row(words))[0] for words in (left, right))
    return mixtures_agree(one, other)
