"""Decisions are made without a network, a database or a reader process."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from crawler.discovery.feeds import Entry, ReadList
from crawler.extraction.article import Article, Page
from crawler.extraction.reader_messages import ReadPage
from crawler.network.failures import HostHeld, Refused
from crawler.outcomes.refusals import Refusal
from crawler.processes.pulse import Progress
from crawler.spider.decisions.articles import decide_waiting
from crawler.spider.decisions.failures import decide_failure
from crawler.spider.decisions.lists import ENTRIES_AT_ONCE, decide_list
from crawler.spider.decisions.model import (
    AddUrls,
    Alias,
    Decision,
    Duplicate,
    Follow,
    Gone,
    NextPart,
    Refuse,
    RememberTrap,
    Store,
    Wait,
)
from crawler.spider.decisions.pages import decide_page
from crawler.spider.decisions.response import VisitResponse
from crawler.spider.in_flight import InFlight
from crawler.spider.link_filter import BARREN
from crawler.spider.revisit_policy import Answer
from crawler.spider.run_state import RunState
from fingerprint.compute import fingerprint_text
from storage.records.crawl import Claim, History, Tier, UrlKind, UrlState
from storage.records.pages import Declared
from storage.records.sites import SiteRecord, SiteSettings
from storage.types import FoundBy
from tests.support.evidence.evidence import a_response
from tests.support.factories import text_of

SITE = "http://a.example"
ENOUGH_S = 60.0


def a_state() -> RunState:
    settings = SiteSettings("a", start_urls=(f"{SITE}/",), hosts=("a.example",))
    return RunState(SiteRecord(id=1, owner_id=1, owner_name="a", settings=settings))


def a_claim(url: str, *, kind: UrlKind = UrlKind.ARTICLE, url_id: int = 1) -> Claim:
    known = (url_id, url, kind, UrlState.NEW, Tier.NEW, 0, 0, None, None, FoundBy.SPIDER)
    return Claim(*known, Declared(), History(), None)


def a_visit(path: str = "/news/1", *, kind: UrlKind = UrlKind.ARTICLE, has_evidence: bool = True) -> VisitResponse:
    url = SITE + path
    raw = a_response(1, url=url) if has_evidence else None
    return VisitResponse(a_claim(url, kind=kind), Answer(url, datetime.now(UTC)), 200, b"", "text/html", None, raw)


def an_article(number: int = 1, **page: Any) -> ReadPage:
    canonical_link = page.pop("canonical_link", None)
    text = text_of(number)
    article = Article("title", "", text, Declared(), "zh", canonical_link=canonical_link)
    return ReadPage(Page(article, **page), fingerprint_text(text))


def decided(read: ReadPage, *, state: RunState | None = None, visit: VisitResponse | None = None) -> list[Decision]:
    return list(decide_page(state or a_state(), visit or a_visit(), read))


def test_an_article_is_stored_with_its_response_and_the_addresses_on_its_page() -> None:
    (decision,) = decided(an_article(links=(f"{SITE}/news/2",)))

    assert isinstance(decision, Store)
    assert decision.item.article.url == f"{SITE}/news/1"
    assert [url for url, _ in decision.item.responses] == [f"{SITE}/news/1"]
    assert [found.url for found in decision.item.found] == [f"{SITE}/news/2"]


def test_an_article_without_its_response_is_refused() -> None:
    (decision,) = decided(an_article(), visit=a_visit(has_evidence=False))

    assert isinstance(decision, Refuse)
    assert decision.refusal is Refusal.NO_EVIDENCE


def test_an_article_that_goes_on_asks_for_its_next_part() -> None:
    (decision,) = decided(an_article(next_part=f"{SITE}/news/1?page=2"))

    assert isinstance(decision, NextPart)
    assert decision.url == f"{SITE}/news/1?page=2"


@pytest.mark.parametrize(
    ("canonical", "kind"), [(f"{SITE}/own", Wait), (f"{SITE}/news/1/", Store), ("http://b.example/own", Store)]
)
def test_an_article_waits_for_its_canonical_address_on_the_same_site_only(canonical: str, kind: type) -> None:
    (decision,) = decided(an_article(canonical_link=canonical))

    assert type(decision) is kind


def test_an_article_that_waited_is_an_alias_if_the_same_text_is_stored_there() -> None:
    (stored,) = decided(an_article())
    assert isinstance(stored, Store)

    assert isinstance(decide_waiting(stored.item, text_of(1)), Alias)
    assert decide_waiting(stored.item, text_of(2)) == stored
    assert decide_waiting(stored.item, None) == stored


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [(Refusal.LIST_PAGE, UrlKind.LIST), (Refusal.TOO_SHORT, UrlKind.ARTICLE), (Refusal.PAYWALL, None)],
)
def test_lists_are_followed_and_visited_again_and_other_refusals_end_the_visit(
    refusal: Refusal, kind: UrlKind | None
) -> None:
    (decision,) = decided(ReadPage(Page(refusal, links=(f"{SITE}/news/2",))))

    assert isinstance(decision, Refuse if kind is None else Follow)
    assert decision.refusal is refusal
    assert [found.url for found in decision.found] == [f"{SITE}/news/2"]
    assert getattr(decision, "kind", None) is kind


def test_a_page_that_says_it_is_not_there_is_gone() -> None:
    (decision,) = decided(ReadPage(Page(Refusal.TOO_SHORT), is_absent=True))

    assert isinstance(decision, Gone)


def test_a_shape_of_addresses_that_leads_nowhere_becomes_a_trap_once() -> None:
    state, decisions = a_state(), []
    for number in range(BARREN + 1):
        decisions += decided(ReadPage(Page(Refusal.PAYWALL)), state=state, visit=a_visit(f"/calendar/{number}"))

    assert [one for one in decisions if isinstance(one, RememberTrap)] == [RememberTrap("a.example/calendar/0")]


def test_what_a_stopping_run_could_not_read_is_not_decided() -> None:
    state = a_state()
    state.is_stopping = True

    assert decided(ReadPage(Page(Refusal.PARSER_DIED)), state=state) == []
    assert [type(one) for one in decided(an_article(), state=state)] == [Store]


def test_a_sitemap_adds_its_entries_some_at_a_time_and_then_ends() -> None:
    entries = tuple(Entry(f"{SITE}/news/{number}") for number in range(ENTRIES_AT_ONCE + 1))
    state, visit = a_state(), a_visit("/sitemap.xml", kind=UrlKind.SITEMAP)
    outside = Entry("http://b.example/1")

    decisions = list(decide_list(state, UrlKind.SITEMAP, visit, ReadList((*entries, outside))))

    sizes = [len(one.found) for one in decisions if isinstance(one, AddUrls)]
    assert sizes == [ENTRIES_AT_ONCE, 1]
    assert isinstance(decisions[-1], Follow)
    assert state.counters == {"sitemaps/read": 1, "refused/out-of-scope": 1}


def test_a_feed_that_breaks_off_is_refused_with_what_was_read_before() -> None:
    visit = a_visit("/feed", kind=UrlKind.FEED)
    read = ReadList((Entry(f"{SITE}/news/1"),), Refusal.BROKEN_MARKUP)

    (decision,) = decide_list(a_state(), UrlKind.FEED, visit, read)

    assert isinstance(decision, Refuse)
    assert [(found.url, found.found_by) for found in decision.found] == [(f"{SITE}/news/1", FoundBy.FEED)]


@pytest.mark.parametrize(
    ("error", "kind"),
    [(Refused(Refusal.GONE), Gone), (Refused(Refusal.DUPLICATE), Duplicate), (Refused(Refusal.ROBOTS), Refuse)],
)
def test_failed_requests_are_decided_by_their_refusal(error: Exception, kind: type) -> None:
    assert type(decide_failure(a_claim(SITE), SITE, error)) is kind


def test_a_host_that_asks_for_a_pause_is_waited_for() -> None:
    decision = decide_failure(a_claim(SITE), SITE, HostHeld(30.0))

    assert isinstance(decision, Refuse)
    assert (decision.refusal, decision.wait_s) == (Refusal.HOST_HELD, 30.0)


def test_a_wait_for_a_claim_ends_when_it_lands_and_at_once_if_it_is_not_in_flight() -> None:
    async def run() -> list[str]:
        in_flight, events = InFlight(Progress()), list[str]()
        first, second = a_claim(f"{SITE}/1"), a_claim(f"{SITE}/2", url_id=2)
        in_flight.took(first)
        in_flight.took(second)

        async def wait() -> None:
            await in_flight.wait_for(first.id, ENOUGH_S)
            events.append("first landed")

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        in_flight.landed(second)
        await asyncio.sleep(0)
        events.append("second landed")
        in_flight.landed(first)
        await waiting
        await in_flight.wait_for(first.id, ENOUGH_S)
        return events

    assert asyncio.run(run()) == ["second landed", "first landed"]
