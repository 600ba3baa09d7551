"""Carries out decisions: the one place that settles claims and makes further requests."""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from scrapy.utils.asyncio import run_in_thread

from crawler.outcomes.refusals import Refusal
from crawler.spider import frontier_client, revisit_policy
from crawler.spider.decisions.articles import decide_waiting
from crawler.spider.decisions.model import (
    AddUrls,
    Alias,
    Decision,
    Duplicate,
    Follow,
    Gone,
    NextPart,
    Refuse,
    RememberTrap,
    Settlement,
    Store,
    Unchanged,
    Wait,
)
from storage.crawl import frontier
from storage.records.crawl import UrlKind

if TYPE_CHECKING:
    from scrapy import Request

    from crawler.spider.crawl_store import VisitedArticle
    from crawler.spider.requests import RequestFactory
    from crawler.spider.site_crawl import SiteCrawl

CANONICAL_WAIT_S: Final = 30.0
"""For a page that is being visited. Two pages that name each other wait this long, and both are stored."""

RETRIES_AWAITED: Final = timedelta(minutes=5)
"""Longest wait for a host that asked for a pause, of a run with nothing else to do."""

log = logging.getLogger(__name__)


class Executor:
    def __init__(self, crawl: "SiteCrawl", requests: "RequestFactory") -> None:
        self._crawl = crawl
        self._state = crawl.state
        self._do = crawl.frontier.do
        self._requests = requests

    async def carry_out(self, decisions: Iterable[Decision]) -> "VisitedArticle | Request | None":
        """Carries out the decisions about one visit, in order. Returns what the spider yields next, if anything.

        A settled claim is no longer in flight; that of a returned article lands when its pipelines are done.
        """
        news = 0
        for decision in decisions:
            match decision:
                case AddUrls(found):
                    news += await run_in_thread(self._do, frontier.add_urls, found)
                    self._crawl.progress.note()
                case RememberTrap(shape):
                    await run_in_thread(self._do, frontier_client.remember_trap, shape)
                case Store(item):
                    return item
                case NextPart(series, url):
                    return self._requests.for_part(series, url)
                case Wait():
                    return await self._wait(decision)
                case _:
                    await self._settle(decision, news)
                    self._crawl.in_flight.landed(decision.claim)
        return None

    async def _settle(self, decision: Settlement, news: int) -> None:
        state = self._state
        match decision:
            case Refuse():
                await self._refuse(decision)
            case Follow():
                if decision.refusal is not None:
                    state.refusals.add(decision.refusal, decision.answer.url)
                await self._crawl.frontier.settle(frontier_client.follow, decision, news=news)
            case Unchanged(claim):
                state.count("articles/unchanged" if claim.kind is UrlKind.ARTICLE else "lists/unchanged")
                if await self._crawl.frontier.settle(frontier_client.unchanged, decision):
                    state.count("articles/back")
            case Gone(_, url):
                state.refusals.add(Refusal.GONE, url)
                if await self._crawl.frontier.settle(frontier_client.gone, decision):
                    state.count("articles/gone")
            case Alias(_, url):
                state.refusals.add(Refusal.DUPLICATE, url)
                await self._crawl.frontier.settle(frontier_client.alias, decision)
            case Duplicate(_, url):
                state.refusals.add(Refusal.DUPLICATE, url)  # settled by ScopeMiddleware

    async def _refuse(self, decision: Refuse) -> None:
        self._state.refusals.add(decision.refusal, decision.url)
        log.info("%s: %s", decision.refusal, decision.url)
        now = datetime.now(UTC)
        due_at = None if decision.wait_s is None else now + timedelta(seconds=decision.wait_s)
        if due_at is not None and due_at - now <= RETRIES_AWAITED:
            self._state.retry_at = max(self._state.retry_at, due_at)
        visit = revisit_policy.refused(decision.claim, decision.refusal, at=now, due_at=due_at)
        await self._crawl.frontier.settle(frontier_client.settle, visit, decision.found)

    async def _wait(self, decision: Wait) -> "VisitedArticle | Request | None":
        """Visits the canonical address, unless a crawl has done so; then compares with what is stored there."""
        canonical, crawl = decision.canonical, self._crawl
        claim = await run_in_thread(crawl.frontier.claim_one, canonical)
        if claim is not None:
            crawl.in_flight.took(claim)
            return self._requests.for_claim(claim, twin=decision.item)
        text = None
        known = await run_in_thread(self._do, frontier.known, canonical.identity)
        if known is not None:
            await crawl.in_flight.wait_for(known.id, CANONICAL_WAIT_S)
            text = await run_in_thread(self._do, frontier_client.text_at, known.url)
        return await self.carry_out([decide_waiting(decision.item, text)])
