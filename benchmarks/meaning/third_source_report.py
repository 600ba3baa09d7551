"""The table of `bench meaning --third-source`."""

from typing import Any, Final

from benchmarks.common.report import RanOn, Report, Table, this_machine
from benchmarks.meaning.statistics import Rate
from benchmarks.meaning.third_source import COPIED, RETOLD, SECOND, ThirdSourceResult

BOTH, COPY = "both from the third", "copy"
GOALS: Final = ((BOTH, (SECOND, RETOLD), 16 / 18), (COPY, (COPIED,), 0.95))
"""What pairs should be called, their kinds, and the share of those asked that should be called so."""
COLUMNS: Final = ("asked", "disguise", "found", "called so", "share", "95 % interval", "goal")


def third_source_report(result: ThirdSourceResult, seed: int) -> Report:
    machine = this_machine()
    header = [RanOn(**machine).line, f"{sum(result.asked.values())} asked, seed {seed}."]
    rows = [
        _row(kind, disguise, result.found[kind, disguise], Rate(result.right[kind, disguise], count), "")
        for (kind, disguise), count in result.asked.items()
    ]
    sums = [
        _row(f"should be called {name}", "", found, rate, f"≥ {goal:.2f}") for name, found, rate, goal in _sums(result)
    ]
    table = Table(COLUMNS, [*sums, *rows], "Relations with the common source stored")
    return Report("third-source", "The common third source", header, [table], {**machine, **_value(result, seed)})


def _sums(result: ThirdSourceResult) -> list[tuple[str, int, Rate, float]]:
    sums = []
    for name, kinds, goal in GOALS:
        keys = [key for key in result.asked if key[0] in kinds]
        asked, found, right = (
            sum(counts[key] for key in keys) for counts in (result.asked, result.found, result.right)
        )
        sums.append((name, found, Rate(right, asked), goal))
    return sums


def _row(kind: str, disguise: str, found: int, right: Rate, goal: str) -> tuple[str, ...]:
    interval = f"{right.low:.3f}–{right.high:.3f}"
    of_asked = f"{found} of {right.count}"
    return kind, disguise, of_asked, str(right.hits), f"{right.share:.3f}", interval, goal


def _value(result: ThirdSourceResult, seed: int) -> dict[str, Any]:
    goals = [
        {"name": name, "found": found, "right": rate.hits, "asked": rate.count, "at_least": goal}
        for name, found, rate, goal in _sums(result)
    ]
    kinds = [
        {"kind": key[0], "disguise": key[1], "asked": count, "found": result.found[key], "right": result.right[key]}
        for key, count in result.asked.items()
    ]
    return {"seed": seed, "goals": goals, "kinds": kinds}
