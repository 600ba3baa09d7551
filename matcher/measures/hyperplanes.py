"""Random-hyperplane hashing: each plane through the origin gives one bit, on which side of it the text's vector lies.

M. S. Charikar: Similarity estimation techniques from rounding algorithms. STOC 2002. The chance that a random plane
separates two vectors is the angle between them divided by π.
"""

import math
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.hashing import mix
from fingerprint.tokens import WeightedWords
from matcher.measures.cosine import NO_WORDS
from matcher.measures.model import Measured, Side, no_value

PLANES: Final = 256
"""The standard error of the share of equal bits is at most 1 / (2 √256) = .031."""
MOST_WORDS: Final = 20_000
"""Distinct words of a text that are used, heaviest first: each has 256 components to compute. A book has about so many.
"""
BLOCK: Final = 2_048
"""Words at a time: 8 MB."""

_PLANE_STEP: Final = np.uint64(0xD1B54A32D192ED03)
_UNIT: Final = 2.0**-53

Bits: TypeAlias = npt.NDArray[np.bool_]


def hyperplane_agreement(left: Side, right: Side) -> Measured:
    """Share of 256 random planes that have both texts on one side: 0…1, symmetric; unrelated texts come to about .5.

    The planes are fixed: the same on every machine. `cosine` among the figures is the estimate that follows from the
    share. Time O(256 · different words).
    """
    if not len(left.words.hashes) or not len(right.words.hashes):
        return no_value(NO_WORDS)
    distance = int(np.count_nonzero(_sides(left.words) != _sides(right.words)))
    is_cut = max(len(left.words.hashes), len(right.words.hashes)) > MOST_WORDS
    note = f"of the {MOST_WORDS:,} heaviest words of each text" if is_cut else ""
    cosine = math.cos(math.pi * distance / PLANES)
    return Measured(1 - distance / PLANES, note, {"distance": distance, "planes": PLANES, "cosine": round(cosine, 4)})


def _sides(words: WeightedWords) -> Bits:
    heaviest = np.lexsort((words.hashes, -words.weights))[:MOST_WORDS]
    total = np.zeros(PLANES)
    for start in range(0, len(heaviest), BLOCK):
        block = heaviest[start : start + BLOCK]
        total += words.weights[block] @ _components(words.hashes[block])
    return total > 0


def _components(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """A normally distributed number for each word and plane, made of the word's hash (Box and Muller 1958)."""
    planes = np.arange(1, PLANES // 2 + 1, dtype=np.uint64) * _PLANE_STEP
    drawn = mix(hashes[:, np.newaxis] + planes)
    # From ]0, 1], as the logarithm of 0 is none.
    radius = np.sqrt(-2 * np.log(((drawn >> np.uint64(11)) + np.uint64(1)) * _UNIT))
    angle = (mix(drawn) >> np.uint64(11)) * (2 * math.pi * _UNIT)
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
