"""One page, to be read: fetched behind the guard, or the name of why it could not be had."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from crawler.extraction.extract import MAX_PAGE_BYTES
from crawler.fetch.single_page import ask
from crawler.network.ssrf_guard import Network
from crawler.outcomes.refusals import Refusal

TIMEOUT_S: Final = 30.0


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
    in_browser: bool = False,
) -> Fetched | Refusal:
    """The page at `url`, or why it could not be had. A person asks for it, so robots.txt is not asked.

    Blocks up to `timeout_s` and a little. Redirects are followed; each hop passes the guard. `in_browser`: as it stands
    once its scripts have run; ask `browser.what_is_missing` first.
    """
    answer = ask(
        url,
        allowed_networks=allowed_networks,
        user_agent=user_agent,
        timeout_s=timeout_s,
        max_bytes=max_bytes,
        in_browser=in_browser,
    )
    if isinstance(answer, Refusal):
        return answer
    return answer.refusal or Fetched(answer.url, answer.status, answer.headers, answer.body)
