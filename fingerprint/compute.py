"""Fingerprints a text: the entry point of this package."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from fingerprint.dna import Slices, keys_of, slices_at_every_offset, slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.model import ALGORITHM_VERSION, CanonicalText, Fingerprint, Initials
from fingerprint.normalize import canonicalize
from fingerprint.simhash import MIN_FEATURES, simhash_of
from fingerprint.tokens import WeightedWords, tokens_of, weighted, weighted_words
from fingerprint.winnowing import SeedArrays, stored_and_asked, winnow_arrays

TOGETHER: Final = 64
"""Texts that are processed together; fewer if they are long."""
TOGETHER_CHARS: Final = 300_000


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A text with all intermediate results of its fingerprint, and the keys that a look-up uses.

    `asked_slices` holds the slice at every offset, `slice_keys` the key of each, in the same order.
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
    """Return the fingerprint of any string. Never raises; `too_short` marks a text that no look-up can find."""
    return _fingerprints((text,))[0]


def fingerprint_texts(texts: Iterable[str]) -> Iterator[Fingerprint]:
    """Fingerprint many texts, in order, faster than one by one; read ahead by at most `TOGETHER` texts."""
    group: list[str] = []
    chars = 0
    for text in texts:
        group.append(text)
        chars += len(text)
        if len(group) == TOGETHER or chars >= TOGETHER_CHARS:
            yield from _fingerprints(group)
            group, chars = [], 0
    yield from _fingerprints(group)


def analyse(text: str) -> Analysis:
    """Analyse a text for comparisons; each part is computed once."""
    canonical = canonicalize(text)
    initials = to_initials(canonical)
    seeds, asked_for = stored_and_asked(initials)
    asked = slices_at_every_offset(initials)
    stored = slices_at_stride(initials)
    return Analysis(
        canonical=canonical,
        initials=initials,
        fingerprint=_fingerprint(weighted_words(canonical.text), initials, stored, seeds),
        seeds=seeds,
        stored_slices=stored,
        asked_slices=asked,
        asked_seeds=asked_for,
        slice_keys=keys_of(asked.dna),
    )


def _fingerprints(texts: Sequence[str]) -> list[Fingerprint]:
    # Each step runs over all texts before the next: its tables are then still in the processor's caches.
    canonical = [canonicalize(text) for text in texts]
    tokens = [tokens_of(text.text) for text in canonical]
    initials = [to_initials(text) for text in canonical]
    stored = [slices_at_stride(units) for units in initials]
    seeds = [winnow_arrays(units) for units in initials]
    return list(map(_fingerprint, map(weighted, tokens), initials, stored, seeds))


def _fingerprint(words: WeightedWords, initials: Initials, stored: Slices, seeds: SeedArrays) -> Fingerprint:
    feature_count = len(words.hashes)
    return Fingerprint(
        algorithm_version=ALGORITHM_VERSION,
        simhash=simhash_of(words.hashes, words.weights) if feature_count >= MIN_FEATURES else None,
        feature_count=feature_count,
        unit_count=len(initials),
        slices=tuple(sorted(set(keys_of(stored.dna).tolist()))),
        seeds=tuple(sorted(set(seeds.hashes.tolist()))),
    )
