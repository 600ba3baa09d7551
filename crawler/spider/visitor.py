"""Reads responses in the reader processes and returns decisions. Changes nothing but the run's state."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy.utils.asyncio import run_in_thread

from crawler.discovery.feeds import ReadList, kind_of, read_list
from crawler.extraction.reader_messages import PageTask, ReadPage
from crawler.extraction.reader_pool import ReaderPool
from crawler.network.failures import HostHeld, refusal_of_failure, refusal_of_status
from crawler.outcomes.refusals import Refusal
from crawler.spider.decisions.articles import decide_article, next_part
from crawler.spider.decisions.lists import decide_list
from crawler.spider.decisions.model import Decision, Gone, Refuse, Unchanged
from crawler.spider.decisions.pages import decide_page
from crawler.spider.decisions.series import Part
from crawler.spider.revisit_policy import PASSING
from storage.records.crawl import UrlKind

if TYPE_CHECKING:
    from crawler.spider.decisions.response import VisitResponse
    from crawler.spider.decisions.series import Series
    from crawler.spider.run_state import RunState

NOT_MODIFIED: Final = 304

PAGES: Final = frozenset({UrlKind.ARTICLE, UrlKind.LIST})


class Visitor:
    def __init__(self, state: "RunState", readers: ReaderPool) -> None:
        self._state = state
        self._readers = readers

    async def visit(self, response: "VisitResponse") -> Iterable[Decision]:
        """Decides about the response of a claimed address. No decision: the claim is given back when the run ends."""
        claim, url = response.claim, response.url
        is_page = claim.kind in PAGES
        if is_page:
            self._state.count("pages/fetched")
        if response.status == NOT_MODIFIED:
            return [Unchanged(claim)]
        refusal = refusal_of_status(response.status)
        if refusal is Refusal.GONE:
            return [Gone(claim, url, reason=f"status {response.status}")]
        if refusal is not None:
            return [Refuse(claim, refusal, url)]
        # A link may lead to a feed, as it may to a page.
        kind = (is_page and kind_of(response.body)) or claim.kind
        if kind in PAGES:
            return decide_page(self._state, response, await self._read(response))
        return decide_list(self._state, kind, response, await self._read_list(kind, response))

    async def visit_part(self, series: "Series", response: "VisitResponse") -> Iterable[Decision]:
        """Decides about the response of a further page of an article: go on to the next one, or end the article."""
        state, url = self._state, response.url
        state.count("parts/fetched")
        refusal = refusal_of_status(response.status)
        if refusal is None:
            read = await self._read(response, first_part=series.answer.url)
            page, outcome = read.page, read.page.outcome
            found = state.links_on(page.links, series.claim)
            if response.raw is None:
                refusal = Refusal.NO_EVIDENCE
            elif isinstance(outcome, Refusal):
                refusal = outcome
            elif not series.holds(url):
                part = Part(url, outcome, page.whole or outcome.text, response.raw)
                series = series.followed_by(part, found)
                following = next_part(state, series, page.next_part)
                if following is not None:
                    return [following]
        return await self._finish(series, refusal, url)

    async def part_failed(self, series: "Series", url: str, error: BaseException) -> Iterable[Decision]:
        """Decides about a further page of an article that could not be fetched."""
        wait_s = error.wait_s if isinstance(error, HostHeld) else None
        return await self._finish(series, refusal_of_failure(error), url, wait_s=wait_s)

    async def _finish(
        self, series: "Series", refusal: Refusal | None, url: str, *, wait_s: float | None = None
    ) -> Iterable[Decision]:
        """Ends an article, or tries all of it again later where `refusal`, of its next part, may pass."""
        state = self._state
        if refusal in PASSING or refusal is Refusal.NO_EVIDENCE:
            return [] if state.is_stopping else [Refuse(series.claim, refusal, url, wait_s=wait_s)]
        if refusal is not None:
            state.refusals.add(refusal, url)
        fingerprint = series.fingerprint
        if len(series.parts) > 1:
            fingerprint = await run_in_thread(self._readers.fingerprint, series.article.text)
        if fingerprint is None and state.is_stopping:
            return []
        return [decide_article(state, series, fingerprint)]

    async def _read(self, response: "VisitResponse", *, first_part: str | None = None) -> ReadPage:
        known = replace(self._state.known, first_part=first_part)
        zone = self._state.site.settings.time_zone
        task = PageTask(response.body, response.url, response.content_type, response.answer.at, zone, known)
        return await run_in_thread(self._readers.read, task)

    async def _read_list(self, kind: UrlKind, response: "VisitResponse") -> ReadList:
        work = partial(
            read_list,
            kind,
            response.body,
            url=response.url,
            content_type=response.content_type,
            zone=self._state.zone,
            now=response.answer.at,
        )
        read = await run_in_thread(self._readers.call, work)
        return ReadList(refusal=read) if isinstance(read, Refusal) else read
