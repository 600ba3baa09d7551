"""A response's bytes to an article, or to the name of why it is none. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import lxml.html
from lxml import etree

from crawler.blocks import Block, Element, blocks, word_count
from crawler.charset import decode
from crawler.dates import declared_date, time_zone_of
from crawler.language import language_of
from crawler.metadata import (
    author_of,
    base_url,
    canonical_link,
    credits_of,
    feed_links,
    links_of,
    says_it_is_an_article,
    title_of,
)
from crawler.opinions import article_blocks, key
from crawler.refusals import Refusal
from crawler.urls import host_of, joined_url
from storage.records import Declared

MAX_PAGE_BYTES: Final = 10_000_000
"""The longest novels on one page are about 5 MB; beyond are dumps and attacks."""

MAX_ARTICLE_CHARACTERS: Final = 2_000_000

SHORTEST_ARTICLE: Final = 60
"""Word characters. Shorter texts are captions and error messages, and no fingerprint can tell them apart."""

MAX_DEPTH: Final = 250
"""Nested elements. The parser stops at 255 and forgets the rest: half a page must not pass for a page."""

MAX_ELEMENTS: Final = 100_000
"""The largest of 3,100 real pages has 30,000; the readers take seconds for ten times as many."""

LIST_LINKED_SHARE: Final = 0.65
"""Of the words of an article in links. Link collections that people wrote reach .55, archives begin at .7."""

STANDING_SHARE: Final = 0.3
"""Of the words found that must stand in blocks of the page. Below, a reader gave up and joined whatever the page says:
archives and tag pages come out so, labelled articles never (lowest of 260: .5)."""

LIST_TEASERS: Final = 3
"""Links into the same site that are each followed by a little text: a list of articles."""

LIST_TEASERS_UNDER_LIST_ADDRESS: Final = 1
"""/page/2, /tag/news: the address says the same."""

TEASER_LINKED_SHARE: Final = 0.8
"""Of what is no figure: “title 04-23 09:45” is a title with its date."""
TEASER_LEAST_LINKED: Final = 0.4
LONGEST_TEASER_TITLE: Final = 60
SHORTEST_TEASER_TEXT: Final = 15
TEASER_LENGTH: Final = 700
"""Word characters per such link. More, and each is a section of an article."""

AREA_BEFORE: Final = 12
AREA_AFTER: Final = 8
"""Blocks around an article where its author, date and source stand."""

_TEXT_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", "")
_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")
_NOT_TEXT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What neither XML nor Postgres can hold: controls, lone surrogates, non-characters."""

_SURROGATE_REFERENCE: Final = re.compile(r"&#(?:x0{0,8}d[89a-f][0-9a-f]{2}|0{0,8}5(?:5[2-9]|6\d|7[0-3])\d\d);?", re.I)
"""&#xD800; to &#xDFFF;, and a few private neighbours in the decimal form: they mean nothing either way."""

_LIST_ADDRESS: Final = re.compile(
    r"/(?:page|tags?|categor(?:y|ies)|archives?|topics?|author|label|search|list)(?:[/_-]|\.html?$|$)", re.I
)


@dataclass(frozen=True, slots=True)
class Article:
    """What a page is about. `text`: paragraphs separated by line breaks, as published."""

    title: str
    author: str
    text: str
    declared: Declared
    language: str
    credit_lines: tuple[str, ...] = ()
    credit_links: tuple[str, ...] = ()
    canonical_link: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a response held: an article or a refusal, and in both cases where it leads."""

    outcome: Article | Refusal
    links: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()


Outcome: TypeAlias = Article | Refusal


def extract(body: bytes, *, url: str, content_type: str, fetched_at: datetime, time_zone: str) -> Outcome:
    """The article in a response, or why there is none. Never raises for anything a page can hold."""
    return read_page(body, url=url, content_type=content_type, fetched_at=fetched_at, time_zone=time_zone).outcome


def read_page(body: bytes, *, url: str, content_type: str, fetched_at: datetime, time_zone: str) -> Page:
    """As `extract`, with the links to follow."""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type not in _TEXT_TYPES:
        return Page(Refusal.WRONG_TYPE)
    if len(body) > MAX_PAGE_BYTES:
        return Page(Refusal.TOO_LARGE)
    decoded = decode(body, content_type=content_type)
    if decoded is None:
        return Page(Refusal.UNDECODABLE)
    if media_type == "text/plain":
        return Page(plain_article(decoded.text, title=""))
    return _read_markup(decoded.text, url=url, zone=time_zone_of(time_zone), now=fetched_at)


def _read_markup(text: str, *, url: str, zone: tzinfo, now: datetime) -> Page:
    root, markup = _parsed(text)
    if root is None:
        return Page(Refusal.BROKEN_MARKUP)
    refusal = _refusal_of_shape(root)
    if refusal is not None:
        return Page(refusal)
    base = base_url(root, url)
    outcome = _article(root, markup, url=url, base=base, zone=zone, now=now)
    return Page(outcome, links_of(root, base), feed_links(root, base))


def plain_article(text: str, *, title: str, shortest: int = SHORTEST_ARTICLE) -> Outcome:
    """An article of text without markup; its first line is the title where none is given."""
    cleaned = storable("\n".join(line.strip() for line in text.splitlines() if line.strip()))
    if not cleaned or word_count(cleaned) < shortest:
        return Refusal.TOO_SHORT
    first = cleaned.partition("\n")[0]
    return Article(title or first.lstrip("# ")[:300], "", cleaned, Declared(), language_of(cleaned))


def storable(text: str) -> str:
    """`text` without what Postgres and UTF-8 cannot hold."""
    return _NOT_TEXT.sub("", text)[:MAX_ARTICLE_CHARACTERS]


def parse(text: str) -> Element | None:
    """The tree of an HTML text, or None where there is none. Entities of a DTD are never expanded."""
    return _parsed(text)[0]


def _parsed(text: str) -> tuple[Element | None, str]:
    markup = _SURROGATE_REFERENCE.sub("\ufffd", _NOT_TEXT.sub("", _XML_DECLARATION.sub("", text, count=1)))
    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        return lxml.html.document_fromstring(markup.encode(), parser=parser), markup
    except (etree.LxmlError, ValueError, AssertionError):
        return None, markup


def _refusal_of_shape(root: Element) -> Refusal | None:
    depth = elements = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        if depth >= MAX_DEPTH:
            return Refusal.NESTED_TOO_DEEP
        if elements > MAX_ELEMENTS:
            return Refusal.TOO_LARGE
    return None


def _article(root: Element, markup: str, *, url: str, base: str, zone: tzinfo, now: datetime) -> Outcome:
    page = list(blocks(root))
    found = article_blocks(markup, page)
    text = storable("\n".join(block.text for block in found))
    if word_count(text) < SHORTEST_ARTICLE:
        return Refusal.TOO_SHORT if found else Refusal.NOT_AN_ARTICLE
    area, inside = _areas(page, found)
    words = sum(block.words for block in found)
    if sum(block.words for block in inside) < STANDING_SHARE * words:
        return Refusal.NOT_AN_ARTICLE
    if _is_mostly_links(inside) or _is_list(area, inside, root, base=base, url=url):
        return Refusal.LIST_PAGE
    credit = credits_of(area, base=base, host=host_of(url))
    return Article(
        title=storable(title_of(root)),
        author=storable(author_of(root, area)),
        text=text,
        declared=declared_date(root, (block.text for block in area), url=url, zone=zone, now=now),
        language=language_of(text, declared=root.get("lang") or ""),
        credit_lines=tuple(map(storable, credit.lines)),
        credit_links=credit.links,
        canonical_link=canonical_link(root, base),
    )


def _areas(page: Sequence[Block], found: Sequence[Block]) -> tuple[Sequence[Block], Sequence[Block]]:
    """The page's blocks from a little before the article to a little after it, and those of the article itself."""
    keys = {key(block.text) for block in found}
    places = [place for place, block in enumerate(page) if block.words and key(block.text) in keys]
    if not places:
        return page[: AREA_BEFORE + AREA_AFTER], ()
    first, last = places[0], places[-1] + 1
    return page[max(0, first - AREA_BEFORE) : last + AREA_AFTER], [page[place] for place in places]


def _is_mostly_links(inside: Sequence[Block]) -> bool:
    return sum(block.linked for block in inside) > LIST_LINKED_SHARE * sum(block.words for block in inside)


def _is_list(area: Sequence[Block], inside: Sequence[Block], root: Element, *, base: str, url: str) -> bool:
    """Whether titles that are links take turns with a little text: a list holding the first lines of thirty articles
    looks like a copier of all of them.
    """
    chosen = {id(block) for block in inside}
    teasers, waits_for_text = 0, False
    for block in area:
        if _is_teaser(block, base=base, url=url):
            waits_for_text = True
        elif waits_for_text and id(block) in chosen and block.words >= SHORTEST_TEASER_TEXT:
            teasers, waits_for_text = teasers + 1, False
    least = LIST_TEASERS_UNDER_LIST_ADDRESS if _is_list_address(url) else LIST_TEASERS
    words = sum(block.words for block in inside)
    return teasers >= least and words < TEASER_LENGTH * teasers and not says_it_is_an_article(root)


def _is_teaser(block: Block, *, base: str, url: str) -> bool:
    """A short line that is nothing but a link to another page of the site, and perhaps a date or a count beside it."""
    figures = sum(map(str.isdigit, block.text))
    if block.words > LONGEST_TEASER_TITLE or block.linked_share < TEASER_LEAST_LINKED:
        return False
    if block.linked < TEASER_LINKED_SHARE * (block.words - figures):
        return False
    targets = {joined_url(base, link) for link in block.links}
    return any(target and target != url and host_of(target) == host_of(url) for target in targets)


def _is_list_address(url: str) -> bool:
    path = urlsplit(url).path
    return path in ("", "/", "/index.html", "/index.htm", "/index.php") or _LIST_ADDRESS.search(path) is not None
