"""The measure of the desk as a table for people, as JSON and as a file. Pure but for `write`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.desk.measure import BOUND_MS, Timing

COLUMNS: Final = ("page", "ms", "least–most", "of it database", "processor", "queries", "")


@dataclass(frozen=True, slots=True)
class DeskResult:
    """What was measured, on what. `pages` to `cases`: rows in the store. `load`: of the machine, at the end."""

    version: str
    python: str
    machine: str
    cores: int
    load: float
    pages: int
    matches: int
    cases: int
    sites: int
    seed: int
    times: int
    timings: tuple[Timing, ...]

    @property
    def over(self) -> tuple[Timing, ...]:
        return tuple(timing for timing in self.timings if timing.is_over)


def ran_on_lines(result: DeskResult) -> Iterator[str]:
    yield f"Zhiwen {result.version}, Python {result.python}, {result.machine}, {result.cores} cores."
    yield f"Load of the machine at the end: {result.load:.1f}."
    yield f"{result.pages:,} pages on {result.sites} sites, {result.matches:,} matches, {result.cases:,} cases."
    yield f"Each page {result.times} times after one that is not counted; milliseconds of the server, by median."
    yield f"Over {BOUND_MS:.0f} ms: {len(result.over)} of {len(result.timings)}."


def rows(result: DeskResult) -> Iterator[Sequence[str]]:
    for timing in result.timings:
        yield (
            timing.asked.name,
            f"{timing.median_ms:.0f}",
            f"{timing.least_ms:.0f}–{timing.most_ms:.0f}",
            f"{timing.database_ms:.0f}",
            f"{timing.cpu_ms:.0f}",
            str(timing.queries),
            "over" if timing.is_over else "",
        )


def as_json(result: DeskResult) -> dict[str, Any]:
    value = asdict(result)
    value["bound_ms"] = BOUND_MS
    for shown, timing in zip(value["timings"], result.timings, strict=True):
        shown |= {"over": timing.is_over}
    return value


def as_markdown(result: DeskResult) -> str:
    lines = [COLUMNS, ("---", *["---:"] * (len(COLUMNS) - 2), "---"), *rows(result)]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join(("# The desk's speed", "", *ran_on_lines(result), "", table, ""))


def write(result: DeskResult, folder: Path) -> list[Path]:
    """Writes desk.json and desk.md; older ones are replaced. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "desk.json": json.dumps(as_json(result), ensure_ascii=False, indent=1) + "\n",
        "desk.md": as_markdown(result),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in contents]
