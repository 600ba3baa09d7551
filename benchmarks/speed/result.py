"""What one run measured. Frozen; as JSON it is this, field by field."""

from dataclasses import dataclass

from benchmarks.common.report import RanOn
from benchmarks.speed.steps.crawl import Crawled
from benchmarks.speed.steps.imports import Checked, Imported
from benchmarks.speed.steps.lookups import StoreAsked
from benchmarks.speed.steps.memory import Flat, Memory
from benchmarks.speed.steps.peers import MINHASH, NAIVE
from benchmarks.speed.steps.pipeline_stages import WHOLE
from benchmarks.speed.steps.rematch import Swept, WorkedOff
from benchmarks.speed.steps.search_rounds import Searched
from benchmarks.speed.steps.timing import Ratio, Timed, ratio, spread


@dataclass(frozen=True, slots=True)
class SpeedRanOn(RanOn):
    seed: int
    chars: int
    """Of each text."""
    is_made_up: bool
    missing: tuple[str, ...]
    """Packages of peers that are not installed."""


@dataclass(frozen=True, slots=True)
class SpeedResult:
    """`processes`: fingerprints a second with one process and with two, round by round."""

    ran_on: SpeedRanOn
    timings: tuple[Timed, ...]
    processes: tuple[tuple[float, float], ...] = ()
    memory: tuple[Memory, ...] = ()
    flat: Flat | None = None
    searches: tuple[Searched, ...] = ()
    stores: tuple[StoreAsked, ...] = ()
    imports: tuple[Imported, ...] = ()
    checks: tuple[Checked, ...] = ()
    crawl: Crawled | None = None
    sweeps: tuple[Swept, ...] = ()
    workers: tuple[WorkedOff, ...] = ()

    def timed(self, name: str) -> Timed | None:
        return next((timing for timing in self.timings if timing.name == name), None)

    @property
    def ratios(self) -> dict[str, Ratio]:
        """How many times as fast the whole fingerprint is as each peer, and two processes as one."""
        ours = self.timed(WHOLE)
        found = {
            f"fingerprint : {name}": ratio(ours, theirs)
            for name in (NAIVE, MINHASH)
            if ours is not None and (theirs := self.timed(name)) is not None
        }
        if self.processes:
            found["two processes : one"] = spread([both / alone for alone, both in self.processes])
        return found
