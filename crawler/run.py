"""One crawl of one site, as a process of its own: a reactor starts once, and a crash harms nobody else."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings

from crawler import settings as scrapy_settings
from crawler.browser import BROWSER_SETTING, what_is_missing
from crawler.errors import BrowserMissing, CrawlFailed
from crawler.evidence.responses import HOME_SETTING
from crawler.guard import ALLOWED_NETWORKS_SETTING, Network
from crawler.run_settings import (
    ANSWER_WITHIN_SETTING,
    MAX_PAGES_SETTING,
    REVISIT_SETTING,
    RUN_ID_SETTING,
    TRIGGER_SETTING,
    USER_AGENT_SETTING,
)
from crawler.spider import SiteSpider
from crawler.store import DATABASE_URL_SETTING, CrawlStore
from storage.records import RunRecord

SITE_VARIABLE: Final = "ZHIWEN_CRAWLED_SITE"
POLL_S: Final = 0.5
STOP_WITHIN_S: Final = 10.0
"""From the request to stop until the process is killed. It loses nothing then: what was at hand is visited again."""

DIED: Final = "died"
STOPPED: Final = "shutdown"
"""Scrapy's word for a crawl that was told to stop."""
_LOG_TAIL: Final = 2_000


def crawl_site(
    database_url: str,
    site_name: str,
    *,
    allowed_networks: Iterable[Network] = (),
    user_agent: str | None = None,
    max_pages: int | None = None,
    revisit: bool = False,
    answer_within_s: float | None = None,
    home: Path | None = None,
    trigger: str,
    on_progress: Callable[[Mapping[str, int]], None] | None = None,
    stop: threading.Event | None = None,
) -> RunRecord:
    """Crawls the site and returns the record of the run; several may run side by side, each from its own thread.

    SIGINT and SIGTERM (in the main thread) or `stop` let the pages at hand be finished; the run's exit reason is then
    `shutdown`. Evidence is kept under `home`, or not at all. An answer that takes longer than `answer_within_s` is
    given up; by default, after half a minute. Raises CrawlFailed where the process ended without a
    report, BrowserMissing where the site needs what is not installed, storage's NotKnown for an unknown site.
    """
    told_to_stop = stop or threading.Event()
    store = CrawlStore(database_url, pool_size=2, stopping=told_to_stop)
    try:
        site = store.site(site_name)
        missing = what_is_missing() if site.settings.browser else None
        if missing is not None:
            raise BrowserMissing(site_name, missing)
        run_id = store.start_run(site.id, trigger=trigger)
        environment = {
            DATABASE_URL_SETTING: database_url,
            SITE_VARIABLE: site_name,
            RUN_ID_SETTING: str(run_id),
            TRIGGER_SETTING: trigger,
            ALLOWED_NETWORKS_SETTING: ",".join(map(str, allowed_networks)),
            MAX_PAGES_SETTING: str(max_pages or ""),
            REVISIT_SETTING: "1" if revisit else "",
            ANSWER_WITHIN_SETTING: "" if answer_within_s is None else str(answer_within_s),
            USER_AGENT_SETTING: user_agent or "",
            BROWSER_SETTING: "1" if site.settings.browser else "",
            **({HOME_SETTING: str(home)} if home is not None else {}),
        }
        with tempfile.TemporaryFile() as log, _child(environment, log) as child:
            _wait(child, store, run_id, on_progress, told_to_stop)
            return _report(child, store, run_id, log, was_told_to_stop=told_to_stop.is_set())
    finally:
        store.close()


@contextlib.contextmanager
def _child(environment: Mapping[str, str], log: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    child = subprocess.Popen(
        [sys.executable, "-m", "crawler.run"],
        env={**os.environ, **environment},
        # While this end is open the child knows that we live.
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=log,
        # Ctrl-C would reach it twice, by the terminal and by us, and twice means at once to Scrapy.
        start_new_session=True,
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
        child.wait()
        if child.stdin is not None:
            child.stdin.close()


def _wait(
    child: "subprocess.Popen[bytes]",
    store: CrawlStore,
    run_id: int,
    on_progress: Callable[[Mapping[str, int]], None] | None,
    stop: threading.Event,
) -> None:
    waited_since_stop = 0.0
    last: Mapping[str, int] = {}
    with _forwarded_signals(stop):
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(POLL_S)
                return
            if stop.is_set():
                if waited_since_stop == 0:
                    child.send_signal(signal.SIGTERM)
                waited_since_stop += POLL_S
                if waited_since_stop > STOP_WITHIN_S:
                    child.kill()
            counters = store.run(run_id).counters if on_progress else {}
            if on_progress and counters != last:
                on_progress(counters)
                last = counters


@contextlib.contextmanager
def _forwarded_signals(stop: threading.Event) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(
    child: "subprocess.Popen[bytes]", store: CrawlStore, run_id: int, log: IO[bytes], *, was_told_to_stop: bool
) -> RunRecord:
    run = store.run(run_id)
    if run.exit_reason is not None:
        return run
    if was_told_to_stop:
        # Before it could listen, or because it took too long: what was at hand is visited again.
        store.finish_run(run_id, run.counters, run.refusal_samples, exit_reason=STOPPED)
        return store.run(run_id)
    store.finish_run(run_id, run.counters, run.refusal_samples, exit_reason=DIED)
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - _LOG_TAIL))
    tail = log.read().decode("utf-8", "replace").strip()
    message = f"The crawl of {run.site_name} ended without a report (exit code {child.returncode})."
    raise CrawlFailed(f"{message} Its last words:\n{tail}" if tail else message)


def main() -> None:
    """The child: crawls what the environment says."""
    settings = Settings()
    settings.setmodule(scrapy_settings, priority="project")
    threading.Thread(target=_end_with_parent, daemon=True).start()
    process = CrawlerProcess(settings)
    process.crawl(SiteSpider, site=os.environ[SITE_VARIABLE])
    process.start()


def _end_with_parent() -> None:
    """A parent that was killed closes its end of our input; then nobody waits for us."""
    # Not through sys.stdin, whose lock would be held at exit.
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
