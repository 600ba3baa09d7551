"""The corpus that the measures of meaning are fitted on: words of stored texts and their counts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from matcher.measures.semantic.words import words_of
from storage.fingerprints.candidates import texts_by_id
from storage.pages import pages

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

Matrix: TypeAlias = Any
"""A sparse matrix of scipy, which ships no types: one row a text, one column a word."""

MOST_TEXTS: Final = 400
"""Texts to fit on: some ten seconds on one core for the four measures together."""
FEWEST_TEXTS: Final = 30
"""Least texts to learn which words co-occur."""
MOST_WORDS: Final = 20_000
FEWEST_BEARERS: Final = 2
"""Least texts that hold a word: one that a single text holds co-occurs with that text only."""
COMMON_SHARE: Final = 0.5
"""Largest share of texts for a word: a more frequent one does not show what they are about."""
SEED: Final = 20_160_901
"""Seed of random starts: the same store gives the same values."""
PAGES_PER_READ: Final = 200


class SemanticUnavailable(Exception):  # reads as what it says
    """The measures of meaning cannot be fitted; the message says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Words of each text in order; the column of each known word; how often each text holds it."""

    texts: Sequence[Sequence[str]]
    columns: Mapping[str, int]
    counts: Matrix

    def known(self, words: Iterable[str]) -> list[str]:
        return [word for word in words if word in self.columns]

    def row(self, words: Iterable[str]) -> Matrix:
        return counts_of([self.known(words)], self.columns)


def corpus_of(texts: Sequence[str]) -> Corpus:
    """Build the corpus. Raises SemanticUnavailable if there are too few texts, or too few words in common."""
    if len(texts) < FEWEST_TEXTS:
        message = (
            f"The store holds {len(texts)} texts, and measures of meaning need {FEWEST_TEXTS} to learn from. "
            "Import or crawl more, or leave --semantic out."
        )
        raise SemanticUnavailable(message)
    read = [words_of(text) for text in texts]
    columns = _columns(read)
    if not columns:
        message = "The stored texts have no words in common that measures of meaning could learn from."
        raise SemanticUnavailable(message)
    return Corpus(read, columns, counts_of([[word for word in words if word in columns] for words in read], columns))


def _columns(texts: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return a column for each word that distinguishes texts: neither in a single one nor in most, the most common
    first.
    """
    bearers = Counter(word for words in texts for word in set(words))
    most = COMMON_SHARE * len(texts)
    telling = [(-count, word) for word, count in bearers.items() if FEWEST_BEARERS <= count <= most]
    return {word: column for column, (_, word) in enumerate(sorted(telling)[:MOST_WORDS])}


def counts_of(texts: Sequence[Sequence[str]], columns: Mapping[str, int]) -> Matrix:
    from scipy.sparse import csr_matrix  # noqa: PLC0415  # comes with the extra

    counted = [Counter(words) for words in texts]
    cells = [(row, columns[word], count) for row, words in enumerate(counted) for word, count in words.items()]
    rows, places, values = zip(*cells, strict=True) if cells else ((), (), ())
    return csr_matrix((values, (rows, places)), shape=(len(texts), len(columns)), dtype=float)


def stored_texts(session: "Session", bound: int = MOST_TEXTS) -> list[str]:
    """Return the distinct texts of the `bound` pages that were stored first."""
    wanted: list[int] = []
    for page in pages.list_pages(session):
        if len(wanted) >= bound:
            break
        wanted.append(page.text_id)
    ids = list(dict.fromkeys(wanted))
    found = [texts_by_id(session, ids[at : at + PAGES_PER_READ]) for at in range(0, len(ids), PAGES_PER_READ)]
    bodies = {text_id: text.body for some in found for text_id, text in some.items()}
    return [bodies[text_id] for text_id in ids if text_id in bodies]
