"""robots.txt: what it forbids is not asked for."""

from time import monotonic
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Request, Response

from crawler.network.failures import HostHeld, Refused
from crawler.network.pace import crawl_delay_s
from crawler.outcomes.refusals import Refusal
from crawler.spider.middlewares.base import _site_spider
from crawler.urls.canonical import host_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser


ROBOTS_AGAIN_S: Final = 600.0


SERVER_ERROR: Final = 500


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's own, with a name for what it refuses, and an ear for how slowly the site wants to be asked.

    Where robots.txt cannot be had because of the server, nothing is asked: it might forbid it.
    """

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        self._held: dict[str, float] = {}

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
        spider = _site_spider(self.crawler)
        if stated is not None and spider is not None:
            agent = self._robotstxt_useragent or self._default_useragent
            spider.pace.least(host_of(request.url), crawl_delay_s(stated(agent)))
        try:
            super().process_request_2(rp, request)
        except IgnoreRequest as error:
            raise Refused(Refusal.ROBOTS) from error

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= SERVER_ERROR:
            raise HostHeld(ROBOTS_AGAIN_S)
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, HostHeld):
            self._held[netloc] = monotonic() + exc.wait_s
        super()._robots_error(exc, netloc)
