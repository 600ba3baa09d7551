"""All classic measures, in the order in which they are shown."""

from collections.abc import Iterable
from typing import Final

from fingerprint.compute import Analysis
from matcher.measures.cosine import tfidf_cosine
from matcher.measures.edit_distance import edit_similarity
from matcher.measures.hyperplanes import hyperplane_agreement
from matcher.measures.jaro import jaro_similarity
from matcher.measures.longest_sentences import shared_longest_sentences
from matcher.measures.minhash import minhash_jaccard
from matcher.measures.model import Compares, Measure, Result, side_of
from matcher.measures.pinyin_dna import dna_share, literal_dna_share
from matcher.measures.shingles import shingle_jaccard
from matcher.measures.simhash import simhash_agreement

MEASURES: Final[tuple[Measure[Compares], ...]] = (
    Measure(
        "edit-distance",
        edit_similarity,
        "characters that need no edit to make one text of the other",
        "Levenshtein 1966",
    ),
    Measure("jaro", jaro_similarity, "characters that stand at about the same place", "Jaro 1989"),
    Measure("shingles", shingle_jaccard, "five characters in a row that both texts hold", "Broder 1997"),
    Measure("minhash", minhash_jaccard, "the same, estimated from 128 hashes", "Broder 1997"),
    Measure(
        *("longest-sentences", shared_longest_sentences, "of the 8 longest sentences, those that are the same"),
        "published notes",
    ),
    Measure(
        *("tfidf-cosine", tfidf_cosine, "words that both texts hold, by frequency and rarity"),
        "Salton, Wong and Yang 1975",
    ),
    Measure(
        *("hyperplanes", hyperplane_agreement, "random planes with both word vectors on one side; .5 is unrelated"),
        "Charikar 2002",
    ),
    Measure(
        *("simhash", simhash_agreement, "bits of the simhash that are equal; .5 is unrelated"),
        "Charikar 2002; Manku, Jain and Das Sarma 2007",
    ),
    Measure(
        *("pinyin-dna", dna_share, "slices found in the other text at any offset (z-scores)"), "after Datagrand 2016"
    ),
    Measure(
        *("pinyin-dna-2016", literal_dna_share, "slices that both texts hold on a fixed grid (datagrand2016)"),
        "Datagrand 2016",
    ),
)


def measure_all(
    left: Analysis, right: Analysis, measures: Iterable[Measure[Compares]] = MEASURES
) -> tuple[Result, ...]:
    """Every measure of a pair. Nothing raises: what cannot be measured has no value and says why."""
    one, other = side_of(left), side_of(right)
    return tuple(Result(measure, measure.compares(one, other)) for measure in measures)
