"""One run: steps and peers in turns, searches and stores size by size, and the results as one value."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from benchmarks.common.report import Progress, RanOn, this_machine
from benchmarks.speed.steps.backlog import Emptied, measure_backlog
from benchmarks.speed.steps.candidates import CandidatesAsked, ask_candidates
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
from benchmarks.speed.store.text_generator import articles


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
    fingerprints: tuple[CandidatesAsked, ...] = ()
    imports: tuple[Imported, ...] = ()
    checks: tuple[Checked, ...] = ()
    crawl: Crawled | None = None
    sweeps: tuple[Swept, ...] = ()
    workers: tuple[WorkedOff, ...] = ()
    backlogs: tuple[Emptied, ...] = ()

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
BACKLOG: Final = 8_000
"""Articles of a corpus that are imported and then compared, or as many as there are; made-up ones are a quarter."""


def sizes_up_to(scale: int) -> list[int]:
    """Powers of ten from the smallest store on, and `scale` itself."""
    sizes, size = [], min(SMALLEST, scale)
    while size < scale:
        sizes.append(size)
        size *= 10
    return [*sizes, scale]


class Part(StrEnum):
    """What can be measured by itself."""

    STEPS = "steps"
    MEMORY = "memory"
    SEARCHES = "searches"
    CHECKS = "checks"
    COMMANDS = "commands"
    REMATCH = "rematch"
    BACKLOG = "backlog"
    CRAWL = "crawl"


def run_speed(
    corpus: Callable[[], Sequence[str] | None],
    *,
    scale: int,
    folder: Path,
    seed: int,
    parts: Collection[Part] = tuple(Part),
    fingerprints: int = 0,
    progress: Progress,
) -> SpeedResult:
    """Fills stores of up to `scale` pages in `folder`, or uses existing ones; with `fingerprints` also one of so many
    fingerprints alone, for candidates. Raises CommandFailed and NoRoom.
    """
    stores = Stores(folder, lambda: material_of(corpus(), seed=seed), seed=seed)
    material, sizes = stores.material, sizes_up_to(scale)
    rounds = ROUNDS if Part.STEPS in parts else 0
    result = measure_steps(material, rounds=rounds, share=SHARE, progress=progress)
    if Part.MEMORY in parts:
        others = [NAIVE, MINHASH] if not result.ran_on.missing else []
        result = replace(
            result,
            processes=tuple(rates_of_processes(material.texts[: 10 * SHARE], rounds=ROUNDS)),
            memory=tuple(memory_of(others, material.texts[:SHARE])),
            flat=memory_over(material.texts, min(FLAT, scale)),
        )
    if Part.SEARCHES in parts:
        searched = [
            measure_searches(stores, size, seed=seed, progress=progress) for size in (*sizes, scale * CODES_BEYOND)
        ]
        result = replace(result, searches=tuple(one for of_size in searched for one in of_size))
    for size in sizes if {Part.CHECKS, Part.COMMANDS, Part.REMATCH}.intersection(parts) else ():
        result = _of_store(result, stores, size, is_first=size == sizes[0], parts=parts, seed=seed, progress=progress)
    if fingerprints:
        with stores.opened_fingerprints(fingerprints, progress=progress) as engine:
            asked = ask_candidates(engine, material, texts=fingerprints, progress=progress)
        result = replace(result, fingerprints=(asked,))
    if Part.BACKLOG in parts:
        given = corpus()
        backlog = articles(seed, BACKLOG // 4, CHARS) if given is None else given[:BACKLOG]
        result = replace(result, backlogs=tuple(measure_backlog(backlog, seed=seed, progress=progress)))
    if Part.CRAWL in parts:
        progress("crawl", 0, CRAWLED)
        result = replace(result, crawl=measure_crawl(CRAWLED))
    return result


def _of_store(
    result: SpeedResult,
    stores: Stores,
    size: int,
    *,
    is_first: bool,
    parts: Collection[Part],
    seed: int,
    progress: Progress,
) -> SpeedResult:
    """The result with what was measured in the store of this size."""
    material, home = stores.material, stores.home(size)
    with stores.opened(size, progress=progress) as engine:
        if Part.CHECKS in parts:
            asked = ask(engine, material, pages=size, progress=progress)
            result = replace(result, stores=(*result.stores, asked))
        if Part.COMMANDS in parts:
            texts = [probe.text for probe in material.probes[:CHECKED]]
            checked = measure_checks(home, texts, pages=size, alone=ALONE)
            progress(f"import into {size:,} pages", 0, IMPORTED)
            imported = measure_import(engine, home, pages=size, count=IMPORTED)
            result = replace(result, checks=(*result.checks, checked), imports=(*result.imports, imported))
        if Part.REMATCH in parts:
            progress(f"sweep of {size:,} pages", 0, SWEPT)
            swept = measure_sweep(engine, material.texts[:SWEPT], pages=size, seed=seed)
            worked_off = tuple(measure_workers(engine, home)) if is_first else ()
            result = replace(result, sweeps=(*result.sweeps, swept), workers=(*result.workers, *worked_off))
    return result


def measure_steps(material: Material, *, rounds: int, share: int, progress: Progress) -> SpeedResult:
    """Measures every step and every peer in turns, on the same texts; needs no database. Without rounds it only
    describes the machine.
    """
    others, missing = peers(material.texts, share=share)
    ours = [*fingerprint_stages(material.texts, share=share), *alignment_stages(material), *judging_stages(material)]
    tasks = [*ours, *others] if rounds else []
    timings = (
        in_turns(tasks, rounds=rounds, progress=lambda done, whole: progress("rounds", done, whole)) if tasks else ()
    )
    ran_on = SpeedRanOn(
        **this_machine(),
        seed=0,
        chars=CHARS,
        is_made_up=material.is_made_up,
        missing=tuple(missing),
    )
    return SpeedResult(ran_on, timings)
