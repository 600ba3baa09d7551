"""All measures of meaning, in the order in which they are shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, TypeAlias

from matcher.measures.model import Measure, Measured, Result
from matcher.measures.semantic.corpus import Corpus, SemanticUnavailable, corpus_of
from matcher.measures.semantic.lsa import lsa_cosine
from matcher.measures.semantic.topics import lda_topics, plsa_topics
from matcher.measures.semantic.word2vec import word2vec_cosine
from matcher.measures.semantic.words import words_of

FEWEST_WORDS: Final = 5
"""Known words, different or not, that a text must have: below that it is about nothing."""


SemanticCompares: TypeAlias = Callable[[Corpus, list[str], list[str]], Measured]
"""Compares what two texts are about, by their words that the corpus knows."""


@dataclass(frozen=True, slots=True)
class SemanticResults:
    """`texts`: how many stored texts the measures were fitted on; `words`: how many different words of theirs count."""

    texts: int
    words: int
    results: tuple[Result, ...]


SEMANTIC_MEASURES: Final[tuple[Measure[SemanticCompares], ...]] = (
    Measure("lsa", lsa_cosine, "cosine after reduction to 100 directions", "Deerwester and others 1990", lowest=-1.0),
    Measure("plsa", plsa_topics, "nearness of two mixtures of 50 topics", "Hofmann 1999"),
    Measure("lda", lda_topics, "the same, fitted as LDA", "Blei, Ng and Jordan 2003"),
    Measure("word2vec", word2vec_cosine, "cosine of the mean vectors of words", "Mikolov and others 2013", lowest=-1.0),
)


def require_extra() -> None:
    """Raises SemanticUnavailable where the libraries are not installed."""
    missing = [name for name in ("sklearn", "gensim") if not _is_installed(name)]
    if missing:
        message = "--semantic needs scikit-learn and gensim. Install them: pip install 'zhiwen[semantic]'"
        raise SemanticUnavailable(message)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # what Python raises for a module that was set to None to keep it out
        return False


def measure_semantically(left: str, right: str, texts: Sequence[str]) -> SemanticResults:
    """Every measure of meaning of a pair, fitted on `texts`; the same texts give the same values.

    Raises SemanticUnavailable where the extra is missing or the texts are too few.
    """
    require_extra()
    corpus = corpus_of(texts)
    one, other = corpus.known(words_of(left)), corpus.known(words_of(right))
    results = tuple(Result(measure, _measured(measure, corpus, one, other)) for measure in SEMANTIC_MEASURES)
    return SemanticResults(len(corpus.texts), len(corpus.columns), results)


def _measured(measure: Measure[SemanticCompares], corpus: Corpus, left: list[str], right: list[str]) -> Measured:
    if min(len(left), len(right)) < FEWEST_WORDS:
        return Measured(None, f"a text of fewer than {FEWEST_WORDS} words that stored texts hold is about nothing")
    return measure.compares(corpus, left, right)
