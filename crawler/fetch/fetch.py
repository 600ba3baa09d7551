"""One page, fetched behind the guard: to be read, or as evidence."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from crawler.extraction.article import MAX_PAGE_BYTES
from crawler.fetch.page_process import answered, raw_of_words
from crawler.network.public_addresses import ALLOWED_NETWORKS_SETTING, Network
from crawler.outcomes.errors import UnusableUrl
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url
from crawler.warc.writer import RawResponse

TIMEOUT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response: `url` after redirects, names of headers in small letters, `body` unpacked.

    `refusal`: why it holds no page (a 404). `raw`: the same as it was sent, if that was asked for.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    refusal: Refusal | None = None
    raw: RawResponse | None = None
    crawl_delay_s: float = 0.0
    """That robots.txt asks for, where it was read."""

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
    in_browser: bool = False,
) -> Fetched | Refusal:
    """The page at `url`, or why it could not be fetched.

    Blocks up to `timeout_s` and a little. A person asks for it, so robots.txt is not read. Redirects are followed; each
    hop passes the guard. `in_browser`: the page after its scripts have run; ask `browser.what_is_missing` first.
    """
    answer = ask(
        url,
        allowed_networks=allowed_networks,
        user_agent=user_agent,
        timeout_s=timeout_s,
        max_bytes=max_bytes,
        in_browser=in_browser,
    )
    return answer if isinstance(answer, Refusal) else answer.refusal or answer


def ask(
    url: str,
    *,
    allowed_networks: Iterable[Network],
    user_agent: str | None,
    timeout_s: float,
    max_bytes: int = MAX_PAGE_BYTES,
    is_evidence: bool = False,
    in_browser: bool = False,
    obeys_robots: bool = False,
    accept: str | None = None,
) -> Fetched | Refusal:
    """As `fetch`, but an answer that holds no page is returned, too. `is_evidence`: with the response as sent.
    `obeys_robots`: nobody asked for this page, so what robots.txt forbids is refused, on each hop of redirects.
    `accept`: the media type that is asked for, if it is no page.
    """
    try:
        target = canonical_url(url)
    except UnusableUrl:
        return Refusal.UNUSABLE_URL
    settings = {
        ALLOWED_NETWORKS_SETTING: [str(network) for network in allowed_networks],
        "DOWNLOAD_TIMEOUT": timeout_s,
        "DOWNLOAD_MAXSIZE": max_bytes,
        "ZHIWEN_BROWSER_LOAD_S": timeout_s,
        **({"USER_AGENT": user_agent} if user_agent else {}),
    }
    order = {
        "url": target,
        "is_evidence": is_evidence,
        "in_browser": in_browser,
        "obeys_robots": obeys_robots,
        "accept": accept,
        "settings": settings,
    }
    answer = answered(order, timeout_s=timeout_s)
    refusal = None if answer.get("refusal") is None else Refusal(answer["refusal"])
    if "url" not in answer:
        return refusal or Refusal.BROKEN_RESPONSE
    raw = None if answer["raw"] is None else raw_of_words(answer["raw"])
    body, delay_s = base64.b64decode(answer["body"]), answer["crawl_delay_s"]
    return Fetched(answer["url"], answer["status"], answer["headers"], body, refusal, raw, delay_s)
