"""MinHash with locality-sensitive hashing: datasketch and rensa, on the same shingles."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from benchmarks.peers.peer import Index, Peer
from benchmarks.quality.baselines.minhash import PERMUTATIONS, SHINGLE, sketches

THRESHOLDS: Final = (0.5, 0.2)
"""A common setting, and one that finds smaller shares."""
SEED: Final = 1
BANDS: Final = {0.5: 32, 0.2: 64}
"""Of rensa, which does not choose them itself: bands of four and of two rows find pairs above (1/32)^(1/4) = .42 and
(1/64)^(1/2) = .13 more often than not. Their number has to divide the permutations.
"""


@dataclass(frozen=True, slots=True)
class _Datasketch:
    lsh: Any
    known: Sequence[Any]
    threshold: float

    def found(self, text: str) -> Collection[int]:
        (sketch,) = sketches(None, [text])
        return {number for number in self.lsh.query(sketch) if sketch.jaccard(self.known[number]) >= self.threshold}


def _datasketch(texts: Sequence[str], *, threshold: float) -> Index:
    from datasketch import MinHashLSH  # noqa: PLC0415  # of the bench extra

    known = sketches(None, list(texts))
    lsh = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
    with lsh.insertion_session() as session:
        for number, sketch in enumerate(known):
            session.insert(number, sketch, check_duplication=False)
    return _Datasketch(lsh, known, threshold)


@dataclass(frozen=True, slots=True)
class _Rensa:
    lsh: Any
    known: Sequence[Any]
    threshold: float

    def found(self, text: str) -> Collection[int]:
        sketch = _rensa_sketch(text)
        return {number for number in self.lsh.query(sketch) if sketch.jaccard(self.known[number]) >= self.threshold}


def _rensa(texts: Sequence[str], *, threshold: float) -> Index:
    from rensa import RMinHashLSH  # noqa: PLC0415

    known = [_rensa_sketch(text) for text in texts]
    lsh = RMinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, num_bands=BANDS[threshold])
    for number, sketch in enumerate(known):
        lsh.insert(number, sketch)
    return _Rensa(lsh, known, threshold)


def _rensa_sketch(text: str) -> Any:
    from rensa import RMinHash  # noqa: PLC0415

    sketch = RMinHash(num_perm=PERMUTATIONS, seed=SEED)
    # Rust refuses lone surrogates.
    clean = text.encode("utf-8", "replace").decode()
    sketch.update([clean[start : start + SHINGLE] for start in range(max(1, len(clean) - SHINGLE + 1))])
    return sketch


def _setting(threshold: float) -> str:
    return f"{SHINGLE}-shingles of characters, {PERMUTATIONS} permutations, Jaccard ≥ {threshold}"


DATASKETCH: Final = tuple(
    Peer(f"datasketch MinHash LSH {one}", _setting(one), "datasketch", partial(_datasketch, threshold=one))
    for one in THRESHOLDS
)
RENSA: Final = tuple(
    Peer(f"rensa MinHash LSH {one}", _setting(one), "rensa", partial(_rensa, threshold=one)) for one in THRESHOLDS
)
