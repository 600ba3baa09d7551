"""Analyses a stored text: its simhash is read, since segmenting the text again takes as long as all the rest."""

from fingerprint.compute import Analysis
from fingerprint.dna import keys_of, slices_at_every_offset, slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.model import ALGORITHM_VERSION, Fingerprint
from fingerprint.normalize import canonicalize
from fingerprint.winnowing import stored_and_asked
from storage.records.candidates import StoredCode


def analyse_stored(body: str, code: StoredCode) -> Analysis:
    """Return the same as `fingerprint.compute.analyse`. `code`: of the stored fingerprint of the current version."""
    canonical = canonicalize(body)
    initials = to_initials(canonical)
    seeds, asked_for = stored_and_asked(initials)
    asked, stored = slices_at_every_offset(initials), slices_at_stride(initials)
    return Analysis(
        canonical=canonical,
        initials=initials,
        fingerprint=Fingerprint(
            algorithm_version=ALGORITHM_VERSION,
            simhash=code.simhash,
            feature_count=code.feature_count,
            unit_count=len(initials),
            slices=tuple(sorted(set(keys_of(stored.dna).tolist()))),
            seeds=tuple(sorted(set(seeds.hashes.tolist()))),
        ),
        seeds=seeds,
        stored_slices=stored,
        asked_slices=asked,
        asked_seeds=asked_for,
        slice_keys=keys_of(asked.dna),
    )
