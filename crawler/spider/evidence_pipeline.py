"""Scrapy's responses as they were sent, on their way to the evidence.

A downloader middleware notes each response before it is unpacked. Whoever reads an article from it takes it from there
into the article (`WitnessedArticle`), and a pipeline keeps it just before the article is stored.
"""

import logging
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.asyncio import run_in_thread

from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import EvidenceFolder
from crawler.outcomes.errors import NoEvidence
from crawler.outcomes.refusals import Refusal
from crawler.spider.crawl_store import DATABASE_URL_SETTING, CrawlStore, WitnessedArticle
from storage.postgres.retry import patiently
from storage.records.pages import FingerprintedArticle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

HOME_SETTING: Final = "ZHIWEN_HOME"

log = logging.getLogger(__name__)


class NotWitnessed(DropItem):
    """An article that came without the response that it was read from."""


class EvidencePipeline:
    """Keeps the responses of an article. Stands before whoever stores it: none is stored without its evidence."""

    def __init__(self, crawler: "Crawler", store: CrawlStore, home: Path) -> None:
        self._crawler = crawler
        self._store = store
        self._folder = EvidenceFolder(home)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "EvidencePipeline":
        url = crawler.settings.get(DATABASE_URL_SETTING)
        if not url:
            message = f"Set {DATABASE_URL_SETTING} to the Postgres database that articles are stored in."
            raise NotConfigured(message)
        home = crawler.settings.get(HOME_SETTING) or os.environ.get(HOME_SETTING)
        if not home:
            raise NotConfigured  # nowhere to keep anything
        return cls(crawler, CrawlStore(url), Path(home).expanduser().absolute())

    async def process_item(self, item: object) -> object:
        if isinstance(item, WitnessedArticle):
            await run_in_thread(self._keep, item)
        elif isinstance(item, FingerprintedArticle):
            self._count_refusal()
            log.error("%s", NoEvidence(item.article.url))
            raise NotWitnessed(item.article.url)
        return item

    def _keep(self, item: WitnessedArticle) -> None:
        store, article = self._store_in_use, item.article
        keeper = Keeper(store.engine, self._folder)
        page = article.url if len(item.responses) > 1 else None
        for url, response in item.responses:
            keep = partial(
                keeper.keep_version, response, url=url, text=article.text, site_id=article.site_id, page=page
            )
            patiently(keep, stop=store.stopping)

    def _count_refusal(self) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"zhiwen/refused/{Refusal.NO_EVIDENCE}")

    @property
    def _store_in_use(self) -> CrawlStore:
        """That of our own spider: a crawl that is to stop waits for no database any more, and all its threads share one
        set of connections. A spider that is not ours has none.
        """
        store = getattr(self._crawler.spider, "store", None)
        return store if isinstance(store, CrawlStore) else self._store

    def close_spider(self) -> None:
        self._store.stopping.set()
        self._store.close()
