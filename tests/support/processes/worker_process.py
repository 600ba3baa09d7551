"""A worker as a child process of a test, and looks at what became of its work."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine

from crawler.processes.watched_process import ending_with_block
from storage.crawl import runs
from storage.engine import transaction
from storage.jobs import queue
from storage.jobs.queue import JobRecord
from storage.pages import pages
from storage.records.crawl import RunRecord
from storage.records.pages import PageRecord
from storage.records.sites import SiteSettings
from storage.sites import sites
from tests.support.processes.running_program import Running, running
from tests.support.store.store_reads import queue_counts

PATIENCE_S = 180.0
"""How long a test waits for what must come. The machine may have much else to do."""


def environment(url: str, home: Path, **more: str) -> dict[str, str]:
    """By wording, unless a test says otherwise: to load the encoder takes most programs longer than their work."""
    own = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home), "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8"}
    return {**os.environ, **own, "ZHIWEN_ENCODER": "off", **more}


@contextmanager
def program(
    url: str,
    home: Path,
    *arguments: str,
    log: IO[bytes] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """The program as a process of its own, with these arguments; killed at the end if it still runs."""
    child = subprocess.Popen(
        [sys.executable, "-m", "zhiwen", *arguments],
        env=environment(url, home),
        stderr=log,
        start_new_session=True,
    )
    with ending_with_block(child):
        yield child


def worker(
    url: str, home: Path, *, log: Path | None = None, settings: Mapping[str, str] | None = None
) -> AbstractContextManager[Running]:
    return running("worker", environment=environment(url, home, **(settings or {})), stderr=log)


def stop(child: Running) -> int:
    child.send_signal(signal.SIGTERM)
    return child.wait(PATIENCE_S)


def until(engine: Engine, claim: Callable[[], bool]) -> None:
    """Waits for what must come."""
    end = time.monotonic() + PATIENCE_S
    while not claim():
        if time.monotonic() > end:
            with transaction(engine) as session:
                pytest.fail(f"it did not come; the queue holds {queue.list_jobs(session)}")
        time.sleep(0.2)


def add_site(engine: Engine, web: str, name: str = "江城日报", path: str = "/news/1", *, delay_s: float = 0.0,
             browser: bool = False) -> int:  # fmt: skip
    host = urlsplit(web).netloc
    chosen = SiteSettings(name, (f"{web}{path}",), (host,), allow=("/news/", "/list"), delay_s=delay_s, browser=browser)
    with transaction(engine) as session:
        return sites.add_site(session, chosen).id


def queued(engine: Engine) -> list[JobRecord]:
    with transaction(engine) as session:
        return queue.list_jobs(session)


def crawls(engine: Engine) -> list[RunRecord]:
    with transaction(engine) as session:
        return runs.list_runs(session)


def stored(engine: Engine) -> list[PageRecord]:
    with transaction(engine) as session:
        return list(pages.list_pages(session))


def defer_crawl(engine: Engine, name: str = "江城日报") -> None:
    with transaction(engine) as session:
        queue.defer_crawl(session, name, trigger="test")


def nothing_waits(engine: Engine) -> bool:
    with transaction(engine) as session:
        found = queue_counts(session)
    return found["waiting"] == found["running"] == 0


def has_workers(engine: Engine) -> bool:
    with transaction(engine) as session:
        return queue.has_workers(session)
