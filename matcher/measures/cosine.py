"""Vector space model: each text a vector with one axis a word, the weights TF-IDF; similar texts point the same way.

G. Salton, A. Wong, C. S. Yang: A vector space model for automatic indexing. Communications of the ACM 18 (11), 1975.
"""

import math

import numpy as np

from fingerprint.tokens import WeightedWords
from matcher.measures.model import Measured, Side, no_value

NO_WORDS = "a text without words of two characters and more has no vector"


def tfidf_cosine(left: Side, right: Side) -> Measured:
    """Cosine of the angle between the two vectors: 0…1, symmetric. Order of words does not matter. Time O(n).

    Words are those of the simhash, each with 1 + ln(frequency) times how rare it is in the language.
    """
    if not len(left.words.hashes) or not len(right.words.hashes):
        return no_value(NO_WORDS)
    shared, at_left, at_right = np.intersect1d(
        left.words.hashes, right.words.hashes, assume_unique=True, return_indices=True
    )
    product = float(left.words.weights[at_left] @ right.words.weights[at_right])
    lengths = math.sqrt(_square(left.words) * _square(right.words))
    figures = {"shared": len(shared), "left": len(left.words.hashes), "right": len(right.words.hashes)}
    return Measured(product / lengths, figures=figures)


def _square(words: WeightedWords) -> float:
    # Sums of whole numbers have no rounding error, so a text has a cosine of exactly 1 with itself.
    return float(words.weights @ words.weights)
