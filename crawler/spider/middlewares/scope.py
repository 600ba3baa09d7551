"""Requests outside of a site's scope are dropped; a claim moves along with a redirect."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.http import Request
from scrapy.utils.asyncio import run_in_thread

from crawler.network import request_meta
from crawler.network.failures import Refused
from crawler.outcomes.refusals import Refusal
from crawler.spider.site_crawl import crawl_of
from crawler.urls.canonical import canonical_url, identity_of
from storage.crawl import frontier
from storage.records.crawl import Claim, UrlKind, UrlState

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.frontier_client import SiteFrontier
    from crawler.spider.in_flight import InFlight
    from crawler.urls.scope import Scope


class ScopeMiddleware:
    """Refuses requests that leave the site, redirects included, since they pass here again."""

    def __init__(self, scope: "Scope", site_frontier: "SiteFrontier", in_flight: "InFlight") -> None:
        self._scope = scope
        self._frontier = site_frontier
        self._in_flight = in_flight

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "ScopeMiddleware":
        crawl = crawl_of(crawler)
        if crawl is None:
            raise NotConfigured
        return cls(crawl.state.scope, crawl.frontier, crawl.in_flight)

    async def process_request(self, request: Request) -> None:
        meta = request.meta
        if meta.get(request_meta.OUTSIDE_SCOPE) or request.url.endswith("/robots.txt"):
            return
        url = canonical_url(request.url)
        refusal = self._scope.refusal(url)
        if refusal is not None:
            raise Refused(refusal)
        is_redirected = bool(meta.get("redirect_times")) and not meta.get("retry_times")
        claim: Claim | None = meta.get(request_meta.CLAIM)
        # A redirect to itself may yet lead on, and is bounded.
        if claim is not None and is_redirected and identity_of(url) != identity_of(claim.url):
            meta[request_meta.CLAIM] = await self._move(claim, url)

    async def _move(self, claim: Claim, url: str) -> Claim:
        """The claim of the address that a redirect leads to. Raises Refused if there is nothing to visit there."""
        if claim.state is UrlState.SEEN and claim.kind is UrlKind.ARTICLE:
            known = await run_in_thread(self._frontier.do, frontier.known, identity_of(url))
            if urlsplit(url).path == "/" or (known is not None and known.kind is UrlKind.LIST):
                raise Refused(Refusal.GONE)  # sites redirect requests for deleted pages there
        moved = await run_in_thread(self._frontier.move, claim, url, datetime.now(UTC))
        self._in_flight.landed(claim)
        if moved is None:
            raise Refused(Refusal.DUPLICATE)
        self._in_flight.took(moved)
        return moved
