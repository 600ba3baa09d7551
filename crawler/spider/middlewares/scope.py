"""Requests outside of a site's scope are dropped."""

from typing import TYPE_CHECKING

from scrapy.http import Request

from crawler.network import request_meta
from crawler.network.failures import Refused
from crawler.spider.middlewares.base import _site_spider
from crawler.urls.canonical import canonical_url, identity_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from crawler.spider.site_spider import SiteSpider


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
