"""Postings by key in sorted files, written and read in parts.

A key and the place of its text are one number of 64 bits, so one sort orders both. Keys are hashes, so their highest
bits divide them evenly into parts that fit into memory.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from matcher.batch.array_files import mapped

Keys: TypeAlias = npt.NDArray[np.int32]
Biased: TypeAlias = npt.NDArray[np.uint32]
"""Converts keys to unsigned numbers in their order, to fit the upper half of 64 bits."""
Places: TypeAlias = npt.NDArray[np.uint32]

PART_ENTRIES: Final = 4_000_000
"""Approximate entries of a part: 32 MB."""
MOST_PARTS: Final = 512
"""Files that are open at once while parts are written."""
MOST_TEXTS: Final = 1 << 32

_SIGN: Final = np.uint32(1 << 31)
_HALF_BITS: Final = 32
_HALF: Final = np.uint64(_HALF_BITS)


def biased(keys: Keys) -> Biased:
    """Convert back to signed keys, keeping the order."""
    return keys.view(np.uint32) ^ _SIGN


def unbiased(keys: Biased) -> Keys:
    return (keys ^ _SIGN).view(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class SortedKeys:
    """`holders[starts[i]:starts[i + 1]]`, in order, are the places of the texts that hold `keys[i]`."""

    keys: Biased
    starts: npt.NDArray[np.int64]
    holders: Places

    @classmethod
    def opened(cls, folder: Path) -> "SortedKeys":
        """Open the files; they are read from disk as needed."""
        keys, holders = (mapped(folder / name, np.uint32) for name in ("keys", "holders"))
        return cls(keys, mapped(folder / "starts", np.int64), holders)

    def found(self, wanted: Biased) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return indices of the wanted keys that are present, in order of the keys, and their places."""
        if not len(self.keys):
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        # In order of the keys the next one is near the last: one pass over a large file.
        packed = np.sort(wanted.astype(np.uint64) << _HALF | np.arange(len(wanted), dtype=np.uint64))
        asked = (packed >> _HALF).astype(np.uint32)
        places = np.searchsorted(self.keys, asked)
        places[places == len(self.keys)] = 0
        stand = np.flatnonzero(self.keys[places] == asked)
        turns = packed.astype(np.uint32)[stand].astype(np.intp)
        order = np.argsort(turns)
        return turns[order], places[stand[order]]

    def holders_of(self, place: int) -> Places:
        """Return the texts that hold the key at this place of `keys`."""
        return self.holders[self.starts[place] : self.starts[place + 1]]


@contextmanager
def written_sorted(folder: Path, *, expected: int) -> Iterator[Callable[[Keys, Places], None]]:
    """Accept keys, each with the place of a text, in any order and no pair twice; at the end of the block the files of
    `SortedKeys` exist. `expected`: approximate number of entries; an error only costs memory or files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bits = min(max(expected // PART_ENTRIES, 1), MOST_PARTS).bit_length() - 1
    parts = [folder / f"part{number}" for number in range(1 << bits)]
    borders = np.arange(1, len(parts), dtype=np.uint64) << np.uint64(2 * _HALF_BITS - bits) if bits else ()
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("wb")) for path in parts]

        def take(keys: Keys, places: Places) -> None:
            packed = np.sort(biased(keys).astype(np.uint64) << _HALF | places)
            for file, some in zip(files, np.split(packed, np.searchsorted(packed, borders)), strict=True):
                file.write(some.tobytes())

        yield take
    _join(folder, parts)


def _join(folder: Path, parts: Iterable[Path]) -> None:
    written = 0
    with ExitStack() as stack:
        files = {name: stack.enter_context((folder / name).open("wb")) for name in ("keys", "starts", "holders")}
        for path in parts:
            packed = np.sort(np.fromfile(path, dtype=np.uint64))
            path.unlink()
            held = (packed >> _HALF).astype(np.uint32)
            firsts = np.flatnonzero(np.concatenate((np.ones(min(len(held), 1), np.bool_), held[1:] != held[:-1])))
            files["keys"].write(held[firsts].tobytes())
            files["starts"].write((firsts + written).astype(np.int64).tobytes())
            files["holders"].write(packed.astype(np.uint32).tobytes())
            written += len(packed)
        files["starts"].write(np.int64(written).tobytes())
