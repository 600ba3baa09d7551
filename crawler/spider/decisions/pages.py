"""Decisions about a page that was read: an article, a list, or a refusal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crawler.extraction.article import Article
from crawler.extraction.html.robots_meta import NOARCHIVE, NOINDEX, directives
from crawler.extraction.page_types.list_pages import is_list_address
from crawler.extraction.platforms.accounts import platform_of
from crawler.outcomes.refusals import Refusal
from crawler.spider.decisions.articles import decide_article, next_part
from crawler.spider.decisions.model import Decision, Follow, Gone, Refuse, RememberTrap
from crawler.spider.decisions.series import Part, Series
from crawler.spider.link_filter import entry, leads_beyond, on_same_level
from crawler.spider.revisit_policy import LISTS
from storage.records.crawl import Claim, FoundUrl, Tier, UrlKind, UrlState
from storage.types import FoundBy

if TYPE_CHECKING:
    from crawler.extraction.article import Page
    from crawler.extraction.reader_messages import ReadPage
    from crawler.spider.decisions.response import VisitResponse
    from crawler.spider.run_state import RunState


def decide_page(state: "RunState", response: "VisitResponse", read: "ReadPage") -> Iterator[Decision]:
    """The decisions about a page; none if the run is stopping and its reader may have been cut off."""
    claim, page = response.claim, read.page
    found = tuple(_links(state, claim, page))
    if read.is_absent:
        yield Gone(claim, response.url, reason="says that it is not there")
        return
    if read.is_barred and (isinstance(page.outcome, Article) or _is_barrier_of_platform(response.url, page.outcome)):
        yield Refuse(claim, Refusal.BARRED, response.url, found)
        return
    outcome = _outcome(state, response, read)
    is_article = isinstance(outcome, Article)
    if state.is_stopping and not is_article:
        return
    trap = _new_trap(state, claim, is_fruitful=is_article or leads_beyond(claim.url, found))
    if trap is not None:
        yield RememberTrap(trap)
    if _asks_not_to_be_stored(state, response):
        # Its links are followed all the same: lists ask so, and the articles they lead to do not.
        yield Follow(claim, response.answer, UrlKind.ARTICLE, found, Refusal.NOT_TO_BE_KEPT)
    elif isinstance(outcome, Article):
        yield _decide_first_part(state, response, read, outcome, found)
    else:
        yield _decide_refused(response, outcome, found, page.next_list)


def _is_barrier_of_platform(url: str, refusal: Refusal) -> bool:
    """Whether a platform of many authors answered with a barrier alone, which is no list and is requested again."""
    return refusal in (Refusal.TOO_SHORT, Refusal.NOT_AN_ARTICLE) and platform_of(url) is not None


def _links(state: "RunState", claim: Claim, page: "Page") -> Iterator[FoundUrl]:
    """Addresses that the page leads to; those out of scope are counted as refused."""
    links = state.links_on(page.links, claim)
    yield from on_same_level(links, claim.url, claim.link_depth, next_list=page.next_list)
    for feed in page.feeds:
        if state.scope.has_host(feed):
            yield entry(feed, UrlKind.FEED)
        else:
            state.refusals.add(Refusal.OUT_OF_SCOPE, feed)


def _outcome(state: "RunState", response: "VisitResponse", read: "ReadPage") -> Article | Refusal:
    """The kind of the page, by its content and by the site's other pages with addresses of this shape."""
    outcome, url, claim = read.page.outcome, response.url, response.claim
    shapes = state.lessons.shapes
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


def _new_trap(state: "RunState", claim: Claim, *, is_fruitful: bool) -> str | None:
    """The shape of the address if this visit makes it a trap. Only for first visits of linked pages:
    pages in a sitemap are no trap.
    """
    if claim.tier is not Tier.NEW or claim.state is not UrlState.NEW or claim.found_by is not FoundBy.SPIDER:
        return None
    return state.traps.visited(claim.url, is_fruitful=is_fruitful)


def _asks_not_to_be_stored(state: "RunState", response: "VisitResponse") -> bool:
    politeness = state.politeness
    if not (politeness.obey_noindex or politeness.obey_noarchive):
        return False
    asked = directives(response.body, response.robots_tag)
    return (politeness.obey_noindex and NOINDEX in asked) or (politeness.obey_noarchive and NOARCHIVE in asked)


def _decide_first_part(
    state: "RunState", response: "VisitResponse", read: "ReadPage", article: Article, found: tuple[FoundUrl, ...]
) -> Decision:
    """An article: fetch its next part, or go on with it as it is."""
    if response.raw is None:
        return Refuse(response.claim, Refusal.NO_EVIDENCE, response.url, found)
    state.lessons.repeats.saw(read.page.marks)
    first = Part(response.url, article, read.page.whole or article.text, response.raw)
    series = Series(response.claim, response.answer, read.fingerprint, found, (first,))
    return next_part(state, series, read.page.next_part) or decide_article(state, series, read.fingerprint)


def _decide_refused(
    response: "VisitResponse", refusal: Refusal, found: tuple[FoundUrl, ...], next_list: str | None
) -> Decision:
    """A page without an article: a list to visit again for its links, or nothing."""
    claim, url = response.claim, response.url
    if refusal not in LISTS and refusal is not Refusal.TOO_SHORT:
        return Refuse(claim, refusal, url, found)
    is_list = refusal in LISTS or claim.kind is UrlKind.LIST or is_list_address(url) or leads_beyond(claim.url, found)
    if not is_list:
        return Follow(claim, response.answer, UrlKind.ARTICLE, found, refusal)
    return Follow(claim, response.answer, UrlKind.LIST, found, refusal, next_list)
