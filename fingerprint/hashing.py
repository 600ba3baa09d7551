"""A bit mixer: the finaliser of splitmix64 (Steele, Lea, Flood 2014)."""

import numpy as np

from fingerprint.compiling import compiled
from fingerprint.model import Hashes


def mix(values: Hashes) -> Hashes:
    """Map 64-bit numbers one to one to well-mixed ones, in an array of any shape."""
    return _mixed(np.ascontiguousarray(values).ravel()).reshape(values.shape)


@compiled("uint64[::1](Array(uint64, 1, 'C', True))")
def _mixed(values: Hashes) -> Hashes:
    mixed = np.empty_like(values)
    for place in range(len(values)):
        value = values[place]
        value = (value ^ value >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ value >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        mixed[place] = value ^ value >> np.uint64(31)
    return mixed
