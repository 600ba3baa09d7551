"""One run: a store is filled, every page is asked for, and what came of it is one value."""

import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from benchmarks.desk.asked import asked_of
from benchmarks.desk.fill import fill
from benchmarks.desk.measure import TIMES, measured
from benchmarks.desk.report import DeskResult
from benchmarks.desk.world import OURS_EVERY, World

if TYPE_CHECKING:
    from sqlalchemy import Engine

FEWEST_PAGES: Final = 2_000
"""Below, not every kind of page is there to be asked for."""
FEWEST_MATCHES: Final = 200


def largest_matches(pages: int) -> int:
    """How many matches a store of so many pages may have: each is of another page that is not ours."""
    return pages - pages // OURS_EVERY


def run_desk(
    engine: "Engine", world: World, *, times: int = TIMES, tell: Callable[[str, int, int], None]
) -> DeskResult:
    """Fills the empty store of `engine` and measures. Raises PageFailed."""
    cases = fill(engine, world, tell=tell)
    timings = tuple(measured(engine, asked_of(world, cases), times=times, tell=tell))
    return DeskResult(
        version=version("zhiwen"),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count() or 1,
        load=os.getloadavg()[0],
        pages=world.pages,
        matches=world.matches,
        cases=len(cases.cases),
        sites=world.sites,
        seed=world.seed,
        times=times,
        timings=timings,
    )
