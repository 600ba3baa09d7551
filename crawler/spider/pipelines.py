"""The pipeline that stores articles: one page, one transaction, in a thread."""

import logging
from typing import TYPE_CHECKING

from scrapy.utils.asyncio import run_in_thread

from crawler.spider.crawl_store import CrawlStore, save
from crawler.spider.site_crawl import crawl_of, store_of
from storage.records.pages import FingerprintedArticle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.run_state import RunState

log = logging.getLogger(__name__)


class StorePipeline:
    """Saves FingerprintedArticle items and lets others pass. Works in any Scrapy project that sets DATABASE_URL."""

    def __init__(self, store: CrawlStore, state: "RunState | None" = None) -> None:
        self._store = store
        self._state = state

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "StorePipeline":
        crawl = crawl_of(crawler)
        return cls(store_of(crawler), None if crawl is None else crawl.state)

    async def process_item(self, item: object) -> object:
        if not isinstance(item, FingerprintedArticle):
            return item
        kept = await run_in_thread(self._store.do, save, item)
        log.info("%s: %s", kept.news, item.article.url)
        if self._state is not None:
            self._state.count(f"articles/{kept.news}")
            if kept.page.is_new_page:
                self._state.count("articles/chars", len(item.article.text))
            if kept.was_gone:
                self._state.count("articles/back")
        return item

    def close_spider(self) -> None:
        self._store.close()
