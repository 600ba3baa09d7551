"""One crawl of one site in a process of its own: a reactor starts once, and a crash affects nothing else."""

import contextlib
import importlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler import settings as scrapy_settings
from crawler.browser.availability import what_is_missing
from crawler.outcomes.errors import BrowserMissing, CrawlFailed
from crawler.processes import fork_server
from crawler.processes.pulse import Pulse
from crawler.processes.watched_process import ProcessOutput
from crawler.run.crawl_order import CrawlOrder
from crawler.run.run_row import record_run
from crawler.run.run_watch import RunWatch
from crawler.spider.crawl_store import CrawlStore
from storage.crawl import runs
from storage.records.crawl import RunRecord
from storage.sites import sites

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

DIED: Final = "died"
STOPPED: Final = "shutdown"
"""Scrapy's reason for a crawl that was stopped."""
_LOG_TAIL: Final = 2_000

CRAWL_NAME: Final = "zhiwen-crawl"
"""The name of the process in `multiprocessing`."""

PROGRAM: Final = "crawler.run.crawl_program"
"""The module that crawls, which the process of a crawl alone loads."""

_LOADED: Final = fork_server.modules_of(
    scrapy_settings.EXTENSIONS, scrapy_settings.DOWNLOADER_MIDDLEWARES, scrapy_settings.ITEM_PIPELINES
)
_CHILDREN: Final = fork_server.children(__name__, PROGRAM, *_LOADED, "psycopg2")


def crawl_site(
    order: CrawlOrder,
    *,
    on_progress: Callable[[Mapping[str, int]], None] | None = None,
    stop: threading.Event | None = None,
) -> RunRecord:
    """Crawls the site and returns the record of the run; several may run side by side, each from its own thread.

    SIGINT and SIGTERM (in the main thread) or `stop` let the pages in flight be finished; the run's exit reason is then
    `shutdown`, or names the bound that was passed. `on_progress` receives the counters of the run when they change.
    The output of the process is kept with the run. Raises CrawlFailed if the process ended without a report,
    BrowserMissing if the site needs a browser and none is installed, storage's NotKnown for an unknown site.
    """
    asked_to_stop = stop or threading.Event()
    store = CrawlStore(order.database_url, pool_size=2, stopping=asked_to_stop)
    try:
        site = store.do(sites.get_site, order.site)
        missing = what_is_missing() if site.settings.browser else None
        if missing is not None:
            raise BrowserMissing(order.site, missing)
        run_id = store.do(runs.start_run, site.id, trigger=order.trigger)
        with crawl_process(order.environment(run_id, in_browser=site.settings.browser)) as (child, output):
            return _watched(RunWatch(child, store, run_id, output, asked_to_stop, order.bounds, on_progress))
    finally:
        store.close()


@contextlib.contextmanager
def crawl_process(environment: Mapping[str, str]) -> Iterator[tuple["BaseProcess", ProcessOutput]]:
    """The process of a crawl, with these variables beside our own, and its output; it ends with the block."""
    # An open connection means that the parent lives; it also carries the child's heartbeats.
    its_input, alive = _CHILDREN.Pipe(duplex=True)
    listened_to, its_errors = _CHILDREN.Pipe(duplex=False)
    child = _CHILDREN.Process(
        target=_become_crawl, args=({**os.environ, **environment}, its_input, its_errors), name=CRAWL_NAME
    )
    with alive:
        with its_input, its_errors:
            child.start()
        try:
            yield child, ProcessOutput(listened_to, pulse=Pulse(alive))
        finally:
            child.kill()
            child.join()
            child.close()


def _become_crawl(environment: Mapping[str, str], given: Connection, errors: Connection) -> None:
    # Ctrl-C would reach it twice, by the terminal and by us; the second makes Scrapy stop at once.
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    with Path(os.devnull).open("wb") as nowhere, given, errors:
        for number, taken in enumerate((given.fileno(), nowhere.fileno(), errors.fileno())):
            os.dup2(taken, number)
    importlib.import_module(PROGRAM).main()


def _watched(watch: RunWatch) -> RunRecord:
    watch.wait()
    try:
        return _report(watch)
    finally:
        watch.keep_log()


def _report(watch: RunWatch) -> RunRecord:
    run = watch.run()
    # A crawl that ended by itself just before it was stopped has ended.
    ended = watch.passed if run.exit_reason in (None, STOPPED) else None
    if run.exit_reason is not None and ended is None:
        return run
    if ended is None and watch.stop.is_set():
        # Before it could react, or because it took too long: what was in flight is visited again.
        ended = STOPPED
    watch.store.do(record_run, run.id, run.counters, run.refusal_samples, ended or DIED)
    if ended is not None:
        return watch.run()
    message = f"The crawl of {run.site_name} ended without a report (exit code {watch.child.exitcode})."
    tail = watch.output.last_words(_LOG_TAIL)
    raise CrawlFailed(f"{message} Its last words:\n{tail}" if tail else message)
