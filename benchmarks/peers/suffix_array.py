"""A suffix array of all texts: the exact truth about runs of characters that two texts share as published."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks.peers.peer import Index, Peer
from benchmarks.quality.scoring.shared_runs import LEAST

if TYPE_CHECKING:
    import numpy.typing as npt

_BETWEEN: Final = b"\xff"
"""Between texts: no byte of UTF-8, so no run goes past the end of one."""


@dataclass(frozen=True, slots=True)
class _SuffixArray:
    """`joined`: all texts in UTF-8. `suffixes`: their places in the order of what follows them. `starts`: of texts."""

    joined: bytes
    suffixes: "npt.NDArray[np.integer[Any]]"
    starts: "npt.NDArray[np.int64]"

    def found(self, text: str) -> Collection[int]:
        from pydivsufsort import sa_search  # noqa: PLC0415  # of the bench extra

        numbers: set[int] = set()
        for start in range(len(text) - LEAST + 1):
            run = _utf8(text[start : start + LEAST])
            count, first = sa_search(self.joined, self.suffixes, run)
            if count:
                places = self.suffixes[first : first + count]
                numbers.update((np.searchsorted(self.starts, places, side="right") - 1).tolist())
        return numbers


def _build(texts: Sequence[str]) -> Index:
    from pydivsufsort import divsufsort  # noqa: PLC0415

    parts = [_utf8(text) + _BETWEEN for text in texts]
    joined = b"".join(parts)
    starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)[:-1]
    return _SuffixArray(joined, divsufsort(joined), starts)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


SUFFIX_ARRAY: Final = Peer(
    "suffix array", f"pydivsufsort, runs of {LEAST} characters as published", "pydivsufsort", _build
)
