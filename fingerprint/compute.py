"""The one entry: a text in, its fingerprint out."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fingerprint.dna import Slices, keys_of, slices_at_every_offset, slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.model import ALGORITHM_VERSION, CanonicalText, Fingerprint, Initials
from fingerprint.normalize import canonicalize
from fingerprint.seeds import SeedArrays, stored_and_asked, winnow_arrays
from fingerprint.simhash import MIN_FEATURES, simhash_of
from fingerprint.tokens import weighted_words


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A text with all that was found on the way to its fingerprint, and what it asks the store for.

    `asked_slices` holds a slice for every offset, `slice_keys` the key of each of them, in the same order.
    """

    canonical: CanonicalText
    initials: Initials
    fingerprint: Fingerprint
    seeds: SeedArrays
    stored_slices: Slices
    asked_slices: Slices
    asked_seeds: SeedArrays
    slice_keys: npt.NDArray[np.int32]


def fingerprint_text(text: str) -> Fingerprint:
    """The fingerprint of any string. A text too short to be found says so by `too_short`; nothing raises."""
    canonical = canonicalize(text)
    initials = to_initials(canonical)
    return _fingerprint(canonical, initials, slices_at_stride(initials), winnow_arrays(initials))


def analyse(text: str) -> Analysis:
    """What a comparison needs of a text, each part computed once."""
    canonical = canonicalize(text)
    initials = to_initials(canonical)
    seeds, asked_for = stored_and_asked(initials)
    asked = slices_at_every_offset(initials)
    stored = slices_at_stride(initials)
    return Analysis(
        canonical=canonical,
        initials=initials,
        fingerprint=_fingerprint(canonical, initials, stored, seeds),
        seeds=seeds,
        stored_slices=stored,
        asked_slices=asked,
        asked_seeds=asked_for,
        slice_keys=keys_of(asked.dna),
    )


def _fingerprint(canonical: CanonicalText, initials: Initials, stored: Slices, seeds: SeedArrays) -> Fingerprint:
    words = weighted_words(canonical.text)
    feature_count = len(words.hashes)
    return Fingerprint(
        algorithm_version=ALGORITHM_VERSION,
        simhash=simhash_of(words.hashes, words.weights) if feature_count >= MIN_FEATURES else None,
        feature_count=feature_count,
        unit_count=len(initials),
        slices=tuple(sorted(set(keys_of(stored.dna).tolist()))),
        seeds=tuple(sorted(set(seeds.hashes.tolist()))),
    )
