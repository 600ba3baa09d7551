"""The fuzz as a table and as JSON. Pure."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from benchmarks.common.report import Report, Table
from benchmarks.fuzz.model import Failure
from benchmarks.fuzz.run import FuzzResult

COLUMNS: Final = ("parser", "inputs", "MB", "inputs/s", "causes of failure", "failures")


def rows(result: FuzzResult) -> Iterator[tuple[str, ...]]:
    for one in result.parsers:
        speed = one.inputs / one.cpu_s if one.cpu_s else 0.0
        failures = sum(one.counts.values())
        yield (
            one.name,
            f"{one.inputs:,}",
            f"{one.bytes / 1e6:,.0f}",
            f"{speed:,.0f}",
            str(len(one.counts)),
            str(failures),
        )
    total = sum(one.bytes for one in result.parsers)
    causes = sum(len(one.counts) for one in result.parsers)
    yield "all", f"{result.inputs:,}", f"{total / 1e6:,.0f}", "", str(causes), str(sum(_counts(result)))


def line_of(failure: Failure, count: int) -> str:
    return f"{failure.parser}: {failure.kind}: {failure.where} ({count} times, first with input {failure.number})"


def lines(result: FuzzResult) -> Iterator[str]:
    for one in result.parsers:
        for failure in one.failures:
            yield line_of(failure, one.counts[f"{failure.kind}: {failure.where}"])


def report_of(result: FuzzResult) -> Report:
    plan = result.plan
    header = (
        result.line,
        f"seed {plan.seed}, inputs from {plan.first} on, {plan.processes} processes, {result.seconds:.0f} s",
    )
    value = asdict(result) | {"inputs": result.inputs, "failed": bool(result.failures)}
    return Report("fuzz", "Fuzz", header, (Table(COLUMNS, list(rows(result))),), value)


def _counts(result: FuzzResult) -> Iterator[int]:
    for one in result.parsers:
        yield from one.counts.values()
