"""The index of the package `simhash`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.peers.peer import Index, Peer
from benchmarks.quality.baselines.simhashes import BITS, DISTANCE, LOG, simhash_values


@dataclass(frozen=True, slots=True)
class _Simhashes:
    index: Any

    def found(self, text: str) -> Collection[int]:
        from simhash import Simhash  # noqa: PLC0415  # of the bench extra

        (value,) = simhash_values(None, [text])
        return {int(number) for number in self.index.get_near_dups(Simhash(value))}


def _build(texts: Sequence[str]) -> Index:
    from simhash import Simhash, SimhashIndex  # noqa: PLC0415

    values = simhash_values(None, list(texts))
    named = [(str(number), Simhash(value)) for number, value in enumerate(values)]
    return _Simhashes(SimhashIndex(named, k=DISTANCE, log=LOG))


SIMHASH: Final = Peer(
    "simhash index", f"its 4-grams of characters, distance ≤ {DISTANCE} of {BITS} bits", "simhash", _build
)
