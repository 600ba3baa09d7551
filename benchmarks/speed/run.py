"""One run: steps and peers in turns, searches and stores size by size, and the results as one value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.common.report import Progress, RanOn, this_machine
from benchmarks.speed.steps.crawl import Crawled, measure_crawl
from benchmarks.speed.steps.imports import Checked, Imported, measure_checks, measure_import
from benchmarks.speed.steps.judging import judging_stages
from benchmarks.speed.steps.lookups import StoreAsked, ask
from benchmarks.speed.steps.memory import Flat, Memory, memory_of, memory_over, rates_of_processes
from benchmarks.speed.steps.peers import MINHASH, NAIVE, peers
from benchmarks.speed.steps.pipeline_stages import WHOLE, alignment_stages, fingerprint_stages
from benchmarks.speed.steps.rematch import Swept, WorkedOff, measure_sweep, measure_workers
from benchmarks.speed.steps.search_rounds import Searched, measure_searches
from benchmarks.speed.steps.timing import ROUNDS, Ratio, Timed, in_turns, ratio, spread
from benchmarks.speed.store.material import CHARS, Material, material_of
from benchmarks.speed.store.stores import Stores


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
        """Speed of the whole fingerprint relative to each peer, and of two processes relative to one."""
        ours = self.timed(WHOLE)
        found = {
            f"fingerprint : {name}": ratio(ours, theirs)
            for name in (NAIVE, MINHASH)
            if ours is not None and (theirs := self.timed(name)) is not None
        }
        if self.processes:
            found["two processes : one"] = spread([both / alone for alone, both in self.processes])
        return found


SMALLEST: Final = 10_000
LARGEST: Final = 1_000_000
CODES_BEYOND: Final = 10
"""Times as many codes as the largest store has pages are searched: a table of codes alone is small."""
SHARE: Final = 100
"""Texts a round."""
IMPORTED: Final = 2_000
CHECKED: Final = 200
ALONE: Final = 5
SWEPT: Final = 1_024
FLAT: Final = 100_000
CRAWLED: Final = 1_000


def sizes_up_to(scale: int) -> list[int]:
    """Powers of ten from the smallest store on, and `scale` itself."""
    sizes, size = [], min(SMALLEST, scale)
    while size < scale:
        sizes.append(size)
        size *= 10
    return [*sizes, scale]


def run_speed(
    corpus: Callable[[], Sequence[str] | None], *, scale: int, folder: Path, seed: int, progress: Progress
) -> SpeedResult:
    """Fills stores of up to `scale` pages in `folder`, or uses existing ones. Raises CommandFailed."""
    stores = Stores(folder, lambda: material_of(corpus(), seed=seed), seed=seed)
    material = stores.material
    steps = measure_steps(material, rounds=ROUNDS, share=SHARE, progress=progress)
    searched, asked, imported, checked, swept = [], [], [], [], []
    worked_off: Sequence[WorkedOff] = ()
    sizes = sizes_up_to(scale)
    for size in (*sizes, scale * CODES_BEYOND):
        searched += measure_searches(stores, size, seed=seed, progress=progress)
    for size in sizes:
        with stores.opened(size, progress=progress) as engine:
            asked.append(ask(engine, material, pages=size, progress=progress))
            texts = [probe.text for probe in material.probes[:CHECKED]]
            checked.append(measure_checks(stores.home(size), texts, pages=size, alone=ALONE))
            progress(f"import into {size:,} pages", 0, IMPORTED)
            imported.append(measure_import(engine, stores.home(size), pages=size, count=IMPORTED))
            progress(f"sweep of {size:,} pages", 0, SWEPT)
            swept.append(measure_sweep(engine, material.texts[:SWEPT], pages=size, seed=seed))
            if size == sizes[0]:
                worked_off = measure_workers(engine, stores.home(size))
    progress("crawl", 0, CRAWLED)
    return SpeedResult(
        ran_on=steps.ran_on,
        timings=steps.timings,
        processes=tuple(rates_of_processes(material.texts[: 10 * SHARE], rounds=ROUNDS)),
        memory=tuple(memory_of([NAIVE, MINHASH] if not steps.ran_on.missing else [], material.texts[:SHARE])),
        flat=memory_over(material.texts, min(FLAT, scale)),
        searches=tuple(searched),
        stores=tuple(asked),
        imports=tuple(imported),
        checks=tuple(checked),
        crawl=measure_crawl(CRAWLED),
        sweeps=tuple(swept),
        workers=tuple(worked_off),
    )


def measure_steps(material: Material, *, rounds: int, share: int, progress: Progress) -> SpeedResult:
    """Measures every step and every peer in turns, on the same texts; needs no database."""
    others, missing = peers(material.texts, share=share)
    ours = [*fingerprint_stages(material.texts, share=share), *alignment_stages(material), *judging_stages(material)]
    tasks = [*ours, *others]
    timings = in_turns(tasks, rounds=rounds, progress=lambda done, whole: progress("rounds", done, whole))
    ran_on = SpeedRanOn(
        **this_machine(),
        seed=0,
        chars=CHARS,
        is_made_up=material.is_made_up,
        missing=tuple(missing),
    )
    return SpeedResult(ran_on, timings)
