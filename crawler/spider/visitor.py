"""What is done with a response: read, judged, remembered. The part of the spider that knows what pages are."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy.http import Request, Response
from scrapy.utils.asyncio import run_in_thread

from crawler.discovery.feeds import (
    MAX_FEED_ENTRIES,
    MAX_SITEMAP_ENTRIES,
    Entry,
    ReadList,
    kind_of,
    read_list,
)
from crawler.extraction.extract import Article
from crawler.extraction.html.robots_meta import NOARCHIVE, NOINDEX, directives
from crawler.extraction.metadata.dates import time_zone_of
from crawler.extraction.metadata.rights import with_rights
from crawler.extraction.page_types.list_pages import is_list_address
from crawler.extraction.reader_pool import PageTask, ReadPage
from crawler.network import request_meta
from crawler.network.failures import refusal_of_status
from crawler.network.raw_response import raw_of
from crawler.outcomes.refusals import Refusal
from crawler.spider.crawl_store import VisitedArticle
from crawler.spider.duplicates import is_same_article
from crawler.spider.link_filter import leads_beyond, on_same_level
from crawler.spider.multipage import Series, fingerprint_of, further
from crawler.spider.revisit_policy import LISTS, Answer
from crawler.urls.canonical import canonical_url, identity_of
from storage.records.crawl import Claim, FoundUrl, Tier, UrlKind, UrlState
from storage.records.pages import NewArticle
from storage.types import FoundBy

if TYPE_CHECKING:
    from crawler.spider.site_spider import SiteSpider

ENTRIES_AT_ONCE: Final = 1_000

TWIN_WAIT_S: Final = 30.0
"""For a page that is just being visited. Two that name each other wait so long for each other, and are both kept."""

MAX_SITEMAP_DEPTH: Final = 3
NOT_MODIFIED: Final = 304


class Visitor:
    """One visit for a spider. Tells the frontier what came of it; an article goes to be stored, and tells it then."""

    def __init__(self, spider: "SiteSpider") -> None:
        self._spider = spider
        self._frontier = spider.frontier
        self._now = datetime.now(UTC)

    async def visit(self, response: Response) -> VisitedArticle | Request | None:
        claim: Claim = response.meta[request_meta.CLAIM]
        answer = Answer(
            canonical_url(response.url), self._now, header(response, "ETag"), header(response, "Last-Modified")
        )
        is_page = claim.kind in (UrlKind.ARTICLE, UrlKind.LIST)
        if is_page:
            self._spider.count("pages/fetched")
        if response.status == NOT_MODIFIED:
            await self._unchanged(claim)
        elif (refusal := refusal_of_status(response.status)) is not None:
            await self._refused(claim, refusal, answer.url, reason=f"status {response.status}")
        else:
            # A link may lead to a feed, as it may to a page.
            kind = (is_page and kind_of(response.body)) or claim.kind
            if kind in (UrlKind.ARTICLE, UrlKind.LIST):
                return await self._page(response, claim, answer)
            await (self._feed if kind is UrlKind.FEED else self._sitemap)(response, claim, answer)
        return None

    async def _unchanged(self, claim: Claim) -> None:
        self._spider.count("articles/unchanged" if claim.kind is UrlKind.ARTICLE else "lists/unchanged")
        if await run_in_thread(self._frontier.unchanged, claim, self._now):
            self._spider.count("articles/back")

    async def _refused(self, claim: Claim, refusal: Refusal, url: str, *, reason: str) -> None:
        if refusal is not Refusal.GONE:
            await self._spider.refuse(claim, refusal, url)
            return
        await self.gone(claim, url, reason=reason)

    async def gone(self, claim: Claim, url: str, *, reason: str) -> None:
        """Nothing stands there any more."""
        self._spider.refusals.add(Refusal.GONE, url)
        if await run_in_thread(self._frontier.gone, claim, self._now, reason=reason):
            self._spider.count("articles/gone")

    async def _page(self, response: Response, claim: Claim, answer: Answer) -> VisitedArticle | Request | None:
        spider = self._spider
        content_type = header(response, "Content-Type") or ""
        zone = spider.site.settings.time_zone
        task = PageTask(response.body, answer.url, content_type, self._now, zone, spider.known)
        read: ReadPage = await run_in_thread(spider.readers.read, task)
        found = spider.judge.worth_a_visit(read.page.links, link_depth=claim.link_depth + 1, traps=spider.traps)
        found = on_same_level(found, claim.url, claim.link_depth, next_list=read.page.next_list)
        found += self._feeds(read.page.feeds)
        if await self._is_notice(read, claim, answer.url, found):
            return None
        outcome = self._judged(read, claim, answer.url)
        is_article = isinstance(outcome, Article)
        await self._count_shape(claim, is_fruitful=is_article or leads_beyond(claim.url, found))
        if self._asks_not_to_be_stored(response):
            spider.refusals.add(Refusal.NOT_TO_BE_KEPT, answer.url)
            await run_in_thread(
                self._frontier.list_read, claim, answer, found, kind=UrlKind.ARTICLE, refusal=Refusal.NOT_TO_BE_KEPT
            )
            return None
        if isinstance(outcome, Article):
            return await self._begun(response, read, outcome, claim, answer, found)
        if spider.is_stopping:
            return None
        if outcome not in LISTS and outcome is not Refusal.TOO_SHORT:
            await spider.refuse(claim, outcome, answer.url, found=found)
            return None
        spider.refusals.add(outcome, answer.url)
        is_list = outcome in LISTS or claim.kind is UrlKind.LIST or is_list_address(answer.url)
        is_list = is_list or leads_beyond(claim.url, found)
        kind = UrlKind.LIST if is_list else UrlKind.ARTICLE
        await run_in_thread(
            self._frontier.list_read,
            claim,
            answer,
            found,
            kind=kind,
            refusal=outcome,
            next_list=read.page.next_list if is_list else None,
        )
        return None

    async def _begun(
        self,
        response: Response,
        read: ReadPage,
        article: Article,
        claim: Claim,
        answer: Answer,
        found: list[FoundUrl],
    ) -> VisitedArticle | Request | None:
        """An article: on to its next part, or whole as it is."""
        spider, raw = self._spider, raw_of(response)
        if raw is None:
            await spider.refuse(claim, Refusal.NO_EVIDENCE, answer.url, found=found)
            return None
        spider.lessons.repeats.saw(read.page.marks)
        texts = [read.page.whole or article.text]
        series = Series(claim, answer, read, found, [article], texts, [(answer.url, raw)])
        return further(spider, series, read.page.next_part) or await self.whole(series)

    async def _is_notice(self, read: ReadPage, claim: Claim, url: str, found: list[FoundUrl]) -> bool:
        """Whether the page only says that there is nothing, or asks who is there; the frontier is told then."""
        is_barred = read.is_barred and isinstance(read.page.outcome, Article)
        if read.is_absent:
            await self.gone(claim, url, reason="says that it is not there")
        elif is_barred:
            await self._spider.refuse(claim, Refusal.BARRED, url, found=found)
        return read.is_absent or is_barred

    def _judged(self, read: ReadPage, claim: Claim, url: str) -> Article | Refusal:
        """What the page is, from what it says and from what the site's other pages of such addresses were."""
        outcome = read.page.outcome
        shapes = self._spider.lessons.shapes
        if isinstance(outcome, Refusal):
            if outcome in LISTS:
                shapes.saw(url, is_list=True)
            return outcome
        # A list that shows one article whole looks like it.
        is_list = claim.tier is not Tier.REVISIT and claim.found_by is FoundBy.SPIDER and shapes.says_list(url)
        shapes.saw(url, is_list=False)
        if is_list:
            return Refusal.LIST_PAGE
        return Refusal.TOO_SHORT if read.fingerprint is None or read.fingerprint.too_short else outcome

    async def whole(self, series: Series) -> VisitedArticle | Request | None:
        """An article of which there are no further parts: on its way to the store, or why not."""
        spider = self._spider
        fingerprint = await fingerprint_of(spider, series)
        if fingerprint is None:
            if not spider.is_stopping:
                await spider.refuse(series.claim, Refusal.PARSE_DEADLINE, series.answer.url)
            return None
        article = with_rights(self._article(series.article, series.claim, series.answer), spider.site)
        item = VisitedArticle(
            article,
            fingerprint,
            tuple(series.responses),
            series.claim,
            tuple(series.found),
            whole=series.whole_text,
            later_parts=series.later_parts,
        )
        return await self._unless_twin(item)

    def _feeds(self, feeds: Iterable[str]) -> list[FoundUrl]:
        """Feeds of the site's own hosts; the others are named and counted."""
        found = []
        for feed in feeds:
            if self._spider.scope.has_host(feed):
                found.append(self._as_found(feed, UrlKind.FEED))
            else:
                self._spider.refusals.add(Refusal.OUT_OF_SCOPE, feed)
        return found

    def _asks_not_to_be_stored(self, response: Response) -> bool:
        """Its links are followed all the same: lists ask so, and the articles they lead to do not."""
        manners = self._spider.manners
        if not (manners.obey_noindex or manners.obey_noarchive):
            return False
        asked = directives(response.body, header(response, "X-Robots-Tag"))
        return (manners.obey_noindex and NOINDEX in asked) or (manners.obey_noarchive and NOARCHIVE in asked)

    async def _unless_twin(self, item: VisitedArticle) -> "VisitedArticle | Request | None":
        """The article; or a request for the address that it names as its own; or nothing, where it is kept there.

        Only inside the site: a canonical link to another one is a claim about the source, and merges nothing.
        """
        named = item.article.canonical_link
        here = item.article.url
        if named is None or identity_of(named) == identity_of(here) or self._spider.scope.refusal(named) is not None:
            return item
        claim = await run_in_thread(self._frontier.claim_one, self._as_found(named, UrlKind.ARTICLE))
        if claim is not None:
            return self._spider.request_for(claim, twin=item)
        known = await run_in_thread(self._frontier.known, named)
        if known is not None:
            await self._spider.flight.gone_from(known.id, longest_s=TWIN_WAIT_S)
        stored = None if known is None else await run_in_thread(self._frontier.text_at, known.url)
        if stored is None or not is_same_article(stored, item.article.text):
            return item
        await self.twin(item)
        return None

    async def twin(self, item: VisitedArticle) -> None:
        """The article is kept under the address that it names."""
        self._spider.refusals.add(Refusal.DUPLICATE, item.article.url)
        await run_in_thread(self._frontier.is_twin, item, self._now)

    async def _count_shape(self, claim: Claim, *, is_fruitful: bool) -> None:
        """Only of pages that a link alone led to, for the first time: what a sitemap names is no trap."""
        if claim.tier is not Tier.NEW or claim.state is not UrlState.NEW or claim.found_by is not FoundBy.SPIDER:
            return
        trap = self._spider.traps.visited(claim.url, is_fruitful=is_fruitful)
        if trap is not None:
            await run_in_thread(self._frontier.remember_trap, trap, self._now)

    async def _feed(self, response: Response, claim: Claim, answer: Answer) -> None:
        read = await self._entries(UrlKind.FEED, response, answer)
        found = self._inside(read.entries, FoundBy.FEED)
        if read.refusal is not None:
            await self._list_refused(claim, read.refusal, answer, found)
            return
        self._spider.count("feeds/read")
        self._note_bound(answer.url, len(read.entries), MAX_FEED_ENTRIES)
        await run_in_thread(self._frontier.list_read, claim, answer, found, kind=UrlKind.FEED)

    async def _entries(self, kind: UrlKind, response: Response, answer: Answer) -> ReadList:
        """What a feed or sitemap names, read in a process of its own."""
        work = partial(
            read_list,
            kind,
            response.body,
            url=answer.url,
            content_type=header(response, "Content-Type") or "",
            zone=time_zone_of(self._spider.site.settings.time_zone),
            now=self._now,
        )
        read = await run_in_thread(self._spider.readers.call, work)
        return ReadList(refusal=read) if isinstance(read, Refusal) else read

    async def _list_refused(
        self, claim: Claim, refusal: Refusal, answer: Answer, found: Sequence[FoundUrl] = ()
    ) -> None:
        """A feed or sitemap that is none, or breaks off: what was read before stays."""
        if not self._spider.is_stopping:
            await self._spider.refuse(claim, refusal, answer.url, found=found)

    async def _sitemap(self, response: Response, claim: Claim, answer: Answer) -> None:
        """Its entries are stored some at a time: a sitemap may name 50,000 pages."""
        read = await self._entries(UrlKind.SITEMAP, response, answer)
        news = 0
        for start in range(0, len(read.entries), ENTRIES_AT_ONCE):
            part = read.entries[start : start + ENTRIES_AT_ONCE]
            deeper = self._deeper((one for one in part if one.is_sitemap), claim)
            pages = self._inside((one for one in part if not one.is_sitemap), FoundBy.SITEMAP)
            news += await run_in_thread(self._frontier.add, [*pages, *deeper])
            self._spider.progress.note()
        if read.refusal is not None:
            await self._list_refused(claim, read.refusal, answer)
            return
        self._spider.count("sitemaps/read")
        self._note_bound(answer.url, len(read.entries), MAX_SITEMAP_ENTRIES)
        await run_in_thread(self._frontier.list_read, claim, answer, (), kind=UrlKind.SITEMAP, news=news)

    def _deeper(self, entries: Iterable[Entry], claim: Claim) -> Iterator[FoundUrl]:
        """Further sitemaps, up to a depth; the others are named and counted."""
        for one in entries:
            if claim.link_depth >= MAX_SITEMAP_DEPTH:
                self._spider.refusals.add(Refusal.LINK_TOO_DEEP, one.url)
                continue
            found = self._as_found(one.url, UrlKind.SITEMAP)
            yield replace(found, link_depth=claim.link_depth + 1, modified_at=one.modified_at)

    def _note_bound(self, url: str, count: int, bound: int) -> None:
        """Names a feed or sitemap of which the end was not read."""
        if count >= bound:
            self._spider.refusals.add(Refusal.BEYOND_BOUND, url)

    def _inside(self, entries: Iterable[Entry], found_by: FoundBy) -> list[FoundUrl]:
        """Entries inside the scope; the others are named and counted."""
        found = []
        for one in entries:
            refusal = self._spider.scope.refusal(one.url)
            if refusal is not None:
                self._spider.refusals.add(refusal, one.url)
                continue
            identity = identity_of(one.url)
            found.append(
                FoundUrl(one.url, identity, found_by=found_by, declared=one.declared, modified_at=one.modified_at)
            )
        return found

    @staticmethod
    def _as_found(url: str, kind: UrlKind) -> FoundUrl:
        return FoundUrl(url, identity_of(url), kind)

    def _article(self, article: Article, claim: Claim, answer: Answer) -> NewArticle:
        return NewArticle(
            url=answer.url,
            text=article.text,
            found_by=claim.found_by,
            fetched_at=self._now,
            title=article.title,
            author=article.author,
            language=article.language,
            declared=article.declared if article.declared.at else claim.declared,
            site_id=self._spider.site.id,
            credit_lines=article.credit_lines,
            credit_links=article.credit_links,
            canonical_link=article.canonical_link,
            lead_image=article.lead_image,
            etag=answer.etag,
            last_modified=answer.last_modified,
        )


def header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    # NUL and bytes beyond Latin-1 would not survive the way to the database and back.
    return value.decode("latin-1").replace("\x00", "")[:500] if value else None
