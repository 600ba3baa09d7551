"""Parsers, plans, failures and results of the fuzz."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

CPU_S: Final = 5.0
"""Most seconds of the processor for one input; the clock would depend on the load of the machine."""
MEMORY_BYTES: Final = 1 << 30
"""Most memory for one input, in addition to the child's at its start."""


class Kind(StrEnum):
    """How a parser failed."""

    TRACEBACK = "traceback"
    HANG = "hang"
    MEMORY = "memory"
    DIED = "died"
    """Its process ended: a crash in a library."""


@dataclass(frozen=True, slots=True)
class Parser:
    """`read` takes any bytes. `refusals`: exceptions that it declares for invalid input. `seeds`: inputs that it
    can read, which are spoilt; `tokens`: pieces of its language, which are strewn in; `share`: how many of its inputs
    come to one of the slowest parser.
    """

    name: str
    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    tokens: tuple[bytes, ...] = ()
    refusals: tuple[type[Exception], ...] = ()
    share: int = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """`where`: exception and place, by which failures of one cause are known; `number` makes the input again."""

    parser: str
    number: int
    kind: Kind
    where: str
    detail: str = ""


@dataclass(slots=True)
class ParserResult:
    """`failures`: the first of each cause; `counts`: how often each came, by kind and place."""

    name: str
    inputs: int = 0
    bytes: int = 0
    cpu_s: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def note(self, failure: Failure) -> bool:
        """Counts a failure; returns whether it is the first of its cause."""
        cause = f"{failure.kind}: {failure.where}"
        self.counts[cause] = self.counts.get(cause, 0) + 1
        if self.counts[cause] > 1:
            return False
        self.failures.append(failure)
        return True


@dataclass(frozen=True, slots=True)
class Plan:
    """Either `minutes` for all, or `inputs` for each parser; `first`: the number of the first input, to go on with."""

    seed: int
    minutes: float | None = None
    inputs: int | None = None
    first: int = 0
    processes: int = 1
