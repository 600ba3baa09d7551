"""The `site` spider: claims what is due on a site's frontier, visits it, and tells the frontier what came of it."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, UsageError
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import run_in_thread
from twisted.python.failure import Failure

from crawler.discovery.feeds import MAX_SITEMAP_BYTES
from crawler.extraction.metadata.dates import time_zone_of
from crawler.extraction.reader_pool import ReaderPool
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.extraction.site_rule import ExtractionRule
from crawler.network import request_meta
from crawler.network.download_handler import GIVE_UP
from crawler.network.failures import HostHeld, Refused, Stopped, is_foreseen, refusal_of_failure
from crawler.network.pace import Pace, is_open
from crawler.outcomes.errors import BadRule, BadScope, SiteBusy, UnusableUrl
from crawler.outcomes.refusals import Refusal, RefusalLog
from crawler.processes.disk_space import Room, from_text
from crawler.processes.pulse import Progress
from crawler.spider import revisit_policy
from crawler.spider.budget import Budget
from crawler.spider.crawl_store import DATABASE_URL_SETTING, CrawlStore, VisitedArticle
from crawler.spider.duplicates import is_same_article
from crawler.spider.frontier_client import SiteFrontier
from crawler.spider.in_flight import Flight
from crawler.spider.link_filter import Judge, Traps, entry
from crawler.spider.multipage import Series, read_part
from crawler.spider.run_settings import (
    DISK_FLOOR_SETTING,
    MAX_PAGES_SETTING,
    REVISIT_SETTING,
    ROOM_IN_SETTING,
    RUN_ID_SETTING,
    TRIGGER_SETTING,
    take_from_environment,
)
from crawler.spider.site_learning import Lessons
from crawler.spider.visitor import Visitor
from crawler.urls.canonical import web_url
from crawler.urls.dated_archives import current_lists
from crawler.urls.scope import Scope
from storage.errors import StorageError
from storage.records.crawl import Claim, FoundUrl, Manners, UrlKind, UrlState

DEFAULT_PAGE_BUDGET: Final = 200_000
"""Pages of one run where the site sets none: a bound against traps, above any news site's yearly output."""

SITE_BUSY: Final = "busy"
STORE_FAILED: Final = "storage-failed"
OUTSIDE_WINDOW: Final = "outside-window"

RETRIES_AWAITED: Final = timedelta(minutes=5)
"""A run that has nothing else to do waits so long for a host that asked for a pause."""

WAIT_S: Final = 1.0
WAITS_FOR_ROOM: Final = "waits/room"
MOST_SITEMAPS: Final = 500
"""That one robots.txt names; each is written to the frontier by itself."""

LEFT_OVER_SHOWN: Final = 1_000
_UNFETCHED: Final = frozenset({Refusal.ROBOTS, Refusal.OUT_OF_SCOPE, Refusal.DENIED, Refusal.WRONG_TYPE})

log = logging.getLogger(__name__)


class SiteSpider(Spider):
    """Crawls one site, `-a site=NAME`."""

    name = "site"

    def __init__(
        self,
        *,
        store: CrawlStore,
        site_name: str,
        max_pages: int | None,
        readers: ReaderPool,
        progress: Progress | None = None,
    ) -> None:
        super().__init__()
        self.progress = progress or Progress()
        self.store = store
        self.readers = readers
        self.site = store.site(site_name)
        chosen = self.site.settings
        self.scope = Scope.of(chosen.hosts, allow=chosen.allow, deny=chosen.deny)
        self.pace = Pace(chosen.delay_s)
        self._budget = Budget(min(chosen.page_budget or DEFAULT_PAGE_BUDGET, max_pages or DEFAULT_PAGE_BUDGET))
        self.manners = Manners()
        self.refusals = RefusalLog()
        self.run_id = 0
        self.started_at = self.now()
        self.is_stopping = False
        self._awaited = self.started_at
        self._counts: Counter[str] = Counter()
        self.flight = Flight(self.progress)
        self.room = Room()
        self.judge = Judge(self.scope, self.refusals)
        self.traps = Traps()
        self.rule = ExtractionRule.of(chosen.extraction_rule or {})
        self.lessons = Lessons()
        self._is_open = False
        self.frontier = SiteFrontier(store, self.site, run_id=0)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        take_from_environment(settings)

    @classmethod
    def from_crawler(
        cls,
        crawler: Crawler,
        *args: Any,
        site: str = "",
        readers: ReaderPool | None = None,
        progress: Progress | None = None,
        **kwargs: Any,
    ) -> "SiteSpider":
        settings = crawler.settings
        url = settings.get(DATABASE_URL_SETTING)
        if not site or not url:
            message = "Run `zhiwen crawl NAME`, or `scrapy crawl site -a site=NAME` with DATABASE_URL set."
            raise UsageError(message)
        store = CrawlStore(url)
        try:
            max_pages = settings.getint(MAX_PAGES_SETTING) or None
            spider = cls(
                store=store,
                site_name=site,
                max_pages=max_pages,
                readers=readers or ReaderPool(),
                progress=progress,
            )
        except (StorageError, BadRule, BadScope) as error:
            raise UsageError(str(error)) from error
        trigger = settings.get(TRIGGER_SETTING) or "scrapy"
        spider.run_id = settings.getint(RUN_ID_SETTING) or store.start_run(spider.site.id, trigger=trigger)
        spider.frontier = SiteFrontier(store, spider.site, run_id=spider.run_id)
        spider.room = Room(from_text(settings.get(ROOM_IN_SETTING) or ""), settings.getint(DISK_FLOOR_SETTING))
        spider._set_crawler(crawler)
        crawler.signals.connect(spider.robots_parsed, signal=signals.robots_parsed)
        crawler.signals.connect(spider.item_done, signal=signals.item_scraped)
        crawler.signals.connect(spider.item_done, signal=signals.item_dropped)
        crawler.signals.connect(spider.callback_failed, signal=signals.spider_error)
        return spider

    @property
    def known(self) -> SiteKnowledge:
        """What is known of the site, for whoever reads one of its pages."""
        return SiteKnowledge(self.rule, self.lessons.repeats.elsewhere)

    @staticmethod
    def now() -> datetime:
        return datetime.now(UTC)

    @property
    def counters(self) -> Mapping[str, int]:
        return {**self._counts, **self.refusals.counters}

    def count(self, name: str, by: int = 1) -> None:
        self._counts[name] += by

    def close_resources(self) -> None:
        """Blocks until the readers have ended. What is still at hand is given back."""
        self.store.stopping.set()
        for claim in self.flight.claims:
            self.frontier.free(claim)
        if self._is_open:
            self.frontier.remember(self.lessons.learned())
        self.frontier.close()
        self.readers.close()
        self.store.close()

    async def start(self) -> AsyncIterator[Request]:
        try:
            await run_in_thread(self._open)
            while (claims := await self._claims()) is not None:
                for request in map(self.request_for, claims):
                    yield request
                if not claims:
                    await self.flight.wait(WAIT_S)
        except SiteBusy as error:
            raise CloseSpider(SITE_BUSY) from error
        except StorageError as error:
            log.error("%s", error)
            raise CloseSpider(STORE_FAILED) from error

    def _open(self) -> None:
        chosen = self.site.settings
        entries = {UrlKind.SITEMAP: chosen.sitemaps, UrlKind.FEED: chosen.feeds, UrlKind.LIST: chosen.start_urls}
        found = [self._entry(url, kind) for kind, urls in entries.items() for url in urls]
        self.frontier.open(
            [one for one in found if one is not None], revisit_all=self.crawler.settings.getbool(REVISIT_SETTING)
        )
        self.manners = self.frontier.manners()
        self._budget.most_bytes = self.manners.byte_budget
        self.traps = Traps(self.frontier.traps())
        self.lessons = Lessons(self.frontier.learned())
        self._is_open = True
        today = self.now().astimezone(time_zone_of(chosen.time_zone)).date()
        guesses = current_lists(self.frontier.lists(), today=today)
        self.frontier.add([entry(url, UrlKind.LIST) for url in guesses if self.scope.refusal(url) is None])

    def _entry(self, url: str, kind: UrlKind) -> FoundUrl | None:
        """An address that the site's settings or its robots.txt name; one that no crawl can ask is refused."""
        try:
            return entry(web_url(url), kind)
        except UnusableUrl:
            self.refusals.add(Refusal.UNUSABLE_URL, url)
            return None

    async def _claims(self) -> list[Claim] | None:
        """What to visit next; nothing where there is no room, None where the run is over."""
        now = self.now()
        zone = time_zone_of(self.site.settings.time_zone)
        if not is_open(self.manners.window_start, self.manners.window_end, now=now, zone=zone):
            raise CloseSpider(OUTSIDE_WINDOW)
        if self._budget.is_spent:
            if self.flight:
                return []
            await self._name_what_is_left()
            return None
        if self._has_no_room():
            return []
        limit = min(self.flight.room, self._budget.pages_left)
        # Looked at before: what lands meanwhile may have brought new addresses after the question.
        was_idle = not self.flight
        claims = await run_in_thread(self.frontier.claim, limit) if limit > 0 else []
        self._budget.took(claims)
        is_over = was_idle and not claims and self._awaited <= now
        return None if is_over else claims

    def _has_no_room(self) -> bool:
        """Whether to wait for room on the disk; each time that it begins is counted."""
        waited = self.room.was_short
        is_short = self.room.is_short()
        if is_short:
            self.progress.note()  # to wait for room is no standstill
        if is_short and not waited:
            self.count(WAITS_FOR_ROOM)
        return is_short

    async def _name_what_is_left(self) -> None:
        for url in await run_in_thread(self.frontier.due_urls, LEFT_OVER_SHOWN):
            self.refusals.add(Refusal.BUDGET, url)

    def request_for(self, claim: Claim, *, twin: VisitedArticle | None = None) -> Request:
        """A request for an address of the frontier; `twin` is an article that waits for what stands there."""
        self.flight.took(claim)
        stated = {"If-None-Match": claim.etag, "If-Modified-Since": claim.last_modified}
        is_page = claim.kind in (UrlKind.ARTICLE, UrlKind.LIST)
        meta: dict[str, Any] = {request_meta.CLAIM: claim} | ({} if twin is None else {request_meta.TWIN: twin})
        if is_page and self.site.settings.browser:
            meta[request_meta.BROWSER] = True
            stated = {}  # the page may change where what loads it does not
        if not is_page:
            meta |= {request_meta.OUTSIDE_SCOPE: True, "download_maxsize": MAX_SITEMAP_BYTES}
        return Request(
            claim.url,
            callback=self.parse,
            errback=self.refused,
            headers={name: value for name, value in stated.items() if value},
            meta=meta,
            dont_filter=True,
        )

    async def parse(self, response: Response) -> AsyncIterator[VisitedArticle | Request]:
        """A response: its addresses go to the frontier, its article to the pipeline."""
        self.progress.note()
        self._budget.fetched(len(response.body))
        visitor = Visitor(self)
        outcome = await visitor.visit(response)
        if outcome is not None:
            yield outcome
        else:
            self.flight.landed(response.meta[request_meta.CLAIM])
        twin: VisitedArticle | None = response.meta.get(request_meta.TWIN)
        if twin is None:
            return
        if isinstance(outcome, VisitedArticle) and is_same_article(outcome.article.text, twin.article.text):
            await visitor.twin(twin)
            self.flight.landed(twin.claim)
        else:
            yield twin

    async def parse_part(self, response: Response) -> AsyncIterator[VisitedArticle | Request]:
        """A further page of an article: on to the next one, or the whole article to the pipeline."""
        self.progress.note()
        self._budget.fetched(len(response.body))
        self._budget.took_part()
        series: Series = response.meta[request_meta.SERIES]
        following = await read_part(self, response)
        if isinstance(following, Refusal):
            if not self.is_stopping:
                await self.refuse(series.claim, following, response.url)
            self.flight.landed(series.claim)
            return
        outcome = following or await Visitor(self).whole(series)
        if outcome is not None:
            yield outcome
        elif not self.is_stopping:
            self.flight.landed(series.claim)

    async def part_refused(self, failure: Failure) -> AsyncIterator[VisitedArticle | Request]:
        """The errback of further parts. What may pass is waited for; without what may not, the article is whole."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        series: Series = request.meta[request_meta.SERIES]
        error = failure.value or Exception()
        if self._ends_with(error):
            return
        refusal = refusal_of_failure(error)
        outcome = None
        if refusal in revisit_policy.PASSING:
            wait_s = error.wait_s if isinstance(error, HostHeld) else None
            await self.refuse(series.claim, refusal, request.url, wait_s=wait_s)
        else:
            self.refusals.add(refusal, request.url)
            outcome = await Visitor(self).whole(series)
        if outcome is not None:
            yield outcome
        else:
            self.flight.landed(series.claim)

    async def refused(self, failure: Failure) -> AsyncIterator[VisitedArticle]:
        """The errback of every request. What waited for the address need not wait any more."""
        await self._refused(failure)
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        if request_meta.TWIN in request.meta and not self.is_stopping:
            yield request.meta[request_meta.TWIN]

    async def _refused(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        claim: Claim = request.meta[request_meta.CLAIM]
        error = failure.value or Exception()
        refusal = refusal_of_failure(error)
        if not is_foreseen(error):
            log.error("%s failed by an error of ours:\n%s", request.url, failure.getTraceback())
        if self._ends_with(error):
            return
        if refusal in _UNFETCHED:
            self._budget.gave_back(claim)
        wait_s = error.wait_s if isinstance(error, HostHeld) else None
        if refusal is Refusal.GONE:
            await Visitor(self).gone(claim, request.url, reason="redirected to the home page or a list")
        elif refusal is Refusal.DUPLICATE:
            self.refusals.add(refusal, request.url)  # remembered where it was noticed
        else:
            await self.refuse(claim, refusal, request.url, wait_s=wait_s)
        self.flight.landed(claim)

    def _ends_with(self, error: BaseException) -> bool:
        """Whether the run ends, or has ended, with this error: what is at hand is given back."""
        if isinstance(error, StorageError):
            self.store_failed()
        return isinstance(error, (StorageError, Stopped)) or self.is_stopping

    async def redirected(self, request: Request, url: str) -> None:
        """A redirect to another address of the site, which the claim becomes; raises Refused where that is no use."""
        claim: Claim = request.meta[request_meta.CLAIM]
        if claim.state is UrlState.SEEN and claim.kind is UrlKind.ARTICLE:
            known = await run_in_thread(self.frontier.known, url)
            if urlsplit(url).path == "/" or (known is not None and known.kind is UrlKind.LIST):
                raise Refused(Refusal.GONE)  # where sites send those who ask for what is no more
        moved = await run_in_thread(self.frontier.moved, claim, url, self.now())
        self.flight.landed(claim)
        if moved is None:
            raise Refused(Refusal.DUPLICATE)
        self.flight.took(moved)
        request.meta[request_meta.CLAIM] = moved

    async def refuse(
        self,
        claim: Claim,
        refusal: Refusal,
        url: str,
        *,
        wait_s: float | None = None,
        found: Sequence[FoundUrl] = (),
    ) -> None:
        """Names, counts and remembers that an address gave nothing, but for the addresses `found` there.

        With `wait_s`, it is due again after as long.
        """
        self.refusals.add(refusal, url)
        log.info("%s: %s", refusal, url)
        now = self.now()
        due_at = None if wait_s is None else now + timedelta(seconds=wait_s)
        if due_at is not None and due_at - now <= RETRIES_AWAITED:
            self._awaited = max(self._awaited, due_at)
        await run_in_thread(self.frontier.settle, revisit_policy.refused(claim, refusal, at=now, due_at=due_at), found)

    def item_done(self, item: object) -> None:
        """An article went through all pipelines, or one of them dropped it."""
        if isinstance(item, VisitedArticle):
            self.flight.landed(item.claim)

    def callback_failed(self, failure: Failure, response: Response | Failure) -> None:
        """An error in a callback or errback. One of the store ends the crawl: what is fetched after it would be lost.

        Any other is named and counted, and nothing waits any more for what the request was made for.
        """
        if isinstance(failure.value, StorageError):
            self.store_failed()
            return
        request: Request = response.request  # type: ignore[union-attr,assignment]  # of a failure Scrapy puts it there
        self.refusals.add(Refusal.PARSER_DIED, request.url)
        for claim in request_meta.claims_of(request):
            self.flight.landed(claim)

    def store_failed(self) -> None:
        if self.crawler.engine is not None and not self.is_stopping:
            self.is_stopping = True
            asyncio.ensure_future(self.crawler.engine.close_spider_async(reason=STORE_FAILED))  # noqa: RUF006

    async def robots_parsed(self, robotparser: Any) -> None:
        """Sitemaps that robots.txt names."""
        named = [str(url) for url in getattr(getattr(robotparser, "rp", None), "sitemaps", ())]
        for url in named[:MOST_SITEMAPS]:
            found = self._entry(url, UrlKind.SITEMAP)
            if found is not None:
                await run_in_thread(self.frontier.add_entry, found, since=self.started_at)
        for url in named[MOST_SITEMAPS:]:
            self.refusals.add(Refusal.BEYOND_BOUND, url)
        self.flight.wake()

    def give_up(self) -> None:
        """What is still loading or being read is visited again by the next run."""
        self.is_stopping = True
        self.store.stopping.set()
        self.readers.abandon()
        self.crawler.signals.send_catch_log(GIVE_UP)
