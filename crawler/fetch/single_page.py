"""Requests one address with Scrapy, behind the same guard as every crawl: what the process of a single page does."""

import base64
import json
import os
import resource
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from datetime import UTC
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from crawler import settings as scrapy_settings
from crawler.browser import availability
from crawler.network import request_meta
from crawler.network.failures import refusal_of_failure, refusal_of_status
from crawler.network.raw_response import RawResponseMiddleware, raw_of
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url
from crawler.warc.writer import RawResponse

STDERR: Final = 2


class PageSpider(Spider):
    """Asks one address and keeps the answer, whatever its status."""

    name = "page"

    def __init__(self, order: Mapping[str, Any], answer: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._order = order
        self._answer = answer

    async def start(self) -> AsyncIterator[Request]:
        meta = {request_meta.BROWSER: True} if self._order["in_browser"] else None
        headers = {"Accept": self._order["accept"]} if self._order.get("accept") else None
        yield Request(self._order["url"], callback=self.parse, errback=self.refused, meta=meta, headers=headers)

    def parse(self, response: Response) -> None:
        raw = raw_of(response) if self._order["is_evidence"] else None
        self._answer.update(
            url=canonical_url(response.url),
            status=response.status,
            headers={name.lower(): value for name, value in response.headers.to_unicode_dict().items()},
            body=_encoded(response.body),
            refusal=refusal_of_status(response.status),
            raw=None if raw is None else _in_words(raw),
            crawl_delay_s=response.meta.get(request_meta.CRAWL_DELAY, 0.0),
        )

    def refused(self, failure: Failure) -> None:
        self._answer["refusal"] = refusal_of_failure(failure.value or Exception())


def _in_words(raw: RawResponse) -> dict[str, Any]:
    certificate = None if raw.certificate is None else _encoded(raw.certificate)
    at = raw.at.astimezone(UTC).isoformat()
    return {**asdict(raw), "at": at, "body": _encoded(raw.body), "certificate": certificate}


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def serve(order: Mapping[str, Any], environment: Mapping[str, str], asked: Connection) -> None:
    """Send the answer to the order, as JSON; needs a process of its own."""
    os.environ.clear()
    os.environ.update(environment)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), STDERR)
    answer: dict[str, Any] = {}
    process = CrawlerProcess(_settings(order))
    process.crawl(PageSpider, order=order, answer=answer)
    process.start()
    asked.send_bytes(json.dumps(answer or {"refusal": Refusal.BROKEN_RESPONSE}).encode())


def _settings(order: Mapping[str, Any]) -> Settings:
    settings = Settings()
    settings.setmodule(scrapy_settings, priority="project")
    middlewares: dict[Any, Any] = {**scrapy_settings.DOWNLOADER_MIDDLEWARES, RawResponseMiddleware: 940}
    own: dict[str, Any] = {
        **order["settings"],
        "ROBOTSTXT_OBEY": order["obeys_robots"],
        # The loader of spiders would import the crawl's, and with it all that reads pages.
        "SPIDER_MODULES": [],
        "ITEM_PIPELINES": {},
        "SPIDER_MIDDLEWARES": {},
        "DOWNLOADER_MIDDLEWARES": middlewares,
        "RETRY_ENABLED": False,
        "EXTENSIONS": dict.fromkeys(scrapy_settings.EXTENSIONS),
    }
    if order["in_browser"]:
        own |= availability.scrapy_settings()
        # The parent may have bounded its address space, for reading: a browser reserves far more than it uses.
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    settings.setdict(own, priority="cmdline")
    return settings
