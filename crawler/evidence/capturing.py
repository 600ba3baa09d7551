"""A page fetched anew as evidence: what was answered, by whom, with which certificate; or why nothing was."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from crawler.extraction.extract import MAX_PAGE_BYTES
from crawler.fetch.single_page import ask
from crawler.network.ssrf_guard import Network
from crawler.outcomes.refusals import Refusal
from crawler.warc.writer import RawResponse

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
    url: str,
    *,
    allowed_networks: Iterable[Network] = (),
    user_agent: str | None = None,
    timeout_s: float = TIMEOUT_S,
    in_browser: bool = False,
) -> Captured | Refusal:
    """What `url` answers now, or why nothing could be had. Blocks; redirects are followed, each hop past the guard.

    A person or a case asks for it, so robots.txt is not asked. `in_browser`: what its scripts make of the answer, with
    a header that says so, and without the certificate.
    """
    answer = ask(
        url,
        allowed_networks=allowed_networks,
        user_agent=user_agent,
        timeout_s=timeout_s,
        max_bytes=MAX_PAGE_BYTES,
        is_evidence=True,
        in_browser=in_browser,
    )
    if isinstance(answer, Refusal):
        return answer
    if answer.raw is None:
        return answer.refusal or Refusal.BROKEN_RESPONSE
    content_type = answer.headers.get("content-type", "")
    return Captured(answer.url, content_type, answer.body, answer.raw, answer.refusal)
