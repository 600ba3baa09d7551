"""Simhash: 64 bits of which near texts share most.

G. S. Manku, A. Jain, A. Das Sarma: Detecting near-duplicates for web crawling. WWW 2007.
"""

from fingerprint.model import SIMHASH_BITS
from fingerprint.simhash import MIN_FEATURES, distance
from matcher.measures.model import Measured, Side, no_value


def simhash_agreement(left: Side, right: Side) -> Measured:
    """Share of the 64 bits that are equal: 0…1, symmetric; unrelated texts come to about .5. Time O(n).

    The literature speaks of the distance: texts with up to 3 different bits are near duplicates.
    """
    one, other = left.analysis.fingerprint.simhash, right.analysis.fingerprint.simhash
    if one is None or other is None:
        return no_value(f"a text of fewer than {MIN_FEATURES} different words has no simhash")
    bits = distance(one, other)
    return Measured(1 - bits / SIMHASH_BITS, figures={"distance": bits, "bits": SIMHASH_BITS})
