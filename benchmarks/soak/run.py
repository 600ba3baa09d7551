"""Runs the soak: all of Zhiwen against a web that changes constantly, then a rest in which it catches up."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from benchmarks.common.processes import parent_of
from benchmarks.common.report import Progress, RanOn, this_machine
from benchmarks.soak.balance import Balance, balance_of
from benchmarks.soak.load import Sample, sampled
from benchmarks.soak.server import serving
from benchmarks.soak.world import SoakSite, World
from crawler.network.loopback_server import LOOPBACK
from crawler.processes.watched_process import ending_with_block
from storage.analytics.ledger import ledger
from storage.engine import transaction
from storage.jobs import queue, schedules
from storage.matches import backlog
from storage.postgres.statement_stats import server_process
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import Rights, SiteRole

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

SAMPLE_EVERY_S: Final = 15.0
SETTLE_WITHIN_S: Final = 3_600.0
LOOK_EVERY_S: Final = 2.0
STOP_WITHIN_S: Final = 60.0
RULE: Final = "every 2 min"
BESIDE: Final = frozenset({queue.CAPTURE, queue.CHECK_CASE_PAGES, queue.RECHECK})
"""Captures make one request a second at each site: remaining ones are counted, and not waited for."""


class NotSettled(Exception):
    """Zhiwen did not finish its work within the time limit, or its process ended."""


@dataclass(frozen=True, slots=True)
class SoakResult(RanOn):
    """`minutes`: for which things happened. `settled_s`: from then until nothing was left to do."""

    seed: int
    minutes: float
    acts_a_minute: float
    acts: Mapping[str, int]
    settled_s: float
    stopped_with: int
    samples: tuple[Sample, ...]
    balance: Balance


def run_soak(
    settings: "Settings",
    engine: "Engine",
    *,
    minutes: float,
    acts_a_minute: float,
    seed: int,
    progress: Progress,
    log: Path,
) -> SoakResult:
    """Blocks for `minutes` and until all is done that they left to do. Raises NotSettled. `log`: of all processes."""
    world, stop = World(seed), Event()
    with serving(world) as addresses, _up(settings, log) as up:
        _add_sites(engine, world, addresses)
        watch = _Watch(engine, settings.home, up.pid, parent_of(server_process(engine)))
        _act(world, watch, stop, minutes=minutes, acts_a_minute=acts_a_minute, seed=seed, progress=progress)
        began = monotonic()
        _settle(engine, up, world, watch, progress)
        settled_s = monotonic() - began
        watch.sample()
        with transaction(engine) as session:
            balance = balance_of(world, addresses, ledger(session))
        up.send_signal(signal.SIGINT)
        code = up.wait(STOP_WITHIN_S)
    return SoakResult(
        **this_machine(),
        seed=seed,
        minutes=minutes,
        acts_a_minute=acts_a_minute,
        acts=dict(world.acts),
        settled_s=round(settled_s, 1),
        stopped_with=code,
        samples=tuple(watch.samples),
        balance=balance,
    )


class _Watch:
    def __init__(self, engine: "Engine", home: Path, up_pid: int, postgres_pid: int) -> None:
        self._of = (engine, home, up_pid, postgres_pid)
        self._began = self._last = monotonic()
        self.samples: list[Sample] = []

    def sample(self) -> None:
        self._last = monotonic()
        self.samples.append(sampled(*self._of, elapsed_s=self._last - self._began))

    def sample_if_due(self) -> None:
        if monotonic() - self._last >= SAMPLE_EVERY_S:
            self.sample()


@contextmanager
def _up(settings: "Settings", log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Starts all of Zhiwen on the store of `settings`, without screenshots: the browser is not measured."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ZHIWEN_")}
    environment.pop("DATABASE_URL", None)
    environment |= {
        "ZHIWEN_HOME": str(settings.home),
        "ZHIWEN_ALLOWED_NETWORKS": str(LOOPBACK[0]),
        "ZHIWEN_POSTGRES_FSYNC": "off",
        "PATH": str(settings.home),
    }
    with log.open("wb") as file:
        child = subprocess.Popen(
            [sys.executable, "-m", "zhiwen", "up", "--port", "0"], env=environment, stderr=file, start_new_session=True
        )
        with ending_with_block(child):
            yield child


def _add_sites(engine: "Engine", world: World, addresses: Mapping[str, str]) -> None:
    with transaction(engine) as session:
        for site in world.sites.values():
            added = sites.add_site(session, _settings_of(site, addresses[site.name]), owner=f"{site.name}社")
            schedules.set_schedule(session, added.id, RULE, now=queue.database_time(session))


def _settings_of(site: SoakSite, address: str) -> SiteSettings:
    return SiteSettings(
        name=site.name,
        start_urls=(f"{address}/",),
        hosts=(address.partition("://")[2],),
        role=site.role,
        sitemaps=(f"{address}/sitemap.xml",),
        feeds=(f"{address}/feed.xml",),
        delay_s=0.0,
        rights=Rights.OWN if site.role is SiteRole.ORIGINAL else Rights.UNKNOWN,
    )


def _act(
    world: World, watch: _Watch, stop: Event, *, minutes: float, acts_a_minute: float, seed: int, progress: Progress
) -> None:
    chance, began = random.Random(seed), monotonic()  # when things happen
    whole = round(minutes * 60)
    while (elapsed := monotonic() - began) < whole:
        world.act(datetime.now(UTC))
        watch.sample_if_due()
        progress("seconds of publishing, copying, changing, removing", round(elapsed), whole)
        stop.wait(chance.expovariate(acts_a_minute / 60))


def _settle(engine: "Engine", up: "subprocess.Popen[bytes]", world: World, watch: _Watch, progress: Progress) -> None:
    """Stops all changes, crawls every page once more, and waits until everything is compared."""
    with transaction(engine) as session:
        for name in world.sites:
            schedules.pause(session, sites.get_site(session, name).id, paused=True)
    _wait_until_idle(engine, up, watch, progress)
    with transaction(engine) as session:
        for name in world.sites:
            queue.defer_crawl(session, name, trigger="soak", revisit=True)
    _wait_until_idle(engine, up, watch, progress)


def _wait_until_idle(engine: "Engine", up: "subprocess.Popen[bytes]", watch: _Watch, progress: Progress) -> None:
    until = monotonic() + SETTLE_WITHIN_S
    most = 1
    while monotonic() < until:
        if up.poll() is not None:
            raise NotSettled(f"`zhiwen up` ended with {up.returncode}")
        with transaction(engine) as session:
            found = queue.list_jobs(session, states=(queue.WAITING, queue.RUNNING))
            left = sum(job.task not in BESIDE for job in found) + backlog.waiting(session)
        most = max(most, left)
        progress("jobs and pages left to do", most - left, most)
        if not left:
            return
        watch.sample_if_due()
        Event().wait(LOOK_EVERY_S)
    with transaction(engine) as session:
        raise NotSettled(f"after {SETTLE_WITHIN_S:.0f} s there is still to do: {queue.list_jobs(session)}")
