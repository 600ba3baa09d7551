"""Scrapy's responses as they were sent, on their way to the evidence.

Three parts that go together: a downloader middleware notes each response before it is unpacked, a spider middleware
ties it to the articles read from it, a pipeline keeps it just before the article is stored.
"""

import os
from collections import OrderedDict
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import run_in_thread

from crawler.evidence.files import EvidenceFolder
from crawler.evidence.keeping import Keeper
from crawler.store import DATABASE_URL_SETTING, CrawlStore, VisitedArticle
from crawler.warc import RawResponse
from storage.patience import patiently
from storage.records import FingerprintedArticle, NewArticle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

HOME_SETTING: Final = "ZHIWEN_HOME"
RAW_META: Final = "zhiwen_raw"


Pending: TypeAlias = OrderedDict[int, tuple[object, RawResponse]]
"""By the identity of an article, which is held so that no other can have it: the response it was read from."""

MOST_PENDING: Final = 1_000
"""Articles on their way from the spider to the pipeline; Scrapy lets far fewer be at once."""

_pending: WeakKeyDictionary["Crawler", Pending] = WeakKeyDictionary()


class RawResponseMiddleware:
    """Stands next to the downloader, where nothing is unpacked yet."""

    def process_response(self, request: "Request", response: "Response") -> "Response":
        request.meta[RAW_META] = raw_response(response)
        return response


def raw_response(response: "Response") -> RawResponse:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    certificate = response.certificate
    return RawResponse(
        url=response.url,
        at=datetime.now(UTC),
        status=response.status,
        headers=headers,
        body=response.body,
        peer=None if response.ip_address is None else str(response.ip_address),
        protocol=response.protocol or "HTTP/1.1",
        certificate=None if certificate is None else certificate.dump(),
    )


class WitnessMiddleware:
    """Ties articles to the response they were read from, and lets go of it after the last."""

    def __init__(self, pending: Pending) -> None:
        self._pending = pending

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "WitnessMiddleware":
        return cls(_pending.setdefault(crawler, OrderedDict()))

    async def process_spider_output(self, response: "Response", result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        raw = response.meta.get(RAW_META)
        try:
            async for found in result:
                if raw is not None and isinstance(found, FingerprintedArticle):
                    self._remember(found, raw)
                yield found
        finally:
            response.meta.pop(RAW_META, None)

    def _remember(self, article: FingerprintedArticle, raw: RawResponse) -> None:
        self._pending[id(article)] = (article, raw)
        if len(self._pending) > MOST_PENDING:
            self._pending.popitem(last=False)


class EvidencePipeline:
    """Keeps the response of an article. Stands before whoever stores it: none is stored without its evidence."""

    def __init__(self, crawler: "Crawler", store: CrawlStore, home: Path, pending: Pending) -> None:
        self._crawler = crawler
        self._store = store
        self._pending = pending
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
        return cls(
            crawler,
            CrawlStore(url),
            Path(home).expanduser().absolute(),
            _pending.setdefault(crawler, OrderedDict()),
        )

    async def process_item(self, item: object) -> object:
        _, response = self._pending.pop(id(item), (None, None))
        if isinstance(item, VisitedArticle) and item.responses:
            for url, part in item.responses:
                await run_in_thread(self._keep, item.article, part, url)
        elif response is not None and isinstance(item, FingerprintedArticle):
            await run_in_thread(self._keep, item.article, response, item.article.url)
        return item

    def _keep(self, article: NewArticle, response: RawResponse, url: str) -> None:
        store = self._store_in_use
        keeper = Keeper(store.engine, self._folder)
        patiently(
            lambda: keeper.keep_version(response, url=url, text=article.text, site_id=article.site_id),
            stop=store.stopping,
        )

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
