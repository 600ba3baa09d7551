"""The interface of a baseline, and parts that several of them share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from benchmarks.common.workers import Workers
from benchmarks.quality.scenarios.checking import Named

Found = TypeVar("Found")

MOST_NAMED: Final = 50
"""Most texts that a method may report for one probe, best first: as many as `check` lists."""
CHUNK: Final = 100
"""Texts that a process reads at a time."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The texts that a method reported, for each probe in order.

    `threshold`: the least score at which a text counts as named; None: the one that serves best on these very data.
    """

    name: str
    setting: str
    named: tuple[tuple[Named, ...], ...]
    threshold: float | None = None


Method: TypeAlias = Callable[[Sequence[str], Sequence[str], Workers], Iterator[Baseline]]
"""The stored texts, the probes, processes to share the work → one or several settings of the method."""


def each_text(
    task: "Callable[[object, list[str]], list[Found]]", texts: Sequence[str], workers: Workers
) -> Iterator[Found]:
    """The result of `task` for each text, in order. It gets chunks of texts, in processes of the benchmark."""
    chunks = [list(texts[start : start + CHUNK]) for start in range(0, len(texts), CHUNK)]
    done = dict(workers.map(task, chunks))
    for number in range(len(done)):
        yield from done[number]


def best_first(named: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(sorted(named, key=lambda item: (-item.score, item.number))[:MOST_NAMED])
