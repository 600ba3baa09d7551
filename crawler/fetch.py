"""The only client for single pages: one address, fetched in a child process behind the same guard as every crawl."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from crawler import settings as scrapy_settings
from crawler.errors import UnusableUrl
from crawler.extract import MAX_PAGE_BYTES
from crawler.failures import refusal_of_failure, refusal_of_status
from crawler.guard import ALLOWED_NETWORKS_SETTING, Network
from crawler.refusals import Refusal
from crawler.urls import canonical_url

TIMEOUT_S: Final = 30.0
START_ALLOWANCE_S: Final = 60.0
"""For the child to load its libraries: two seconds, on a busy machine many. The network has `timeout_s`."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response: `url` after redirects, names of headers in small letters."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")


def fetch(
    url: str,
    *,
    allowed_networks: Iterable[Network] = (),
    user_agent: str | None = None,
    timeout_s: float = TIMEOUT_S,
    max_bytes: int = MAX_PAGE_BYTES,
) -> Fetched | Refusal:
    """The page at `url`, or why it could not be had. A person asks for it, so robots.txt is not asked.

    Blocks up to `timeout_s` and a little. Redirects are followed; each hop passes the guard.
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
            "DOWNLOAD_MAXSIZE": max_bytes,
            **({"USER_AGENT": user_agent} if user_agent else {}),
        },
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "crawler.fetch"],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # The order alone says what is allowed.
            env={name: value for name, value in os.environ.items() if name != ALLOWED_NETWORKS_SETTING},
            timeout=timeout_s + START_ALLOWANCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Refusal.TIMEOUT
    return _answer(done.stdout)


def _answer(output: bytes) -> Fetched | Refusal:
    try:
        answer = json.loads(output)
    except ValueError:
        return Refusal.BROKEN_RESPONSE
    if "refusal" in answer:
        return Refusal(answer["refusal"])
    return Fetched(answer["url"], answer["status"], answer["headers"], base64.b64decode(answer["body"]))


class PageSpider(Spider):
    """Fetches one page and keeps the answer."""

    name = "page"

    def __init__(self, url: str, answer: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._url = url
        self._answer = answer

    async def start(self) -> AsyncIterator[Request]:
        yield Request(self._url, callback=self.parse, errback=self.refused)

    def parse(self, response: Response) -> None:
        refusal = refusal_of_status(response.status)
        if refusal is not None:
            self._answer["refusal"] = refusal
            return
        headers = {name.lower(): value for name, value in response.headers.to_unicode_dict().items()}
        body = base64.b64encode(response.body).decode("ascii")
        self._answer.update(url=canonical_url(response.url), status=response.status, headers=headers, body=body)

    def refused(self, failure: Failure) -> None:
        self._answer["refusal"] = refusal_of_failure(failure.value or Exception())


def main() -> None:
    """The child: an order in, an answer out."""
    order = json.load(sys.stdin)
    settings = Settings()
    settings.setmodule(scrapy_settings, priority="project")
    own: dict[str, Any] = {
        **order["settings"],
        "ROBOTSTXT_OBEY": False,
        "ITEM_PIPELINES": {},
        "RETRY_ENABLED": False,
        "EXTENSIONS": dict.fromkeys(scrapy_settings.EXTENSIONS),
    }
    settings.setdict(own, priority="cmdline")
    answer: dict[str, Any] = {}
    process = CrawlerProcess(settings)
    process.crawl(PageSpider, url=order["url"], answer=answer)
    process.start()
    json.dump(answer or {"refusal": Refusal.BROKEN_RESPONSE}, sys.stdout)


if __name__ == "__main__":
    main()
