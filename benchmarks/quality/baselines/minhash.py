"""MinHash with locality-sensitive hashing, as datasketch has them."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import xxhash
from datasketch import LeanMinHash, MinHash, MinHashLSH

from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.method import Baseline, best_first, each_text
from benchmarks.quality.scenarios.checking import Named

SHINGLE: Final = 5
PERMUTATIONS: Final = 128
THRESHOLDS: Final = (0.5, 0.2)


def minhash(stored: Sequence[str], queries: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    known, probes = list(each_text(sketches, stored, workers)), list(each_text(sketches, queries, workers))
    for threshold in THRESHOLDS:
        index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        with index.insertion_session() as session:
            for number, sketch in enumerate(known):
                session.insert(number, sketch, check_duplication=False)
        named = tuple(_nearest(index, known, sketch, threshold) for sketch in probes)
        setting = f"datasketch, {SHINGLE}-shingles of characters, {PERMUTATIONS} permutations, Jaccard ≥ {threshold}"
        yield Baseline(f"MinHash {threshold}", setting, named, threshold)


def _nearest(index: Any, known: Sequence[Any], sketch: Any, threshold: float) -> tuple[Named, ...]:
    found = [Named(number, float(sketch.jaccard(known[number]))) for number in index.query(sketch)]
    return best_first(item for item in found if item.score >= threshold)


def sketches(_engine: object, texts: list[str]) -> list[Any]:
    return [_sketch(text) for text in texts]


def _sketch(text: str) -> Any:
    shingles = {text[start : start + SHINGLE] for start in range(max(1, len(text) - SHINGLE + 1))}
    sketch = MinHash(num_perm=PERMUTATIONS, hashfunc=xxhash.xxh32_intdigest)
    sketch.update_batch([shingle.encode("utf-8", "surrogatepass") for shingle in sorted(shingles)])
    return LeanMinHash(sketch)
