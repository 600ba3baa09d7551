"""Homophones: characters with the same reading, tones aside, used to disguise text."""

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import tables


def syllable_ids(code_points: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint16]:
    """Return up to three toneless readings of each of n characters, as an array (n, 3) of reading numbers; 0: none."""
    known = tables()
    places = np.minimum(np.searchsorted(known.read_chars, code_points), len(known.read_chars) - 1)
    readable = known.read_chars[places] == code_points
    ids: npt.NDArray[np.uint16] = np.where(readable[:, np.newaxis], known.readings[places], 0).astype(np.uint16)
    return ids


def share_a_reading(first: npt.NDArray[np.uint32], second: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Return `are_homophones` for two arrays of the same length, character by character."""
    left = syllable_ids(first)[:, :, np.newaxis]
    right = syllable_ids(second)[:, np.newaxis, :]
    shared: npt.NDArray[np.bool_] = ((left == right) & (left > 0)).any(axis=(1, 2))
    return shared


def are_homophones(first: str, second: str) -> bool:
    """Return whether two Han characters have a toneless reading in common. A character without readings has none.

    >>> are_homophones("他", "她"), are_homophones("行", "航"), are_homophones("人", "入")
    (True, True, False)
    """
    pair = np.array([[ord(first)], [ord(second)]], dtype=np.uint32)
    return bool(share_a_reading(pair[0], pair[1])[0])
