"""The pipeline that keeps responses as evidence.

A downloader middleware records each response before it is decompressed. An article carries the responses that it was
read from (`WitnessedArticle`), and this pipeline keeps them just before the article is stored, those of several
articles in one transaction.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import DropItem, NotConfigured

from crawler.evidence.keeper import Keeper, NewVersion
from crawler.evidence.record_files import EvidenceFolder
from crawler.outcomes.errors import NoEvidence
from crawler.outcomes.refusals import Refusal
from crawler.spider.crawl_store import CrawlStore, WitnessedArticle
from crawler.spider.group_commit import GroupCommit
from crawler.spider.run_settings import HOME_SETTING
from crawler.spider.site_crawl import store_of
from storage.postgres.retry import retry_while_unavailable
from storage.records.pages import FingerprintedArticle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

log = logging.getLogger(__name__)


class NotWitnessed(DropItem):
    """An article without the response that it was read from."""


class EvidencePipeline:
    """Keeps the responses of an article. Runs before the pipeline that stores it: none is stored without evidence."""

    def __init__(self, crawler: "Crawler", store: CrawlStore, home: Path) -> None:
        self._crawler = crawler
        self._store = store
        self._keeper = Keeper(store.engine, EvidenceFolder(home))
        self._group: GroupCommit[WitnessedArticle, None] = GroupCommit(self._keep)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "EvidencePipeline":
        home = crawler.settings.get(HOME_SETTING) or os.environ.get(HOME_SETTING)
        if not home:
            raise NotConfigured  # nowhere to keep anything
        return cls(crawler, store_of(crawler), Path(home).expanduser().absolute())

    async def process_item(self, item: object) -> object:
        if isinstance(item, WitnessedArticle):
            await self._group.put(item)
        elif isinstance(item, FingerprintedArticle):
            if self._crawler.stats is not None:
                self._crawler.stats.inc_value(f"zhiwen/refused/{Refusal.NO_EVIDENCE}")
            log.error("%s", NoEvidence(item.article.url))
            raise NotWitnessed(item.article.url)
        return item

    def _keep(self, items: Sequence[WitnessedArticle]) -> list[None]:
        versions = [version for item in items for version in _versions(item)]
        retry_while_unavailable(partial(self._keeper.keep_versions, versions), stop=self._store.stopping)
        return [None] * len(items)

    def close_spider(self) -> None:
        self._store.close()


def _versions(item: WitnessedArticle) -> Iterator[NewVersion]:
    article = item.article
    page = article.url if len(item.responses) > 1 else None
    for url, response in item.responses:
        yield NewVersion(response, url, article.text, article.site_id, page)
