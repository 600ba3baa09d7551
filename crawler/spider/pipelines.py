"""Articles into the store: one page, one transaction, in a thread."""

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import run_in_thread

from crawler.spider.crawl_store import DATABASE_URL_SETTING, CrawlStore
from storage.records.pages import FingerprintedArticle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

log = logging.getLogger(__name__)


class StorePipeline:
    """Saves FingerprintedArticle items and lets others pass. Works in any Scrapy project that sets DATABASE_URL."""

    def __init__(self, store: CrawlStore, crawler: "Crawler") -> None:
        self._store = store
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "StorePipeline":
        url = crawler.settings.get(DATABASE_URL_SETTING)
        if not url:
            message = f"Set {DATABASE_URL_SETTING} to the Postgres database that articles are stored in."
            raise NotConfigured(message)
        # A spider of ours that is to stop waits for no database any more, and neither do we.
        own = getattr(crawler.spider, "store", None)
        stopping = own.stopping if isinstance(own, CrawlStore) else None
        return cls(CrawlStore(url, stopping=stopping), crawler)

    async def process_item(self, item: object) -> object:
        if not isinstance(item, FingerprintedArticle):
            return item
        kept = await run_in_thread(self._store.save, item)
        log.info("%s: %s", kept.news, item.article.url)
        count = getattr(self._crawler.spider, "count", None)
        if count is not None:
            count(f"articles/{kept.news}")
            if kept.page.is_new_page:
                count("articles/chars", len(item.article.text))
            if kept.was_gone:
                count("articles/back")
        return item

    def close_spider(self) -> None:
        self._store.close()
