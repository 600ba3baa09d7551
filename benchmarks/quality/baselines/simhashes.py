"""Simhash as the package of that name computes and finds it."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from simhash import Simhash, SimhashIndex

from benchmarks.common.workers import Workers
from benchmarks.quality.baselines.method import Baseline, best_first, each_text
from benchmarks.quality.scenarios.checking import Named

LOG: Final = logging.getLogger(__name__)
LOG.addHandler(logging.NullHandler())  # the package warns of every crowded bucket, in the middle of the progress bar

BITS: Final = 64
DISTANCE: Final = 3
HEAVIEST: Final = 255


def simhashes(stored: Sequence[str], queries: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    values = list(each_text(simhash_values, stored, workers))
    index = SimhashIndex([(str(number), Simhash(value)) for number, value in enumerate(values)], k=DISTANCE, log=LOG)
    named = tuple(_nearest(index, values, value) for value in each_text(simhash_values, queries, workers))
    setting = (
        f"the package `simhash`, its own 4-grams of characters and its index, distance ≤ {DISTANCE} of {BITS} bits"
    )
    yield Baseline("simhash", setting, named, 1 - DISTANCE / BITS)


def _nearest(index: SimhashIndex, values: Sequence[int], queries: int) -> tuple[Named, ...]:
    numbers = {int(number) for number in index.get_near_dups(Simhash(queries))}
    return best_first(Named(number, 1 - (values[number] ^ queries).bit_count() / BITS) for number in numbers)


def simhash_values(_engine: object, texts: list[str]) -> list[int]:
    return [_value(text) for text in texts]


def _value(text: str) -> int:
    try:
        return int(Simhash(text).value)
    except OverflowError:
        # The package multiplies bytes by the weight of a frequent feature, which numpy refuses from 256 on.
        features = Counter(Simhash("")._tokenize(text))
        return int(Simhash({feature: min(count, HEAVIEST) for feature, count in features.items()}).value)
