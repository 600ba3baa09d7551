"""Feeds every parser in turn until all inputs are done or the time is over."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final, cast

from benchmarks.common.report import Progress, RanOn, this_machine
from benchmarks.fuzz.child import Child
from benchmarks.fuzz.model import Failure, Parser, ParserResult, Plan
from benchmarks.fuzz.mutations import input_of

ROUND: Final = 200
"""Inputs of a parser in its first turn."""
TURN_S: Final = 5.0
"""Target duration of its later turns."""
MOST_IN_TURN: Final = 50_000
_LOOK_EVERY_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class FuzzResult(RanOn):
    plan: Plan
    seconds: float
    parsers: tuple[ParserResult, ...]

    @property
    def inputs(self) -> int:
        return sum(parser.inputs for parser in self.parsers)

    @property
    def failures(self) -> list[Failure]:
        return [failure for parser in self.parsers for failure in parser.failures]


@dataclass
class _Fuzz:
    parsers: Sequence[Parser]
    plan: Plan
    folder: Path | None
    progress: Progress
    results: dict[str, ParserResult] = field(default_factory=dict)
    running: dict[Connection, Child] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.results = {parser.name: ParserResult(parser.name) for parser in self.parsers}
        self.began = time.monotonic()
        self.next = {parser.name: self.plan.first for parser in self.parsers}

    def run(self) -> None:
        turns = self._turns()
        try:
            while self._start(turns) or self.running:
                for pipe in wait(list(self.running), timeout=_LOOK_EVERY_S):
                    self._hear(self.running[cast("Connection", pipe)])
                for child in self.running.values():
                    if child.is_asleep():
                        child.end()
        finally:
            for child in self.running.values():
                child.end()

    def _start(self, turns: Iterator[Parser]) -> bool:
        """Starts processes up to the limit; returns whether any was started."""
        started = False
        while len(self.running) < self.plan.processes and (parser := next(turns, None)) is not None:
            first = self.next[parser.name]
            self.next[parser.name] = first + self._many(parser)
            self._child(parser, first, self.next[parser.name])
            started = True
        return started

    def _turns(self) -> Iterator[Parser]:
        """Yields the parser whose turn is next."""
        while True:
            left = [parser for parser in self.parsers if self._many(parser)]
            if not left:
                return
            for parser in left:
                if self._many(parser):
                    yield parser

    def _many(self, parser: Parser) -> int:
        """Number of inputs of its next turn."""
        if self.plan.inputs is not None:
            return max(0, self.plan.first + self.plan.inputs * parser.share - self.next[parser.name])
        minutes = self.plan.minutes or 0.0
        if time.monotonic() - self.began > 60 * minutes:
            return 0
        known = self.results[parser.name]
        if not known.inputs:
            return ROUND
        return max(1, min(MOST_IN_TURN, round(TURN_S * known.inputs / max(known.cpu_s, 0.001))))

    def _child(self, parser: Parser, first: int, last: int) -> None:
        child = Child(parser, self.plan.seed, first, last)
        self.running[child.pipe] = child

    def _hear(self, child: Child) -> None:
        if not child.heard():
            return
        del self.running[child.pipe]
        result = self.results[child.parser.name]
        result.inputs += child.next - child.first
        result.bytes += child.bytes
        result.cpu_s += child.cpu_s
        for failure in child.failures:
            if result.note(failure) and self.folder is not None:
                self._keep(child.parser, failure)
        if child.next < child.last:
            self._child(child.parser, child.next, child.last)
        self._report()

    def _report(self) -> None:
        if self.plan.minutes is not None:
            self.progress("seconds fuzzed", round(time.monotonic() - self.began), round(60 * self.plan.minutes))
        elif self.plan.inputs is not None:
            wanted = self.plan.inputs * sum(parser.share for parser in self.parsers)
            self.progress("inputs fed", sum(one.inputs for one in self.results.values()), wanted)

    def _keep(self, parser: Parser, failure: Failure) -> None:
        folder = cast("Path", self.folder) / parser.name.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{failure.kind}-{failure.number}"
        (folder / f"{name}.bin").write_bytes(input_of(parser, self.plan.seed, failure.number))
        (folder / f"{name}.txt").write_text(f"{failure.where}\nseed {self.plan.seed}\n\n{failure.detail}")


def run_fuzz(parsers: Sequence[Parser], plan: Plan, *, folder: Path | None = None, progress: Progress) -> FuzzResult:
    """Runs the fuzz. The first failing input of each cause is saved in `folder`, with the place of the failure."""
    fuzz = _Fuzz(parsers, plan, folder, progress)
    fuzz.run()
    return FuzzResult(
        **this_machine(),
        plan=plan,
        seconds=time.monotonic() - fuzz.began,
        parsers=tuple(fuzz.results.values()),
    )
