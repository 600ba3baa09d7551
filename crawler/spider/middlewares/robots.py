"""robots.txt: what it forbids is not requested; its delay and sitemaps are used."""

from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Request, Response
from scrapy.utils.asyncio import run_in_thread

from crawler.network import request_meta
from crawler.network.failures import HostHeld, Refused
from crawler.network.pace import crawl_delay_s
from crawler.outcomes.refusals import Refusal
from crawler.spider.site_crawl import crawl_of
from crawler.urls.canonical import host_of
from storage.crawl import frontier
from storage.records.crawl import UrlKind

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

ROBOTS_AGAIN_S: Final = 600.0
SERVER_ERROR: Final = 500

MOST_SITEMAPS: Final = 500
"""Of one robots.txt; each is written to the frontier by itself."""


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's own, with names for refusals; a site's crawl also takes its delay and sitemaps from robots.txt.

    If the server fails to answer with its robots.txt, the host is left alone for a while: it might forbid everything.
    """

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        self._crawl = crawl_of(crawler)
        self._held: dict[str, float] = {}
        if self._crawl is not None:
            crawler.signals.connect(self._add_sitemaps, signal=signals.robots_parsed)

    async def process_request(self, request: Request, spider: "Spider | None" = None) -> None:
        netloc = urlsplit(request.url).netloc
        if netloc in self._held and self._held[netloc] < monotonic():
            del self._held[netloc]
            self._parsers.pop(netloc, None)
        await super().process_request(request)

    def process_request_2(self, rp: "RobotParser | None", request: Request) -> None:
        until = self._held.get(urlsplit(request.url).netloc)
        if until is not None:
            raise HostHeld(max(1.0, until - monotonic()))
        stated = getattr(getattr(rp, "rp", None), "crawl_delay", None)
        if stated is not None:
            agent = self._robotstxt_useragent or self._default_useragent
            self._keep_delay(request, crawl_delay_s(stated(agent)))
        try:
            super().process_request_2(rp, request)
        except IgnoreRequest as error:
            raise Refused(Refusal.ROBOTS) from error

    def _keep_delay(self, request: Request, delay_s: float) -> None:
        if self._crawl is None:
            request.meta[request_meta.CRAWL_DELAY] = delay_s
        else:
            self._crawl.pace.least(host_of(request.url), delay_s)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= SERVER_ERROR:
            raise HostHeld(ROBOTS_AGAIN_S)
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, HostHeld):
            self._held[netloc] = monotonic() + exc.wait_s
        super()._robots_error(exc, netloc)

    async def _add_sitemaps(self, robotparser: Any) -> None:
        """Adds the sitemaps that robots.txt names to the frontier."""
        if self._crawl is None:
            return
        crawl, state = self._crawl, self._crawl.state
        named = [str(url) for url in getattr(getattr(robotparser, "rp", None), "sitemaps", ())]
        for url in named[:MOST_SITEMAPS]:
            found = state.entry(url, UrlKind.SITEMAP)
            if found is not None:
                await run_in_thread(crawl.frontier.do, frontier.add_entry, found, since=state.started_at)
        for url in named[MOST_SITEMAPS:]:
            state.refusals.add(Refusal.BEYOND_BOUND, url)
        crawl.in_flight.wake()
