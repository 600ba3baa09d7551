"""What stands beside a crawl: its pace, and the record of its run."""

import logging
from typing import TYPE_CHECKING, Final, cast

from scrapy import signals
from scrapy.extensions.throttle import AutoThrottle
from scrapy.utils.asyncio import create_looping_call, run_in_thread
from scrapy.utils.defer import _schedule_coro

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider import SiteSpider

RECORD_EVERY_S: Final = 10.0
STORE_FAILED: Final = "storage-failed"

log = logging.getLogger(__name__)


class SiteThrottle(AutoThrottle):
    """Scrapy's own pace, never faster than the site's row says."""

    def _min_delay(self) -> float:
        spider = self.crawler.spider
        own = getattr(spider, "delay_s", None)
        return float(super()._min_delay() if own is None else own)


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
        try:
            await run_in_thread(spider.store.finish_run, spider.run_id, counters, samples, exit_reason=reason)
        finally:
            await run_in_thread(spider.close_resources)

    def _item_failed(self) -> None:
        """A page could not be stored: going on would fetch pages only to lose them."""
        engine = self._crawler.engine
        if engine is not None:
            _schedule_coro(engine.close_spider_async(reason=STORE_FAILED))
