"""The pipeline that stores articles, those of several pages in one transaction."""

import logging
from typing import TYPE_CHECKING

from crawler.spider.crawl_store import CrawlStore
from crawler.spider.site_crawl import crawl_of, store_of
from crawler.spider.visit_writer import VisitWriter
from storage.records.pages import FingerprintedArticle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.run_state import RunState

log = logging.getLogger(__name__)


class StorePipeline:
    """Saves FingerprintedArticle items and lets others pass. Works in any Scrapy project that sets DATABASE_URL."""

    def __init__(
        self, store: CrawlStore, state: "RunState | None" = None, *, writer: VisitWriter | None = None
    ) -> None:
        self._store = store
        self._state = state
        self._writer = writer or VisitWriter(store)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "StorePipeline":
        crawl = crawl_of(crawler)
        if crawl is None:
            return cls(store_of(crawler))
        return cls(crawl.store, crawl.state, writer=crawl.writer)

    async def process_item(self, item: object) -> object:
        if not isinstance(item, FingerprintedArticle):
            return item
        kept = await self._writer.save(item)
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
