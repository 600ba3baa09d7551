"""LSA: texts as mixtures of the directions in which the stored texts differ most.

S. Deerwester, S. T. Dumais, G. W. Furnas, T. K. Landauer, R. Harshman: Indexing by latent semantic analysis. Journal of
the American Society for Information Science 41 (6), 1990.
"""

from typing import Final

import numpy as np

from matcher.measures.model import Measured
from matcher.measures.semantic.corpus import SEED, Corpus

DIRECTIONS: Final = 100
"""Deerwester and others found 100 to work best on their collections."""


def lsa_cosine(corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    """Cosine of the two texts after reduction to 100 directions: -1…1, symmetric. TF-IDF with the store's own rarity.

    Time to fit O(stored words · 100).
    """
    from sklearn.decomposition import TruncatedSVD  # noqa: PLC0415  # an extra, and a second to import
    from sklearn.feature_extraction.text import TfidfTransformer  # noqa: PLC0415

    weigh = TfidfTransformer(sublinear_tf=True).fit(corpus.counts)
    directions = min(DIRECTIONS, len(corpus.texts) - 1, len(corpus.columns) - 1)
    reduce = TruncatedSVD(n_components=directions, random_state=SEED).fit(weigh.transform(corpus.counts))
    one, other = (reduce.transform(weigh.transform(corpus.row(words)))[0] for words in (left, right))
    lengths = float(np.sqrt((one @ one) * (other @ other)))
    if not lengths:
        return Measured(None, "a text has no part in any of the directions")
    return Measured(float(np.clip(one @ other / lengths, -1, 1)), figures={"directions": directions})
