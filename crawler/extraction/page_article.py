"""The article of a parsed page: its text, title, author, date and credits, or why there is none. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from crawler.extraction.article import AREA_AFTER, AREA_BEFORE, SHORTEST_ARTICLE, Article, Outcome, storable
from crawler.extraction.html.page_tree import PageTree
from crawler.extraction.html.text_blocks import Block, Element, word_count
from crawler.extraction.main_content.article_element import article_places, places_below
from crawler.extraction.main_content.trimming import ends_of
from crawler.extraction.metadata.authors import AUTHOR_LENGTH, author_of
from crawler.extraction.metadata.dates import page_date
from crawler.extraction.metadata.headlines import headline_of
from crawler.extraction.metadata.language import language_of
from crawler.extraction.metadata.marked_dates import LINES_WITH_DATE
from crawler.extraction.metadata.one_date import stated_date
from crawler.extraction.metadata.page_metadata import (
    canonical_link,
    credits_of,
    description_of,
    lead_image,
    says_it_is_an_article,
)
from crawler.extraction.metadata.titles import TITLE_LENGTH, one_line, title_of
from crawler.extraction.metadata.written_days import PageDate
from crawler.extraction.page_types.list_pages import is_list
from crawler.extraction.page_types.paywalls import is_behind_paywall
from crawler.extraction.page_types.site_pages import refusal_of_site_page
from crawler.extraction.platforms.accounts import account_of
from crawler.extraction.site_knowledge import SiteKnowledge, without_repeated
from crawler.extraction.site_rule import Stated
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import host_of


@dataclass(frozen=True, slots=True)
class PageFacts:
    """A page whose article is to be found. `tree` is of the elements below `root`, and `markup` returns what they were
    parsed of; `base`: what its links are relative to; `now`: when it was fetched; `stated`: what the site's own rule
    found.
    """

    root: Element
    markup: Callable[[], str]
    tree: PageTree
    url: str
    base: str
    zone: tzinfo
    now: datetime
    known: SiteKnowledge
    stated: Stated

    @property
    def blocks(self) -> list[Block]:
        return self.tree.blocks


def article_in(page: PageFacts) -> tuple[Outcome, list[Block]]:
    """The article, or why there is none; and the blocks in which it was found, with those that repeat on the site."""
    title = storable(page.stated.title[:TITLE_LENGTH] or title_of(page.root))
    places = _places(page, title)
    if page.known.rule.content and not places:
        return Refusal.RULE_FOUND_NOTHING, []
    read = [page.blocks[place] for place in places]
    places = without_repeated(places, page.blocks, page.known.elsewhere)
    inside = [page.blocks[place] for place in places]
    text = text_of_blocks(inside)
    area, ending = _around(places, page.blocks)
    if inside and is_behind_paywall(page.root, ending, words=word_count(text)):
        return Refusal.PAYWALL, read
    if word_count(text) < SHORTEST_ARTICLE:
        is_short = inside or 0 < sum(block.words for block in page.blocks) < SHORTEST_ARTICLE
        return Refusal.TOO_SHORT if is_short else Refusal.NOT_AN_ARTICLE, read
    headline = _headline(page, places, title)
    published = _published(page, places, area, headline)
    refusal = _refusal_of_kind(page, area, inside, title=title, is_dated=published.declared.at is not None)
    if refusal is not None:
        return refusal, read
    return _described(page, places, area, title=headline, text=text, published=published), read


def _places(page: PageFacts, title: str) -> list[int]:
    """Places of the article's blocks among those of the page, by the site's rule if it has one."""
    rule = page.known.rule
    if rule.content:
        return places_below(rule.elements("content", page.root), page.blocks)
    description = storable(description_of(page.root))
    return article_places(page.tree, page.markup, title=title, description=description, base=page.base, url=page.url)


def _around(places: Sequence[int], page: list[Block]) -> tuple[list[Block], list[Block]]:
    """The blocks at `places` and around them, to search for dates and credits; and the last ones with what follows."""
    if not places:
        return [], []
    first, last = places[0], places[-1]
    area = page[max(0, first - AREA_BEFORE) : last + 1 + AREA_AFTER]
    return area, [*(page[place] for place in places[-AREA_AFTER:]), *page[last + 1 :][:AREA_AFTER]]


def _refusal_of_kind(
    page: PageFacts, area: list[Block], inside: list[Block], *, title: str, is_dated: bool
) -> Refusal | None:
    """Refuses a list, or a page about its site."""
    if page.known.is_article or page.known.rule.content:
        return None  # a person has seen the page, or written a rule for it
    says_article = says_it_is_an_article(page.root)
    if is_list(area, inside, title=title, base=page.base, url=page.url, says_article=says_article):
        return Refusal.LIST_PAGE
    words = sum(block.words for block in inside)
    return refusal_of_site_page(
        page.root, url=page.url, title=title, words=words, is_dated=is_dated, says_article=says_article
    )


def _described(
    page: PageFacts, places: list[int], area: list[Block], *, title: str, text: str, published: PageDate
) -> Article:
    """The article with its author, language, credits and links."""
    credit = credits_of(area, base=page.base, host=host_of(page.url))
    ends = list(ends_of(places, page.blocks, before=AREA_BEFORE, after=AREA_AFTER))
    inside = [page.blocks[place] for place in places]
    return Article(
        title=title,
        author=storable(page.stated.author[:AUTHOR_LENGTH] or author_of(page.root, ends, inside, url=page.url)),
        text=text,
        declared=published.declared,
        day=published.day,
        account=account_of(page.root, page.url),
        language=language_of(text, declared=page.root.get("lang") or ""),
        credit_lines=tuple(map(storable, credit.lines)),
        credit_links=credit.links,
        canonical_link=canonical_link(page.root, page.base),
        lead_image=lead_image(page.root, inside, page.base),
    )


def _published(page: PageFacts, places: Sequence[int], area: Iterable[Block], headline: str) -> PageDate:
    stated = stated_date(page.stated.published, zone=page.zone, now=page.now)
    if stated is not None:
        return PageDate(stated)
    return page_date(
        page.root,
        (block.text for block in area),
        url=page.url,
        zone=page.zone,
        now=page.now,
        below=_below_headline(page, places, headline),
        inside=page.blocks[places[0]].element,
        first=[page.blocks[place].text for place in places[:LINES_WITH_DATE]],
        everywhere=(block.text for block in page.blocks),
    )


def _below_headline(page: PageFacts, places: Sequence[int], headline: str) -> list[str]:
    """The lines from the headline to the text."""
    first = places[0]
    above = page.blocks[:first]
    start = next((place for place in range(first - 1, -1, -1) if one_line(above[place].text) == headline), first)
    return [block.text for block in above[start : start + AREA_BEFORE]]


def _headline(page: PageFacts, places: Sequence[int], title: str) -> str:
    """The headline that the page shows; the stated title where a rule of the site found it."""
    if page.stated.title:
        return title
    return storable(headline_of(page.root, page.blocks, places[0] if places else 0, title=title, url=page.url))


def text_of_blocks(inside: Iterable[Block]) -> str:
    return storable("\n".join(block.text for block in inside))
