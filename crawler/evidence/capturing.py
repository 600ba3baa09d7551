"""A page fetched anew as evidence: what was answered, by whom, with which certificate; or why nothing was."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from crawler import settings as scrapy_settings
from crawler.errors import UnusableUrl
from crawler.evidence.responses import RAW_META, RawResponseMiddleware
from crawler.extract import MAX_PAGE_BYTES
from crawler.failures import refusal_of_failure, refusal_of_status
from crawler.fetch import START_ALLOWANCE_S
from crawler.guard import ALLOWED_NETWORKS_SETTING, Network
from crawler.refusals import Refusal
from crawler.urls import canonical_url
from crawler.warc import RawResponse

TIMEOUT_S: Final = 20.0
"""Both pages of a case are to be there within a minute."""


@dataclass(frozen=True, slots=True)
class Captured:
    """`url` after redirects; `body` unpacked. `refusal`: why the answer holds no page (a 404); it is kept, too."""

    url: str
    content_type: str
    body: bytes
    response: RawResponse
    refusal: Refusal | None


def capture(
    url: str, *, allowed_networks: Iterable[Network] = (), user_agent: str | None = None, timeout_s: float = TIMEOUT_S
) -> Captured | Refusal:
    """What `url` answers now, or why nothing could be had. Blocks; redirects are followed, each hop past the guard.

    A person or a case asks for it, so robots.txt is not asked.
    """
    try:
        target = canonical_url(url)
    except UnusableUrl:
        return Refusal.UNUSABLE_URL
    order = {
        "url": target,
        "settings": {
            ALLOWED_NETWORKS_SETTING: [str(network) for network in allowed_networks],
            "DOWNLOAD_TIMEOUT": timeout_s,
            "DOWNLOAD_MAXSIZE": MAX_PAGE_BYTES,
            **({"USER_AGENT": user_agent} if user_agent else {}),
        },
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "crawler.evidence.capturing"],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # The order alone says what is allowed.
            env={name: value for name, value in os.environ.items() if name != ALLOWED_NETWORKS_SETTING},
            timeout=timeout_s + START_ALLOWANCE_S,
            check=False,
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return Refusal.TIMEOUT
    except ValueError:
        return Refusal.BROKEN_RESPONSE
    return _captured(answer)


def _captured(answer: dict[str, Any]) -> Captured | Refusal:
    if "raw" not in answer:
        return Refusal(answer["refusal"])
    raw = answer["raw"]
    response = RawResponse(
        url=raw["url"],
        at=datetime.fromisoformat(raw["at"]),
        status=raw["status"],
        headers=tuple((name, value) for name, value in raw["headers"]),
        body=base64.b64decode(raw["body"]),
        peer=raw["peer"],
        protocol=raw["protocol"],
        certificate=None if raw["certificate"] is None else base64.b64decode(raw["certificate"]),
    )
    refusal = answer.get("refusal")
    body = base64.b64decode(answer["body"])
    return Captured(
        answer["url"], answer["content_type"], body, response, None if refusal is None else Refusal(refusal)
    )


class CaptureSpider(Spider):
    """Fetches one page and keeps the answer, whatever its status."""

    name = "capture"

    def __init__(self, url: str, answer: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._url = url
        self._answer = answer

    async def start(self) -> AsyncIterator[Request]:
        yield Request(self._url, callback=self.parse, errback=self.refused)

    def parse(self, response: Response) -> None:
        raw: RawResponse = response.meta[RAW_META]
        self._answer.update(
            url=canonical_url(response.url),
            content_type=(response.headers.get("Content-Type") or b"").decode("latin-1"),
            body=base64.b64encode(response.body).decode("ascii"),
            raw={
                "url": raw.url,
                "at": raw.at.astimezone(UTC).isoformat(),
                "status": raw.status,
                "headers": raw.headers,
                "body": base64.b64encode(raw.body).decode("ascii"),
                "peer": raw.peer,
                "protocol": raw.protocol,
                "certificate": None if raw.certificate is None else base64.b64encode(raw.certificate).decode("ascii"),
            },
        )
        refusal = refusal_of_status(response.status)
        if refusal is not None:
            self._answer["refusal"] = refusal

    def refused(self, failure: Failure) -> None:
        self._answer["refusal"] = refusal_of_failure(failure.value or Exception())


def main() -> None:
    """The child: an order in, an answer out."""
    order = json.load(sys.stdin)
    settings = Settings()
    settings.setmodule(scrapy_settings, priority="project")
    middlewares: dict[Any, Any] = {**scrapy_settings.DOWNLOADER_MIDDLEWARES, RawResponseMiddleware: 940}
    own: dict[str, Any] = {
        **order["settings"],
        "ROBOTSTXT_OBEY": False,
        "AUTOTHROTTLE_ENABLED": False,
        "ITEM_PIPELINES": {},
        "SPIDER_MIDDLEWARES": {},
        "DOWNLOADER_MIDDLEWARES": middlewares,
        "RETRY_ENABLED": False,
        "EXTENSIONS": dict.fromkeys(scrapy_settings.EXTENSIONS),
    }
    settings.setdict(own, priority="cmdline")
    answer: dict[str, Any] = {}
    process = CrawlerProcess(settings)
    process.crawl(CaptureSpider, url=order["url"], answer=answer)
    process.start()
    json.dump(answer or {"refusal": Refusal.BROKEN_RESPONSE}, sys.stdout)


if __name__ == "__main__":
    main()
