"""Waiting for a turn at a host."""

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.http import Request, Response
from scrapy.utils.asyncio import run_in_thread

from crawler.network.download_handler import GIVE_UP
from crawler.network.failures import HostHeld, Stopped
from crawler.network.pace import hold_s
from crawler.spider.middlewares.base import _site_spider
from crawler.urls.canonical import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.site_spider import SiteSpider


LONGEST_TURN_S: Final = 300.0
"""A request waits so long for its turn. A host that asks for more is left to the next run."""


ASKED_TOO_MUCH: Final = frozenset({429, 503})


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
