"""The `site` spider: from a site's row to its articles."""

import os
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import run_in_thread
from twisted.python.failure import Failure

from crawler.dates import time_zone_of
from crawler.extract import Article
from crawler.failures import refusal_of_failure, refusal_of_status
from crawler.feeds import MAX_SITEMAP_BYTES, Entry, read_feed, read_sitemap
from crawler.frontier import Frontier
from crawler.guard import ALLOWED_NETWORKS_SETTING
from crawler.middlewares import BUDGETED_META, OUTSIDE_SCOPE_META
from crawler.reading import PageTask, ReaderPool
from crawler.refusals import Refusal, RefusalLog
from crawler.rights import with_rights
from crawler.store import DATABASE_URL_SETTING, CrawlStore, Validators
from crawler.urls import Scope, canonical_url
from fingerprint.model import Fingerprint
from storage.errors import StorageError
from storage.records import FingerprintedArticle, NewArticle
from storage.types import FoundBy

DEFAULT_PAGE_BUDGET: Final = 200_000
"""Pages of one run where the site sets none: a bound against traps, above any news site's yearly output."""

RUN_ID_SETTING: Final = "ZHIWEN_RUN_ID"
MAX_PAGES_SETTING: Final = "ZHIWEN_MAX_PAGES"
TRIGGER_SETTING: Final = "ZHIWEN_TRIGGER"
USER_AGENT_SETTING: Final = "ZHIWEN_USER_AGENT"
_FROM_ENVIRONMENT: Final = (
    DATABASE_URL_SETTING,
    ALLOWED_NETWORKS_SETTING,
    RUN_ID_SETTING,
    MAX_PAGES_SETTING,
    TRIGGER_SETTING,
)

DISCOVERY_PRIORITY: Final = 1_000_000
START_PRIORITY: Final = 1_000
REVISIT_PRIORITY: Final = -1_000
"""Pages already stored come after everything new."""

MAX_SITEMAP_DEPTH: Final = 3
_NOT_MODIFIED: Final = 304


class SiteSpider(Spider):
    """Crawls one site, `-a site=NAME`: start pages, feeds and sitemaps, and the links inside its scope."""

    name = "site"

    def __init__(self, *, store: CrawlStore, site_name: str, max_pages: int | None, readers: ReaderPool) -> None:
        super().__init__()
        self.store = store
        self.readers = readers
        self.site = store.site(site_name)
        chosen = self.site.settings
        self.scope = Scope.of(chosen.hosts, allow=chosen.allow, deny=chosen.deny)
        self.delay_s = chosen.delay_s
        self.page_budget = min(chosen.page_budget or DEFAULT_PAGE_BUDGET, max_pages or DEFAULT_PAGE_BUDGET)
        self.zone = time_zone_of(chosen.time_zone)
        self.frontier = Frontier(self.scope)
        self.refusals = RefusalLog()
        self.known: dict[str, Validators] = store.known_pages(self.site)
        self.run_id = 0
        self._counts: Counter[str] = Counter()

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Takes from the environment what `zhiwen crawl` and `scrapy crawl` say there."""
        super().update_settings(settings)
        for name in _FROM_ENVIRONMENT:
            if os.environ.get(name):
                settings.set(name, os.environ[name], priority="spider")
        if os.environ.get(USER_AGENT_SETTING):
            settings.set("USER_AGENT", os.environ[USER_AGENT_SETTING], priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, site: str = "", **kwargs: Any) -> "SiteSpider":
        settings = crawler.settings
        url = settings.get(DATABASE_URL_SETTING)
        if not site or not url:
            message = "Run `zhiwen crawl NAME`, or `scrapy crawl site -a site=NAME` with DATABASE_URL set."
            raise UsageError(message)
        store = CrawlStore(url)
        try:
            max_pages = settings.getint(MAX_PAGES_SETTING) or None
            spider = cls(store=store, site_name=site, max_pages=max_pages, readers=ReaderPool())
        except StorageError as error:
            raise UsageError(str(error)) from error
        trigger = settings.get(TRIGGER_SETTING) or "scrapy"
        spider.run_id = settings.getint(RUN_ID_SETTING) or store.start_run(spider.site.id, trigger=trigger)
        spider._set_crawler(crawler)
        crawler.signals.connect(spider.robots_parsed, signal=signals.robots_parsed)
        return spider

    @property
    def counters(self) -> Mapping[str, int]:
        return {**self._counts, **self.refusals.counters}

    def count(self, name: str) -> None:
        self._counts[name] += 1

    def close_resources(self) -> None:
        """Blocks until the readers have ended."""
        self.readers.close()
        self.store.close()

    async def start(self) -> AsyncIterator[Request]:
        chosen = self.site.settings
        for url in chosen.sitemaps:
            yield self._discovery(url, callback=self.parse_sitemap)
        for url in chosen.feeds:
            yield self._discovery(url, callback=self.parse_feed)
        for url in chosen.start_urls:
            for request in self._pages([canonical_url(url)], link_depth=0, priority=START_PRIORITY):
                # Whatever it held last time, its links are wanted.
                request.headers.pop("If-None-Match", None)
                request.headers.pop("If-Modified-Since", None)
                yield request
        for request in self._pages(list(self.known), link_depth=0, priority=REVISIT_PRIORITY):
            yield request

    def robots_parsed(self, robotparser: Any) -> None:
        """Sitemaps that robots.txt names."""
        engine = self.crawler.engine
        for url in getattr(getattr(robotparser, "rp", None), "sitemaps", ()):
            if engine is not None:
                engine.crawl(self._discovery(str(url), callback=self.parse_sitemap))

    async def parse_sitemap(self, response: Response, depth: int = 0) -> AsyncIterator[Request]:
        found = await run_in_thread(read_sitemap, response.body, url=response.url, zone=self.zone, now=_now())
        if response.status != 200 or isinstance(found, Refusal):  # noqa: PLR2004  (HTTP's own number)
            self._refuse_discovery(response, found)
            return
        self.count("sitemaps/read")
        for request in self._hinted(found.pages, FoundBy.SITEMAP):
            yield request
        if depth < MAX_SITEMAP_DEPTH:
            for url in found.sitemaps:
                yield self._discovery(url, callback=self.parse_sitemap, depth=depth + 1)

    async def parse_feed(self, response: Response) -> AsyncIterator[Request]:
        found = await run_in_thread(read_feed, response.body, url=response.url, zone=self.zone, now=_now())
        if response.status != 200 or isinstance(found, Refusal):  # noqa: PLR2004  (HTTP's own number)
            self._refuse_discovery(response, found)
            return
        self.count("feeds/read")
        for request in self._hinted(found, FoundBy.FEED):
            yield request

    async def parse(self, response: Response) -> AsyncIterator[Request | FingerprintedArticle]:
        """A page: its links are followed, and its article goes to the pipeline."""
        self.count("pages/fetched")
        url = canonical_url(response.url)
        now = _now()
        if not await self._has_news(response, url, now):
            return
        task = PageTask(response.body, url, _header(response, "Content-Type") or "", now, self.site.settings.time_zone)
        read = await run_in_thread(self.readers.read, task)
        depth = int(response.meta.get("depth", 0)) + 1
        for feed in read.page.feeds:
            if self.scope.has_host(feed) and self.frontier.is_new(feed):
                yield self._discovery(feed, callback=self.parse_feed)
        for request in self._pages(read.page.links, link_depth=depth):
            yield request
        outcome = read.page.outcome
        if isinstance(outcome, Refusal):
            self.refusals.add(outcome, url)
        elif read.fingerprint is None or read.fingerprint.too_short:
            self.refusals.add(Refusal.TOO_SHORT, url)
        else:
            yield self._item(outcome, read.fingerprint, response, url=url, now=now)

    def refused(self, failure: Failure) -> None:
        """The errback of every request."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        self.refusals.add(refusal_of_failure(failure.value or Exception()), request.url)

    async def _has_news(self, response: Response, url: str, now: datetime) -> bool:
        if response.status == _NOT_MODIFIED:
            self.count("articles/unchanged")
            await run_in_thread(self.store.touch, url, now)
            return False
        refusal = refusal_of_status(response.status)
        if refusal is not None:
            self.refusals.add(refusal, url)
            if refusal is Refusal.GONE and url in self.known:
                self.count("articles/gone")
                await run_in_thread(self.store.mark_gone, url, now)
            return False
        return True

    def _item(
        self, article: Article, fingerprint: Fingerprint, response: Response, *, url: str, now: datetime
    ) -> FingerprintedArticle:
        found_by, declared = self.frontier.hint(url)
        found = with_rights(
            NewArticle(
                url=url,
                text=article.text,
                found_by=found_by,
                fetched_at=now,
                title=article.title,
                author=article.author,
                language=article.language,
                declared=article.declared if article.declared.at else declared,
                site_id=self.site.id,
                credit_lines=article.credit_lines,
                credit_links=article.credit_links,
                canonical_link=article.canonical_link,
                etag=_header(response, "ETag"),
                last_modified=_header(response, "Last-Modified"),
            ),
            self.site,
        )
        return FingerprintedArticle(found, fingerprint)

    def _hinted(self, entries: Iterable[Entry], found_by: FoundBy) -> Iterator[Request]:
        listed = list(entries)
        for entry in listed:
            self.frontier.remember(entry.url, found_by, entry.declared)
        yield from self._pages([entry.url for entry in listed], link_depth=0)

    def _pages(self, urls: Iterable[str], *, link_depth: int, priority: int = 0) -> Iterator[Request]:
        """Requests for those of `urls` that are new and inside the scope; the others are named and counted."""
        for url in urls:
            refusal = self.frontier.refusal(url, link_depth=link_depth)
            if isinstance(refusal, Refusal):
                self.refusals.add(refusal, url)
            elif refusal is None:
                yield self._page(url, priority=priority)

    def _page(self, url: str, *, priority: int) -> Request:
        validators = self.known.get(url, Validators())
        stated = {"If-None-Match": validators.etag, "If-Modified-Since": validators.last_modified}
        headers = {name: value for name, value in stated.items() if value}
        meta = {BUDGETED_META: True}
        return Request(url, callback=self.parse, errback=self.refused, headers=headers, priority=priority, meta=meta)

    def _discovery(self, url: str, *, callback: Any, depth: int | None = None) -> Request:
        return Request(
            url,
            callback=callback,
            errback=self.refused,
            priority=DISCOVERY_PRIORITY,
            cb_kwargs={} if depth is None else {"depth": depth},
            meta={OUTSIDE_SCOPE_META: True, "download_maxsize": MAX_SITEMAP_BYTES, "depth": 0},
        )

    def _refuse_discovery(self, response: Response, found: object) -> None:
        status = refusal_of_status(response.status)
        refusal = status or (found if isinstance(found, Refusal) else Refusal.BAD_STATUS)
        self.refusals.add(refusal, response.url)


def _now() -> datetime:
    return datetime.now(UTC)


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    # NUL and bytes beyond Latin-1 would not survive the way to the database and back.
    return value.decode("latin-1").replace("\x00", "")[:500] if value else None
