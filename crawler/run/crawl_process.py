"""One crawl of one site in a process of its own: a reactor starts once, and a crash affects nothing else."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings

from crawler import settings as scrapy_settings
from crawler.browser.availability import what_is_missing
from crawler.extraction.reader_pool import ReaderPool
from crawler.outcomes.errors import BrowserMissing, CrawlFailed
from crawler.processes import fork_server
from crawler.processes.pulse import Progress, Pulse
from crawler.processes.watched_process import ProcessOutput
from crawler.run.crawl_order import SITE_VARIABLE, CrawlOrder
from crawler.run.run_recorder import record_run
from crawler.run.run_watch import RunWatch
from crawler.spider.crawl_store import DATABASE_URL_SETTING, CrawlStore
from crawler.spider.run_settings import RUN_ID_SETTING
from crawler.spider.site_spider import SiteSpider
from storage import log_context
from storage.crawl import runs
from storage.records.crawl import RunRecord
from storage.sites import sites

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from twisted.internet.defer import Deferred

GRACE_S: Final = 5.0
"""For the pages in flight after the request to stop; then downloads are given up. A stop takes 10 s in all."""
LOG_FORMAT_VARIABLE: Final = "ZHIWEN_LOG_FORMAT"
"""A setting of the whole program, which the parent sets in our environment."""
LOG_LEVELS: Final = {"": logging.WARNING, "crawler": logging.INFO, "storage": logging.INFO, "scrapy": logging.WARNING}
"""Outcomes of addresses, and errors; Scrapy's own messages are the same in every run."""

DIED: Final = "died"
STOPPED: Final = "shutdown"
"""Scrapy's reason for a crawl that was stopped."""
_LOG_TAIL: Final = 2_000

CRAWL_NAME: Final = "zhiwen-crawl"
"""The name of the process in `multiprocessing`."""

_LOADED: Final = fork_server.modules_of(
    scrapy_settings.EXTENSIONS, scrapy_settings.DOWNLOADER_MIDDLEWARES, scrapy_settings.ITEM_PIPELINES
)
_CHILDREN: Final = fork_server.children(__name__, *_LOADED, "psycopg2")


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
    main()


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


def main() -> None:
    """The child: crawls what the environment says."""
    settings = Settings()
    settings.setmodule(scrapy_settings, priority="project")
    settings.set("LOG_LEVEL", "INFO", priority="cmdline")
    readers = ReaderPool(at_once=True)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    process = _Process(settings)
    log_context.all_about(part="crawl", run=os.environ.get(RUN_ID_SETTING), site=os.environ[SITE_VARIABLE])
    secrets = log_context.secrets_of_address(os.environ.get(DATABASE_URL_SETTING))
    log_context.install_formatter(os.environ.get(LOG_FORMAT_VARIABLE, "text"), secrets)
    for name, level in LOG_LEVELS.items():
        logging.getLogger(name).setLevel(level)
    progress = Progress(socket.socket(fileno=os.dup(0)))
    process.crawl(SiteSpider, site=os.environ[SITE_VARIABLE], readers=readers, progress=progress)
    process.start()


class _Process(CrawlerProcess):
    """Lets the spider give up after a grace period. Scrapy cancels its own wait for the spider's next request, which
    the spider notices only while it makes one.
    """

    def stop(self) -> "Deferred[Any]":
        for crawler in self.crawlers:
            if isinstance(crawler.spider, SiteSpider):
                asyncio.get_running_loop().call_later(GRACE_S, crawler.spider.give_up)
        return super().stop()


def _end_with_parent() -> None:
    """Ends this process with its parent: a parent that was killed closes its end of our input."""
    # Not through sys.stdin: its lock would be taken at exit.
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
