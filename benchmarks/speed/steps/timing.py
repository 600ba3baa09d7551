"""Steps taken in turns, so that what else the machine does hits all alike; ratios within a round."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Final, TypeAlias

Work: TypeAlias = Callable[[], int]
"""Does the work of one round and returns its amount: texts, pages, queries."""

ROUNDS: Final = 9


@dataclass(frozen=True, slots=True)
class Task:
    """`unit`: what is counted, in the plural."""

    name: str
    work: Work
    unit: str = "texts"


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds for one of what is counted, round by round: of the processor, and by the clock."""

    name: str
    unit: str
    cpu_s: tuple[float, ...]
    wall_s: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Amount per second of processor time, in the median round."""
        return 1 / max(median(self.cpu_s), 1e-9)

    @property
    def wall_rate(self) -> float:
        return 1 / max(median(self.wall_s), 1e-9)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as fast as another; the middle half of the rounds lies from `low` to `high`."""

    median: float
    low: float
    high: float


def in_turns(tasks: Sequence[Task], *, rounds: int = ROUNDS, progress: Callable[[int, int], None]) -> tuple[Timed, ...]:
    """Each task once a round, the first of them another one in each, after a round that is not counted."""
    cpu: dict[str, list[float]] = {task.name: [] for task in tasks}
    wall: dict[str, list[float]] = {task.name: [] for task in tasks}
    for turn in range(rounds + 1):
        first = turn % len(tasks)
        for task in (*tasks[first:], *tasks[:first]):
            began_cpu, began = time.process_time(), time.perf_counter()
            done = task.work()
            spent_cpu, spent = time.process_time() - began_cpu, time.perf_counter() - began
            if turn:
                cpu[task.name].append(spent_cpu / done)
                wall[task.name].append(spent / done)
        progress(turn + 1, rounds + 1)
    return tuple(Timed(task.name, task.unit, tuple(cpu[task.name]), tuple(wall[task.name])) for task in tasks)


def ratio(ours: Timed, theirs: Timed) -> Ratio:
    """Of processor time, round by round."""
    return spread([other / max(one, 1e-9) for one, other in zip(ours.cpu_s, theirs.cpu_s, strict=True)])


def spread(values: Sequence[float]) -> Ratio:
    if len(values) < 2:
        return Ratio(values[0], values[0], values[0])
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return Ratio(middle, low, high)


@dataclass(frozen=True, slots=True)
class Waits:
    """Milliseconds of single questions, by the clock."""

    median_ms: float
    p99_ms: float
    most_ms: float
    count: int


def waits(seconds: Sequence[float]) -> Waits:
    """Of at least one."""
    ordered = sorted(value * 1_000 for value in seconds)
    last = len(ordered) - 1
    return Waits(median(ordered), ordered[min(last, round(last * 0.99))], ordered[-1], len(ordered))
