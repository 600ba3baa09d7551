"""The `site` spider: asks for claims, hands responses to the visitor, and its decisions to the executor."""

import logging
from collections.abc import AsyncIterator
from typing import Any, Final

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, UsageError
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import run_in_thread
from twisted.python.failure import Failure

from crawler.extraction.reader_pool import ReaderPool
from crawler.network import request_meta
from crawler.network.download_handler import GIVE_UP
from crawler.network.failures import Stopped, is_foreseen, refusal_of_failure
from crawler.outcomes.errors import BadRule, BadScope, SiteBusy
from crawler.outcomes.refusals import Refusal
from crawler.processes.disk_space import DiskSpace, from_text
from crawler.processes.pulse import Progress
from crawler.spider.claim_source import ClaimSource
from crawler.spider.crawl_store import DATABASE_URL_SETTING, VisitedArticle
from crawler.spider.decisions.articles import decide_waiting
from crawler.spider.decisions.failures import NOT_FETCHED, decide_failure
from crawler.spider.decisions.response import VisitResponse
from crawler.spider.executor import Executor
from crawler.spider.requests import RequestFactory
from crawler.spider.run_settings import DISK_FLOOR_SETTING, REVISIT_SETTING, ROOM_IN_SETTING, take_from_environment
from crawler.spider.site_crawl import STORE_FAILED, SiteCrawl, end_without_store
from crawler.spider.visitor import Visitor
from storage.crawl import frontier
from storage.errors import StorageError

SITE_BUSY: Final = "busy"
WAIT_S: Final = 1.0

log = logging.getLogger(__name__)


class SiteSpider(Spider):
    """Crawls one site, `-a site=NAME`."""

    name = "site"

    def __init__(self, site_crawl: SiteCrawl, room: DiskSpace) -> None:
        super().__init__()
        self.site_crawl = site_crawl
        self._state = site_crawl.state
        self._in_flight = site_crawl.in_flight
        self._claims = ClaimSource(site_crawl, room)
        self._visitor = Visitor(site_crawl.state, site_crawl.readers)
        self._requests = RequestFactory(self.parse, self.refused, in_browser=self._state.site.settings.browser)
        self._executor = Executor(site_crawl, self._requests)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        take_from_environment(settings)

    @classmethod
    def from_crawler(
        cls,
        crawler: Crawler,
        *_args: Any,
        site: str = "",
        readers: ReaderPool | None = None,
        progress: Progress | None = None,
        **_kwargs: Any,
    ) -> "SiteSpider":
        settings = crawler.settings
        if not site or not settings.get(DATABASE_URL_SETTING):
            message = "Run `zhiwen crawl NAME`, or `scrapy crawl site -a site=NAME` with DATABASE_URL set."
            raise UsageError(message)
        try:
            crawl = SiteCrawl.begin(settings, site, readers=readers or ReaderPool(), progress=progress or Progress())
        except (StorageError, BadRule, BadScope) as error:
            raise UsageError(str(error)) from error
        room = DiskSpace(from_text(settings.get(ROOM_IN_SETTING) or ""), settings.getint(DISK_FLOOR_SETTING))
        spider = cls(crawl, room)
        spider._set_crawler(crawler)
        crawler.signals.connect(spider.item_done, signal=signals.item_scraped)
        crawler.signals.connect(spider.item_done, signal=signals.item_dropped)
        crawler.signals.connect(spider.callback_failed, signal=signals.spider_error)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        try:
            await run_in_thread(self.site_crawl.open, revisit_all=self.crawler.settings.getbool(REVISIT_SETTING))
            while (claims := await self._claims.next_claims()) is not None:
                for claim in claims:
                    self._in_flight.took(claim)
                    yield self._requests.for_claim(claim)
                if not claims:
                    await self._in_flight.wait(WAIT_S)
        except SiteBusy as error:
            raise CloseSpider(SITE_BUSY) from error
        except StorageError as error:
            log.error("%s", error)
            raise CloseSpider(STORE_FAILED) from error

    async def parse(self, response: Response) -> AsyncIterator[VisitedArticle | Request]:
        """The callback of every request."""
        self.site_crawl.progress.note()
        self._state.budget.fetched(len(response.body))
        series = response.meta.get(request_meta.SERIES)
        if series is None:
            decisions = await self._visitor.visit(VisitResponse.of(response, response.meta[request_meta.CLAIM]))
        else:
            self._state.budget.took_part()
            await run_in_thread(self.site_crawl.store.do, frontier.renew, series.claim.id)
            decisions = await self._visitor.visit_part(series, VisitResponse.of(response, series.claim))
        outcome = await self._executor.carry_out(decisions)
        if outcome is not None:
            yield outcome
        twin: VisitedArticle | None = response.meta.get(request_meta.TWIN)
        if twin is not None:
            text = outcome.article.text if isinstance(outcome, VisitedArticle) else None
            kept = await self._executor.carry_out([decide_waiting(twin, text)])
            if kept is not None:
                yield kept

    async def refused(self, failure: Failure) -> AsyncIterator[VisitedArticle | Request]:
        """The errback of every request. An article that waits for the address is stored."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy puts it there
        meta, error = request.meta, failure.value or Exception()
        if not is_foreseen(error):
            log.error("%s failed by a bug of the crawler:\n%s", request.url, failure.getTraceback())
        if isinstance(error, StorageError):
            end_without_store(self.crawler, self.site_crawl)
        if isinstance(error, (StorageError, Stopped)) or self._state.is_stopping:
            return  # what is in flight is given back
        if request_meta.SERIES in meta:
            decisions = await self._visitor.part_failed(meta[request_meta.SERIES], request.url, error)
        else:
            claim = meta[request_meta.CLAIM]
            if refusal_of_failure(error) in NOT_FETCHED:
                self._state.budget.gave_back(claim)
            decisions = [decide_failure(claim, request.url, error)]
        outcome = await self._executor.carry_out(decisions)
        if outcome is not None:
            yield outcome
        if request_meta.TWIN in meta:
            yield meta[request_meta.TWIN]

    def item_done(self, item: object) -> None:
        """An article went through all pipelines, or one of them dropped it."""
        if isinstance(item, VisitedArticle):
            self._in_flight.landed(item.claim)

    def callback_failed(self, failure: Failure, response: Response | Failure) -> None:
        """Handles an error in a callback. An error of the store ends the crawl: pages fetched after it would be lost.

        Any other is counted, and the claim of the request is no longer waited for.
        """
        if isinstance(failure.value, StorageError):
            end_without_store(self.crawler, self.site_crawl)
            return
        request: Request = response.request  # type: ignore[union-attr,assignment]  # of a failure Scrapy puts it there
        self._state.refusals.add(Refusal.PARSER_DIED, request.url)
        for claim in request_meta.claims_of(request):
            self._in_flight.landed(claim)

    def give_up(self) -> None:
        """Ends what is still loading or being read; the next run visits it again."""
        self.site_crawl.give_up()
        self.crawler.signals.send_catch_log(GIVE_UP)
