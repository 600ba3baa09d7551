"""A response, as far as decisions need it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.network.raw_response import raw_of
from crawler.spider.revisit_policy import Answer
from crawler.urls.canonical import canonical_url
from storage.records.crawl import Claim

if TYPE_CHECKING:
    from scrapy.http import Response

    from crawler.warc.writer import RawResponse


@dataclass(frozen=True, slots=True)
class VisitResponse:
    """What an address of the frontier answered. `raw`: the response as sent; None if it was not recorded."""

    claim: Claim
    answer: Answer
    status: int
    body: bytes
    content_type: str
    robots_tag: str | None
    raw: "RawResponse | None"

    @classmethod
    def of(cls, response: "Response", claim: Claim) -> "VisitResponse":
        answer = Answer(
            canonical_url(response.url),
            datetime.now(UTC),
            _header(response, "ETag"),
            _header(response, "Last-Modified"),
        )
        content_type = _header(response, "Content-Type") or ""
        tag = _header(response, "X-Robots-Tag")
        return cls(claim, answer, response.status, response.body, content_type, tag, raw_of(response))

    @property
    def url(self) -> str:
        return self.answer.url


def _header(response: "Response", name: str) -> str | None:
    value = response.headers.get(name)
    # NUL and bytes beyond Latin-1 would not survive the way to the database and back.
    return value.decode("latin-1").replace("\x00", "")[:500] if value else None
