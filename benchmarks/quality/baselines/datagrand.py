"""The letter-frequency DNA of the notes of 2016, to the letter: base 2, their normalisation, one grid on both sides."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.keys import Keys, shared_keys
from benchmarks.quality.baselines.method import Baseline
from fingerprint.dna import Normalisation, SliceParameters, slices_at_stride
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize

PARAMETERS: Final = SliceParameters.with_overlap(50, 0.5, radix=2, normalisation=Normalisation.DATAGRAND2016)


def datagrand(stored: Sequence[str], asked: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    named = shared_keys(grid_slices, stored, asked, workers, least=1)
    setting = "slices of 50 units, half overlapping, base 2; the number of shared slices that serves best on these data"
    yield Baseline("datagrand2016 DNA", setting, named)


def grid_slices(_engine: object, texts: list[str]) -> list[Keys]:
    return [np.unique(slices_at_stride(to_initials(canonicalize(text)), PARAMETERS).dna) for text in texts]
