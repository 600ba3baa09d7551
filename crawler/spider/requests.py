"""The requests of the spider."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy import Request

from crawler.discovery.feeds import MAX_SITEMAP_BYTES
from crawler.network import request_meta
from crawler.spider.crawl_store import VisitedArticle
from crawler.spider.decisions.series import Series
from storage.records.crawl import Claim, UrlKind

_DOCUMENT: Final = re.compile(r"\.(?:pdf|docx)$", re.IGNORECASE)
"""Addresses of files that a browser would save and not show."""


@dataclass(frozen=True, slots=True)
class RequestFactory:
    """`in_browser`: whether pages are opened in a browser."""

    callback: Callable[..., Any]
    errback: Callable[..., Any]
    in_browser: bool

    def for_claim(self, claim: Claim, *, twin: VisitedArticle | None = None) -> Request:
        """A request for an address of the frontier; `twin`: an article that waits for the visit."""
        stated = {"If-None-Match": claim.etag, "If-Modified-Since": claim.last_modified}
        meta: dict[str, Any] = {request_meta.CLAIM: claim} | ({} if twin is None else {request_meta.TWIN: twin})
        if claim.kind not in (UrlKind.ARTICLE, UrlKind.LIST):
            meta |= {request_meta.OUTSIDE_SCOPE: True, "download_maxsize": MAX_SITEMAP_BYTES}
        elif self.in_browser and not _DOCUMENT.search(urlsplit(claim.url).path):
            meta[request_meta.BROWSER] = True
            stated = {}  # the page may change where what loads it does not
        return self._request(claim.url, meta, {name: value for name, value in stated.items() if value})

    def for_part(self, series: Series, url: str) -> Request:
        """A request for a further page of an article."""
        return self._request(url, {request_meta.SERIES: series, request_meta.BROWSER: self.in_browser})

    def _request(self, url: str, meta: dict[str, Any], headers: dict[str, str] | None = None) -> Request:
        return Request(url, callback=self.callback, errback=self.errback, headers=headers, meta=meta, dont_filter=True)
