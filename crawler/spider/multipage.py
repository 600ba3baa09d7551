"""Articles on several pages, in a crawl: the parts are fetched one after the other, and stored as one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from scrapy.http import Request, Response
from scrapy.utils.asyncio import run_in_thread

from crawler.extraction.article_pagination import MOST_PARTS, joined_text
from crawler.extraction.extract import Article
from crawler.extraction.join_pages import joined
from crawler.extraction.reader_pool import PageTask, ReadPage
from crawler.network import request_meta
from crawler.network.failures import refusal_of_status
from crawler.network.raw_response import raw_of
from crawler.outcomes.refusals import Refusal
from crawler.spider.link_filter import entry
from crawler.spider.revisit_policy import PASSING, Answer
from crawler.urls.canonical import canonical_url
from fingerprint.model import Fingerprint
from storage.records.crawl import Claim, FoundUrl, UrlKind

if TYPE_CHECKING:
    from crawler.spider.site_spider import SiteSpider
    from crawler.warc.writer import RawResponse

LONGEST: Final = 2_000_000
"""Characters of all parts. What goes on beyond is a book, and is cut where an article of one page would be."""


@dataclass(slots=True)
class Series:
    """An article as far as it was read. `claim` is that of its first page: a visit of it is a visit of all parts."""

    claim: Claim
    answer: Answer
    first: ReadPage
    found: list[FoundUrl]
    parts: list[Article]
    whole: list[str]
    responses: list[tuple[str, "RawResponse"]]
    """What its pages answered, by their addresses: that of its first page at the least."""
    urls: list[str] = field(default_factory=list)
    """The addresses of its later parts, after redirects."""

    @property
    def has_room(self) -> bool:
        return len(self.parts) < MOST_PARTS and sum(len(part.text) for part in self.parts) < LONGEST

    def add(self, read: ReadPage, url: str, found: Sequence[FoundUrl], response: "RawResponse") -> bool:
        """Whether the page at `url` is a further part. It is none where it holds no article, or was read already."""
        outcome = read.page.outcome
        if not isinstance(outcome, Article) or url == self.answer.url or url in self.urls:
            return False
        self.parts.append(outcome)
        self.whole.append(read.page.whole or outcome.text)
        self.urls.append(url)
        self.responses.append((url, response))
        self.found.extend(found)
        return True

    @property
    def article(self) -> Article:
        return joined(self.parts)

    @property
    def whole_text(self) -> str | None:
        """With the blocks that stand elsewhere on the site; None where that is the same text."""
        whole = joined_text(self.whole)
        return None if self.whole == [part.text for part in self.parts] else whole

    @property
    def later_parts(self) -> tuple[FoundUrl, ...]:
        return tuple(entry(url, UrlKind.ARTICLE) for url in self.urls)


def request_for_part(series: Series, url: str, spider: "SiteSpider") -> Request:
    return Request(
        url,
        callback=spider.parse_part,
        errback=spider.part_refused,
        meta={request_meta.SERIES: series, request_meta.BROWSER: spider.site.settings.browser},
        dont_filter=True,
    )


async def read_part(spider: "SiteSpider", response: Response) -> Request | Refusal | None:
    """Reads a further part: the request for the next one, None where the article ends here, or why it cannot be had
    now, which may pass.
    """
    series: Series = response.meta[request_meta.SERIES]
    spider.count("parts/fetched")
    await run_in_thread(spider.frontier.renew, series.claim)
    url = canonical_url(response.url)
    refusal = refusal_of_status(response.status)
    if refusal is None:
        read = await _read(spider, response, url, first=series.answer.url)
        links = spider.judge.worth_a_visit(read.page.links, link_depth=series.claim.link_depth + 1, traps=spider.traps)
        raw = raw_of(response)
        if raw is None:
            return Refusal.NO_EVIDENCE
        if series.add(read, url, links, raw):
            return further(spider, series, read.page.next_part)
        refusal = read.page.outcome if isinstance(read.page.outcome, Refusal) else None
    if refusal in PASSING:
        return refusal
    if refusal is not None:
        spider.refusals.add(refusal, url)
    return None


def further(spider: "SiteSpider", series: Series, url: str | None) -> Request | None:
    """The request for the part at `url`, where there is one that belongs to the site, and room for it."""
    if url is None or not series.has_room or url in series.urls:
        return None
    refusal = spider.scope.refusal(url)
    if refusal is not None:
        spider.refusals.add(refusal, url)
        return None
    return request_for_part(series, url, spider)


async def fingerprint_of(spider: "SiteSpider", series: Series) -> Fingerprint | None:
    """Of the whole text; that of the first page where there is no other."""
    if len(series.parts) == 1:
        return series.first.fingerprint
    return await run_in_thread(spider.readers.fingerprint, series.article.text)


async def _read(spider: "SiteSpider", response: Response, url: str, *, first: str) -> ReadPage:
    known = replace(spider.known, first_part=first)
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    task = PageTask(response.body, url, content_type, spider.now(), spider.site.settings.time_zone, known)
    return await run_in_thread(spider.readers.read, task)
