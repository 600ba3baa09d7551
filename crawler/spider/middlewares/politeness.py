"""Politeness: turns at a host, and pauses that it asks for."""

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Request, Response
from scrapy.utils.asyncio import run_in_thread

from crawler.network.download_handler import GIVE_UP
from crawler.network.failures import HostHeld, Stopped
from crawler.network.pace import hold_s
from crawler.spider.group_commit import GroupCommit
from crawler.spider.site_crawl import crawl_of
from crawler.urls.canonical import host_of
from storage.crawl import host_rate_limit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from sqlalchemy.orm import Session

    from crawler.spider.site_crawl import SiteCrawl

LONGEST_TURN_S: Final = 300.0
"""How long a request waits for its turn. A longer wait is left to the next run."""

TURNS_LINGER_S: Final = 0.0
"""Requests come in bulk, as claims do; while the turns of some are taken, others gather."""

ASKED_TOO_MUCH: Final = frozenset({429, 503})
OK: Final = 200


class PolitenessMiddleware:
    """Lets each request wait for its turn at the host, and pauses a host that answers 429 or 503.

    Not Scrapy's delay: a request that waits there cannot be stopped, and other processes are not counted.
    """

    def __init__(self, crawl: "SiteCrawl") -> None:
        self._store, self._pace, self._state = crawl.store, crawl.pace, crawl.state
        self._given_up = asyncio.Event()
        self._turns: GroupCommit[tuple[str, float], float] = GroupCommit(self._take_turns, linger_s=TURNS_LINGER_S)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "PolitenessMiddleware":
        crawl = crawl_of(crawler)
        if crawl is None:
            raise NotConfigured
        middleware = cls(crawl)
        crawler.signals.connect(middleware._give_up, signal=GIVE_UP)
        crawler.signals.connect(middleware._give_up, signal=signals.spider_closed)
        return middleware

    async def process_request(self, request: Request) -> None:
        host = host_of(request.url)
        delay_s = self._pace.delay_s(host)
        wait_s = await self._turns.put((host, delay_s))
        if wait_s > LONGEST_TURN_S:
            raise HostHeld(wait_s)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._given_up.wait(), wait_s)
        if self._given_up.is_set():
            raise Stopped

    async def process_response(self, request: Request, response: Response) -> Response:
        host, troubled = host_of(request.url), self._pace.troubled
        latency_s = float(request.meta.get("download_latency") or 0.0)
        self._pace.answered(host, latency_s=latency_s, answered_well=response.status == OK)
        if response.status in ASKED_TOO_MUCH:
            self._state.count("hosts/asked-too-much")
            troubled.add(host)
            stated = response.headers.get("Retry-After")
            retry_after = stated.decode("latin-1") if stated else None
            raise HostHeld(await run_in_thread(self._store.do, _hold, host, retry_after))
        if host in troubled:
            troubled.discard(host)
            await run_in_thread(self._store.do, host_rate_limit.answers_again, host)
        return response

    def _take_turns(self, turns: Sequence[tuple[str, float]]) -> list[float]:
        return self._store.do(_take_turns, turns)

    def _give_up(self) -> None:
        self._given_up.set()


def _take_turns(session: "Session", turns: Sequence[tuple[str, float]]) -> list[float]:
    """The seconds to wait for each turn: a host and the delay after it."""
    delays: dict[str, list[float]] = {}
    for host, delay_s in turns:
        delays.setdefault(host, []).append(delay_s)
    # Always in the same order, so that two crawls cannot deadlock.
    waits = {host: iter(host_rate_limit.take_turns(session, host, delays[host])) for host in sorted(delays)}
    return [next(waits[host]) for host, _ in turns]


def _hold(session: "Session", host: str, retry_after: str | None) -> float:
    """Pauses the host, longer each time in a row that it asked for that. Returns for how many seconds."""
    now = datetime.now(UTC)
    wait_s = hold_s(retry_after, refusals=host_rate_limit.count_refusal(session, host), now=now)
    host_rate_limit.hold_off(session, host, until=now + timedelta(seconds=wait_s))
    return wait_s
