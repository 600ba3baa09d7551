"""Runs the benchmark of discovery: the web, its search service, and each site in turn as ours."""

import json
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.common.report import Progress, this_machine
from benchmarks.discovery.environment import environment
from benchmarks.discovery.made_up import write_made_up
from benchmarks.discovery.metasearch import Document, searching
from benchmarks.discovery.program import Program
from benchmarks.discovery.result import Discovered, keep_turn, turns_before
from benchmarks.discovery.turn import Setting, run_turn
from benchmarks.discovery.web import serving
from benchmarks.discovery.world import Request, world_in
from storage.embedded import server

COPIES: Final = 300
FORBIDDEN: Final = 24
"""Copies that robots.txt forbids; they are not to be found."""
UNASKED: Final = "unasked.json"
"""Queries when nothing may be sent: measured once for all sites."""
MADE_UP_COPIES: Final = 12
MADE_UP_FORBIDDEN: Final = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What is measured. `data`: None for a made-up web. `folder`: of all files; `searxng`: of its environment.

    `turns`: names with which sites begin that are ours in turn; none: all. `least`: copies that are enough if the sites
    have no more articles. `articles`: of a site that are asked about at most, those with known copies first; None: all.
    """

    data: Path | None
    folder: Path
    searxng: Path
    seed: int
    sites: tuple[str, ...] = ()
    copies: int = COPIES
    forbidden: int = FORBIDDEN
    turns: tuple[str, ...] = ()
    least: int | None = None
    articles: int | None = None


def run_discovery(order: Order, *, progress: Progress) -> Discovered:
    """Measure each site in turn; those with a result in the folder are not measured again.

    Raises NotInstalled, NotStarted, TooFewSources, CommandFailed and OSError.
    """
    folder = order.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    progress("environment of the search service", 0, 1)
    python = environment(order.searxng.resolve())
    data = write_made_up(folder / "made-up") if order.data is None else order.data.resolve()
    request = Request(order.seed, order.copies, order.forbidden, order.sites, order.least)
    world = world_in(data, folder / "world", request, progress=progress)
    with ExitStack() as stack:
        served = stack.enter_context(serving((*world.sites, *world.hosts), folder))
        progress("pages indexed", 0, len(world.pages))
        documents = [
            Document(f"{served.addresses[page.site]}{page.path}", page.title, page.text) for page in world.pages
        ]
        service = stack.enter_context(searching(python, documents, folder / "search"))
        return _in_turn(order, Setting(world, served, service), folder, progress)


def _in_turn(order: Order, setting: Setting, folder: Path, progress: Progress) -> Discovered:
    done = turns_before(folder)
    chosen = [one for one in setting.world.sites if one.name.startswith(order.turns or "")]
    for number, ours in enumerate(chosen):
        progress(f"sites that were ours, now {ours.name}", number, len(chosen))
        if ours.name in done:
            continue
        home = _empty(folder / "home")
        try:
            done[ours.name] = run_turn(setting, ours, Program(home), most=order.articles)
        finally:
            _deleted(home)
        keep_turn(folder, done[ours.name])
    kept = folder / UNASKED
    if not kept.exists():
        kept.write_text(json.dumps(_unasked(setting, folder)), "utf-8")
    off, over = json.loads(kept.read_text("utf-8"))
    turns = [done[one.name] for one in chosen]
    planted = sum(not one.is_forbidden for one in setting.world.planted)
    return Discovered(this_machine(), order.seed, planted, turns, off, over)


def _unasked(setting: Setting, folder: Path) -> tuple[int, int]:
    """Return the queries that are sent without a service, and those with a budget of none."""
    ours = setting.world.sites[0]
    home = _empty(folder / "home")
    program = Program(home)
    try:
        program.run("site", "add", f"{setting.served.addresses[ours.name]}{ours.prefix}/", "--name", "ours",
                    "--role", "original", "--delay", "0", "--yes")  # fmt: skip
        program.run("crawl", "ours", "--max-pages", "10")
        before = len(setting.service.queries())
        # Without a service the command says how to set one up, and ends with an error.
        program.run("discover", "ours", "--json", expected=(1,))
        off = len(setting.service.queries())
        program.write_services(setting.service.url, queries_a_month=0)
        program.run("discover", "ours", "--json")
        return off - before, len(setting.service.queries()) - off
    finally:
        _deleted(home)


def _empty(home: Path) -> Path:
    _deleted(home)
    home.mkdir(parents=True)
    return home


def _deleted(home: Path) -> None:
    if home.exists():
        server.delete(home)
        shutil.rmtree(home, ignore_errors=True)
