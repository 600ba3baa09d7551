"""What stands beside a crawl: the record of its run."""

import logging
from typing import TYPE_CHECKING, Final, cast

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call, run_in_thread
from scrapy.utils.defer import _schedule_coro

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.site_spider import SiteSpider

RECORD_EVERY_S: Final = 10.0

log = logging.getLogger(__name__)


class RunRecorder:
    """Writes the counters of the run into its row while it goes, so that a killed run still shows how far it came."""

    def __init__(self, crawler: "Crawler") -> None:
        self._crawler = crawler
        self._looping = create_looping_call(self._record_soon)
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._closed, signal=signals.spider_closed)
        crawler.signals.connect(self._item_failed, signal=signals.item_error)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "RunRecorder":
        return cls(crawler)

    @property
    def _spider(self) -> "SiteSpider":
        return cast("SiteSpider", self._crawler.spider)

    def _opened(self) -> None:
        if hasattr(self._spider, "run_id"):
            self._looping.start(self._crawler.settings.getfloat("ZHIWEN_RECORD_EVERY_S", RECORD_EVERY_S), now=False)

    def _record_soon(self) -> None:
        _schedule_coro(self._record())

    async def _record(self) -> None:
        spider = self._spider
        try:
            await run_in_thread(spider.store.record_run, spider.run_id, spider.counters, spider.refusals.samples)
        except Exception:
            log.exception("The counters of run %s could not be written", spider.run_id)

    async def _closed(self, reason: str) -> None:
        spider = self._spider
        if not hasattr(spider, "run_id"):
            return
        if self._looping.running:
            self._looping.stop()
        counters, samples = spider.counters, spider.refusals.samples
        # From here on nothing waits for the database: whoever asked for the end has waited enough.
        spider.store.stopping.set()
        try:
            await run_in_thread(spider.store.finish_run, spider.run_id, counters, samples, exit_reason=reason)
        finally:
            await run_in_thread(spider.close_resources)

    def _item_failed(self) -> None:
        """A page could not be stored: going on would fetch pages only to lose them."""
        store_failed = getattr(self._spider, "store_failed", None)
        if store_failed is not None:
            store_failed()
