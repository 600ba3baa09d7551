"""Simhash index: finds the near simhashes of many queries at once, by bands.

Texts with one simhash share one code: near codes are searched once for all of them.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.model import BAND_BITS, BAND_COUNT, SIMHASH_BITS
from matcher.batch.array_files import mapped, ranges, sorted_once
from matcher.batch.sorted_keys import Places

Codes: TypeAlias = npt.NDArray[np.uint64]

AT_ONCE: Final = 4_000_000
"""Pairs of codes that are compared at once: about 100 MB."""

_BUCKETS: Final = 1 << BAND_BITS
_FLIPS: Final = np.array([0, *(1 << bit for bit in range(BAND_BITS))], dtype=np.uint64)
"""A band's own value and the 16 that are one bit away."""
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64((1 << 32) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class CodeTable:
    """`codes` in order, each once; `holders[starts[i]:starts[i + 1]]` are the places of its texts. For each band the
    indices of the codes in the order of their bands, and where each value begins.
    """

    codes: Codes
    starts: npt.NDArray[np.int64]
    holders: Places
    by_band: tuple[npt.NDArray[np.uint32], ...]
    begins: tuple[npt.NDArray[np.int64], ...]

    @classmethod
    def opened(cls, folder: Path) -> "CodeTable":
        """Open the files; they are read from disk as needed."""
        bands = range(BAND_COUNT)
        return cls(
            mapped(folder / "codes", np.uint64),
            mapped(folder / "starts", np.int64),
            mapped(folder / "holders", np.uint32),
            tuple(mapped(folder / f"band{number}", np.uint32) for number in bands),
            tuple(mapped(folder / f"begins{number}", np.int64) for number in bands),
        )


def write_codes(folder: Path, codes: Codes, places: Places) -> None:
    """Write the files that `CodeTable` reads. `codes`: the simhash of the text at each of `places`, in order.

    The codes are sorted in memory: 40 bytes per text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    order = np.argsort(codes, kind="stable")
    known, firsts = np.unique(codes[order], return_index=True)
    known.tofile(folder / "codes")
    np.append(firsts, len(codes)).astype(np.int64).tofile(folder / "starts")
    places[order].tofile(folder / "holders")
    for band in range(BAND_COUNT):
        values = _band(known, band)
        np.argsort(values, kind="stable").astype(np.uint32).tofile(folder / f"band{band}")
        sizes = np.bincount(values.astype(np.intp), minlength=_BUCKETS)
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64).tofile(folder / f"begins{band}")


def near_codes(
    table: CodeTable, asked: Codes, *, distance: int, bucket: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return all pairs of one of `asked` and a code of the table within `distance` bits that share a band but for one
    bit: their indices and their distance, in order of the indices; and for each of `asked` how many codes were skipped,
    since one band's value has more than `bucket` of them.
    """
    unread = np.zeros(len(asked), dtype=np.int64)
    pairs = [np.empty(0, dtype=np.uint64)]
    for band in range(BAND_COUNT):
        values = (_band(asked, band)[:, np.newaxis] ^ _FLIPS).ravel().astype(np.intp)
        starts = table.begins[band][values]
        counts = table.begins[band][values + 1] - starts
        unread += np.maximum(counts - bucket, 0).reshape(-1, len(_FLIPS)).sum(axis=1)
        counts = np.minimum(counts, bucket)
        asker = np.repeat(np.arange(len(asked)), len(_FLIPS))
        for some in _shares(counts):
            number = table.by_band[band][ranges(starts[some], counts[some])]
            asks = np.repeat(asker[some], counts[some])
            near = np.bitwise_count(table.codes[number] ^ asked[asks]) <= distance
            pairs.append(asks[near].astype(np.uint64) << _HALF | number[near])
    found = sorted_once(np.concatenate(pairs))
    askers: npt.NDArray[np.int64] = (found >> _HALF).astype(np.int64)
    numbers: npt.NDArray[np.int64] = (found & _LOW).astype(np.int64)
    apart: npt.NDArray[np.uint8] = np.bitwise_count(table.codes[numbers] ^ asked[askers])
    return askers, numbers, apart, unread


def _band(codes: Codes, band: int) -> Codes:
    shift = np.uint64(SIMHASH_BITS - BAND_BITS * (band + 1))
    return codes >> shift & np.uint64(_BUCKETS - 1)


def _shares(counts: npt.NDArray[np.int64]) -> list[slice]:
    """Cut a list into slices whose counts add up to at most AT_ONCE, except a single item."""
    ends = np.cumsum(counts)
    borders = [0]
    while borders[-1] < len(counts):
        before = int(ends[borders[-1] - 1]) if borders[-1] else 0
        end = int(np.searchsorted(ends, before + AT_ONCE, side="right"))
        borders.append(max(end, borders[-1] + 1))
    return [slice(first, last) for first, last in pairwise(borders)]
