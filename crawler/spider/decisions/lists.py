"""Decisions about a feed or sitemap that was read."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from crawler.discovery.feeds import MAX_FEED_ENTRIES, MAX_SITEMAP_ENTRIES, Entry, ReadList
from crawler.outcomes.refusals import Refusal
from crawler.spider.decisions.model import AddUrls, Decision, Follow, Refuse
from crawler.spider.link_filter import entry
from crawler.urls.canonical import identity_of
from storage.records.crawl import Claim, FoundUrl, UrlKind
from storage.types import FoundBy

if TYPE_CHECKING:
    from crawler.spider.decisions.response import VisitResponse
    from crawler.spider.run_state import RunState

ENTRIES_AT_ONCE: Final = 1_000
MAX_SITEMAP_DEPTH: Final = 3


def decide_list(state: "RunState", kind: UrlKind, response: "VisitResponse", read: ReadList) -> Iterator[Decision]:
    """The decisions about a feed or sitemap. One that is cut off or broken still yields the entries read before."""
    claim, answer = response.claim, response.answer
    found: tuple[FoundUrl, ...] = ()
    if kind is UrlKind.FEED:
        found = tuple(_inside(state, read.entries, FoundBy.FEED))
    else:
        yield from _sitemap_entries(state, claim, read.entries)
    if read.refusal is not None:
        if not state.is_stopping:
            yield Refuse(claim, read.refusal, answer.url, found)
        return
    state.count("feeds/read" if kind is UrlKind.FEED else "sitemaps/read")
    if len(read.entries) >= (MAX_FEED_ENTRIES if kind is UrlKind.FEED else MAX_SITEMAP_ENTRIES):
        state.refusals.add(Refusal.BEYOND_BOUND, answer.url)
    yield Follow(claim, answer, kind, found)


def _sitemap_entries(state: "RunState", claim: Claim, entries: tuple[Entry, ...]) -> Iterator[AddUrls]:
    """Its entries, some at a time: a sitemap may name 50,000 pages."""
    for start in range(0, len(entries), ENTRIES_AT_ONCE):
        some = entries[start : start + ENTRIES_AT_ONCE]
        pages = _inside(state, (one for one in some if not one.is_sitemap), FoundBy.SITEMAP)
        deeper = _deeper(state, (one for one in some if one.is_sitemap), claim)
        yield AddUrls((*pages, *deeper))


def _inside(state: "RunState", entries: Iterable[Entry], found_by: FoundBy) -> Iterator[FoundUrl]:
    """Entries inside the site's scope; the others are counted as refused."""
    for one in entries:
        refusal = state.scope.refusal(one.url)
        if refusal is not None:
            state.refusals.add(refusal, one.url)
            continue
        identity = identity_of(one.url)
        yield FoundUrl(one.url, identity, found_by=found_by, declared=one.declared, modified_at=one.modified_at)


def _deeper(state: "RunState", entries: Iterable[Entry], claim: Claim) -> Iterator[FoundUrl]:
    """Further sitemaps, up to a depth; the others are counted as refused."""
    for one in entries:
        if claim.link_depth >= MAX_SITEMAP_DEPTH:
            state.refusals.add(Refusal.LINK_TOO_DEEP, one.url)
            continue
        found = entry(one.url, UrlKind.SITEMAP)
        yield replace(found, link_depth=claim.link_depth + 1, modified_at=one.modified_at)
