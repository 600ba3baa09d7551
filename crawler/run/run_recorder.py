"""The record of a run, written beside its crawl."""

import logging
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call, run_in_thread
from scrapy.utils.defer import _schedule_coro

from crawler.browser.availability import COUNTED
from crawler.run.run_row import record_run
from crawler.spider.site_crawl import SiteCrawl, crawl_of, end_without_store

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

RECORD_EVERY_S: Final = 10.0

log = logging.getLogger(__name__)


class RunRecorder:
    """Writes the counters of the run into its row while it goes, so that a killed run still shows its progress."""

    def __init__(self, crawler: "Crawler", crawl: SiteCrawl) -> None:
        self._crawler = crawler
        self._crawl = crawl
        self._looping = create_looping_call(self._record_soon)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "RunRecorder":
        crawl = crawl_of(crawler)
        if crawl is None:
            raise NotConfigured
        recorder = cls(crawler, crawl)
        crawler.signals.connect(recorder._opened, signal=signals.spider_opened)
        crawler.signals.connect(recorder._closed, signal=signals.spider_closed)
        crawler.signals.connect(recorder._item_failed, signal=signals.item_error)
        return recorder

    def _opened(self) -> None:
        self._looping.start(self._crawler.settings.getfloat("ZHIWEN_RECORD_EVERY_S", RECORD_EVERY_S), now=False)

    def _record_soon(self) -> None:
        _schedule_coro(self._record())

    async def _record(self) -> None:
        try:
            await self._write()
        except Exception:
            log.exception("The counters of run %s could not be written", self._crawl.run_id)

    async def _write(self, *, exit_reason: str | None = None) -> None:
        crawl, state = self._crawl, self._crawl.state
        statistics = {} if self._crawler.stats is None else self._crawler.stats.get_stats()
        of_browser = {name: count for name, count in statistics.items() if name.startswith(COUNTED)}
        counters = {**state.counters, **of_browser}
        await run_in_thread(crawl.store.do, record_run, crawl.run_id, counters, state.refusals.samples, exit_reason)

    async def _closed(self, reason: str) -> None:
        if self._looping.running:
            self._looping.stop()
        # From here on nothing waits for the database: the end of a crawl must not take long.
        self._crawl.store.stopping.set()
        try:
            await self._write(exit_reason=reason)
        finally:
            await run_in_thread(self._crawl.close)

    def _item_failed(self) -> None:
        """A page could not be stored: going on would fetch pages only to lose them."""
        end_without_store(self._crawler, self._crawl)
