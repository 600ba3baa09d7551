"""What every request passes on its way out: the site's scope, robots.txt, its turn, the guard. Refusals have names."""

import asyncio
import contextlib
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware as ScrapyMetaRefreshMiddleware
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware as ScrapyRedirectMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest
from scrapy.http import Request, Response
from scrapy.utils.asyncio import run_in_thread

from crawler.network import request_meta
from crawler.network.download_handler import GIVE_UP
from crawler.network.failures import HostHeld, Refused, Stopped
from crawler.network.pace import crawl_delay_s, hold_s
from crawler.network.ssrf_guard import GuardedResolver, Network, allowed_networks, is_allowed
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url, host_of, identity_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

    from crawler.spider.site_spider import SiteSpider

LONGEST_TURN_S: Final = 300.0
"""A request waits so long for its turn. A host that asks for more is left to the next run."""

ROBOTS_AGAIN_S: Final = 600.0
SERVER_ERROR: Final = 500
ASKED_TOO_MUCH: Final = frozenset({429, 503})


class ScopeMiddleware:
    """Refuses what leaves the site, redirects included: they come by here again."""

    def __init__(self, crawler: "Crawler") -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "ScopeMiddleware":
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        spider: SiteSpider | None = _site_spider(self._crawler)
        if spider is None or request.meta.get(request_meta.OUTSIDE_SCOPE) or request.url.endswith("/robots.txt"):
            return
        url = canonical_url(request.url)
        refusal = spider.scope.refusal(url)
        if refusal is not None:
            raise Refused(refusal)
        # A redirect to itself may yet lead on, and is bounded.
        if self._is_redirected(request) and identity_of(url) != identity_of(request.meta[request_meta.CLAIM].url):
            await spider.redirected(request, url)

    @staticmethod
    def _is_redirected(request: Request) -> bool:
        meta = request.meta
        return request_meta.CLAIM in meta and bool(meta.get("redirect_times")) and not meta.get("retry_times")


class RedirectMiddleware(ScrapyRedirectMiddleware):
    """Scrapy's own; but a redirect to an address that was met is named and counted, not dropped by the scheduler."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        return _unconditional(super()._redirect(redirected, request, reason))


class MetaRefreshMiddleware(ScrapyMetaRefreshMiddleware):
    """The same for redirects in the markup."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        return _unconditional(super()._redirect(redirected, request, reason))


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


class TurnMiddleware:
    """Lets each request wait for its turn at the host, and leaves a host alone that says it is asked too much.

    Not Scrapy's delay: what waits there cannot be stopped, and knows of no other process.
    """

    def __init__(self, crawler: "Crawler") -> None:
        self._crawler = crawler
        self._given_up = asyncio.Event()
        crawler.signals.connect(self._give_up, signal=GIVE_UP)
        crawler.signals.connect(self._give_up, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "TurnMiddleware":
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        spider = _site_spider(self._crawler)
        if spider is None:
            return
        host = host_of(request.url)
        wait_s = await run_in_thread(spider.frontier.take_turn, host, spider.pace.delay_s(host))
        if wait_s > LONGEST_TURN_S:
            raise HostHeld(wait_s)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._given_up.wait(), wait_s)
        if self._given_up.is_set():
            raise Stopped

    async def process_response(self, request: Request, response: Response) -> Response:
        spider = _site_spider(self._crawler)
        if spider is None:
            return response
        host = host_of(request.url)
        latency_s = float(request.meta.get("download_latency") or 0.0)
        spider.pace.answered(host, latency_s=latency_s, answered_well=response.status == 200)  # noqa: PLR2004  (HTTP's own number)
        if response.status in ASKED_TOO_MUCH:
            await self._hold(spider, host, response)
        elif host in spider.pace.troubled:
            spider.pace.troubled.discard(host)
            await run_in_thread(spider.frontier.host_answers, host)
        return response

    async def _hold(self, spider: "SiteSpider", host: str, response: Response) -> None:
        spider.count("hosts/asked-too-much")
        spider.pace.troubled.add(host)
        stated = response.headers.get("Retry-After")
        written = stated.decode("latin-1") if stated else None

        def seconds(refusals: int) -> float:
            return hold_s(written, refusals=refusals, now=datetime.now(UTC))

        wait_s = await run_in_thread(spider.frontier.hold_host, host, seconds)
        raise HostHeld(wait_s)

    def _give_up(self) -> None:
        self._given_up.set()


class GuardMiddleware:
    """Names what the guard did, and looks once more at the address that really answered."""

    def __init__(self, allowed: tuple[Network, ...]) -> None:
        self._allowed = allowed

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "GuardMiddleware":
        return cls(allowed_networks(crawler.settings))

    def process_response(self, request: Request, response: Response) -> Response:
        address = response.ip_address
        if address is not None and not is_allowed(str(address), self._allowed):
            raise Refused(Refusal.BLOCKED_ADDRESS)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        from twisted.internet import reactor  # noqa: PLC0415  (importing it earlier would install a reactor)

        guard = getattr(reactor, "nameResolver", None)
        if not isinstance(exception, CannotResolveHostError) or not isinstance(guard, GuardedResolver):
            return
        if guard.has_blocked(urlsplit(request.url).hostname or ""):
            raise Refused(Refusal.BLOCKED_ADDRESS) from exception


def _site_spider(crawler: "Crawler") -> "SiteSpider | None":
    """The spider, where it is ours: single pages and other projects' spiders use the same settings."""
    return cast("SiteSpider", crawler.spider) if hasattr(crawler.spider, "frontier") else None


def _unconditional(redirected: Request) -> Request:
    """What is known of one address says nothing about another."""
    headers = redirected.headers.copy()
    headers.pop("If-None-Match", None)
    headers.pop("If-Modified-Since", None)
    return redirected.replace(dont_filter=True, headers=headers)
