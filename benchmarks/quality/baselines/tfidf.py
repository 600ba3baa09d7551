"""TF-IDF vectors of words and their cosine, as scikit-learn has them."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import rjieba
from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.method import MOST_NAMED, Baseline
from benchmarks.quality.scenarios.checking import Named

LEAST_COSINE: Final = 0.1
"""Lower scores are useless; bounds the texts kept for each probe."""
COMMON: Final = 0.6
"""Words in more than this share of the texts are ignored. A story that makes up half of the store keeps its own."""
MANY: Final = 100
"""With fewer stored texts, a word may be in most of them."""
PROBES_AT_A_TIME: Final = 64


def tfidf(stored: Sequence[str], queries: Sequence[str], _workers: Workers) -> Iterator[Baseline]:
    vectorizer = TfidfVectorizer(analyzer=_words, max_df=COMMON if len(stored) >= MANY else 1.0)
    known = vectorizer.fit_transform(stored).T.tocsr()
    vectors = vectorizer.transform(queries)
    named = tuple(
        _nearest(row)
        for start in range(0, len(queries), PROBES_AT_A_TIME)
        for row in (vectors[start : start + PROBES_AT_A_TIME] @ known).tocsr()
    )
    setting = "scikit-learn, words of two characters and more, the cosine that serves best on these data"
    yield Baseline("TF-IDF cosine", setting, named)


def _words(text: str) -> list[str]:
    return [word for word in rjieba.cut(text.lower(), False) if len(word) > 1]


def _nearest(row: Any) -> tuple[Named, ...]:
    best = np.argsort(-row.data, kind="stable")[:MOST_NAMED]
    return tuple(
        Named(int(row.indices[place]), float(row.data[place])) for place in best if row.data[place] >= LEAST_COSINE
    )
