"""One run: fills a store, requests every page, and returns the result and its report."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Progress, RanOn, Report, Table, this_machine
from benchmarks.desk.asked import asked_of
from benchmarks.desk.fill import fill
from benchmarks.desk.measure import BOUND_MS, P95_BOUND_MS, TIMES, Timing, measured
from benchmarks.desk.world import OURS_EVERY, World

if TYPE_CHECKING:
    from sqlalchemy import Engine

FEWEST_PAGES: Final = 2_000
"""Least number of pages: smaller stores lack some kinds of pages."""
FEWEST_MATCHES: Final = 200
COLUMNS: Final = ("page", "ms", "95 %", "least–most", "of it database", "processor", "queries", "")


@dataclass(frozen=True, slots=True)
class DeskResult(RanOn):
    """The result of the desk benchmark. `pages` to `cases`: rows in the store. `settled`: whether the database
    has vacuumed it.
    """

    pages: int
    matches: int
    cases: int
    sites: int
    seed: int
    times: int
    settled: bool
    timings: tuple[Timing, ...]

    @property
    def over(self) -> tuple[Timing, ...]:
        return tuple(timing for timing in self.timings if timing.is_over)


def largest_matches(pages: int) -> int:
    """Most matches of a store of so many pages: each is of another page that is not ours."""
    return pages - pages // OURS_EVERY


def run_desk(
    engine: "Engine", world: World, *, times: int = TIMES, settled: bool = True, progress: Progress
) -> DeskResult:
    """Fills the empty store of `engine` and measures. Raises PageFailed."""
    cases = fill(engine, world, progress=progress, settled=settled)
    timings = tuple(measured(engine, asked_of(world, cases), times=times, progress=progress))
    return DeskResult(
        **this_machine(),
        pages=world.pages,
        matches=world.matches,
        cases=len(cases.cases),
        sites=world.sites,
        seed=world.seed,
        times=times,
        settled=settled,
        timings=timings,
    )


def report_of(result: DeskResult) -> Report:
    value = asdict(result) | {"bound_ms": BOUND_MS, "p95_bound_ms": P95_BOUND_MS}
    for shown, timing in zip(value["timings"], result.timings, strict=True):
        shown["over"] = timing.is_over
    header = (
        result.line,
        f"{result.pages:,} pages on {result.sites} sites, {result.matches:,} matches, {result.cases:,} cases.",
        f"Each page {result.times} times after one that is not counted; milliseconds of the server, by median.",
        f"The store {'is settled' if result.settled else 'was just filled: analysed, not vacuumed'}.",
        f"Median over {BOUND_MS:.0f} ms or 95th percentile over {P95_BOUND_MS:.0f}:"
        f" {len(result.over)} of {len(result.timings)}.",
    )
    return Report("desk", "The desk's speed", header, (Table(COLUMNS, [_row(one) for one in result.timings]),), value)


def _row(timing: Timing) -> tuple[str, ...]:
    return (
        timing.asked.name,
        f"{timing.median_ms:.0f}",
        f"{timing.p95_ms:.0f}",
        f"{timing.least_ms:.0f}–{timing.most_ms:.0f}",
        f"{timing.database_ms:.0f}",
        f"{timing.cpu_ms:.0f}",
        str(timing.queries),
        "over" if timing.is_over else "",
    )
