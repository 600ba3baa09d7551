"""Turns the bytes of a response into an article, or into the reason why it holds none. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from typing import Final, TypeAlias

from lxml import etree

from crawler.extraction.article_pagination import first_part, next_part
from crawler.extraction.documents.articles import (
    Kind,
    author_of_document,
    date_of_document,
    document_kind,
    document_text,
    title_of_document,
)
from crawler.extraction.html.attribute_limit import has_crowded_tag
from crawler.extraction.html.charset import decode
from crawler.extraction.html.element_removal import removed
from crawler.extraction.html.page_tree import PageTree, page_tree
from crawler.extraction.html.text_blocks import Block, Element, word_count
from crawler.extraction.list_pagination import next_list
from crawler.extraction.main_content.article_element import article_places, places_below
from crawler.extraction.main_content.trimming import ends_of
from crawler.extraction.metadata.authors import AUTHOR_LENGTH, author_of
from crawler.extraction.metadata.dates import PageDate, page_date, stated_date, time_zone_of
from crawler.extraction.metadata.headlines import headline_of
from crawler.extraction.metadata.language import language_of
from crawler.extraction.metadata.page_metadata import (
    base_url,
    canonical_link,
    credit_lines_of,
    credits_of,
    description_of,
    feed_links,
    lead_image,
    links_of,
    says_it_is_an_article,
)
from crawler.extraction.metadata.titles import TITLE_LENGTH, one_line, title_of
from crawler.extraction.page_types.article_kinds import declared_kinds, kind_of
from crawler.extraction.page_types.forums import Thread, is_later_page, thread_in
from crawler.extraction.page_types.list_pages import is_list, is_list_address
from crawler.extraction.page_types.paywalls import is_behind_paywall
from crawler.extraction.page_types.posts import Reply, is_short, replies_of, with_posts
from crawler.extraction.page_types.site_pages import refusal_of_site_page
from crawler.extraction.platforms.accounts import account_of
from crawler.extraction.platforms.platform import Account
from crawler.extraction.site_knowledge import SiteKnowledge, marks_of, without_repeated
from crawler.extraction.site_rule import Stated
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import host_of
from storage.records.pages import Declared, Post
from storage.types import ArticleKind

MAX_PAGE_BYTES: Final = 10_000_000
"""The longest novels on one page are about 5 MB; beyond are dumps and attacks."""

MAX_ARTICLE_CHARACTERS: Final = 2_000_000

SHORTEST_ARTICLE: Final = 50
"""Word characters. Shorter texts are captions and error messages, which no fingerprint distinguishes."""

MAX_DEPTH: Final = 250
"""Nested elements. The parser stops at 255 and forgets the rest: half a page must not pass for a page."""

MAX_ELEMENTS: Final = 100_000
"""The largest of 3,100 real pages has 30,000; the readers take seconds for ten times as many."""

AREA_BEFORE: Final = 12
AREA_AFTER: Final = 8
"""Blocks around an article that are searched for its author, date and source."""

_TEXT_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", "")
_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")
_FIRST_ELEMENT: Final = re.compile(
    r"""\ufeff?\s{0,100} <\?xml[^>]{0,300}\?>
        (?: \s{0,1000} (?: <!--.{0,2000}?--> | <\?[^>]{0,500}\?> | <!DOCTYPE[^>\[]{0,500}> ) ){0,10}
        \s{0,1000} < (?P<name>[A-Za-z_][\w:.-]{0,60})""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_NOT_TEXT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What neither XML nor Postgres can hold: controls, lone surrogates, non-characters."""

_SURROGATE_REFERENCE: Final = re.compile(r"&#(?:x0{0,8}d[89a-f][0-9a-f]{2}|0{0,8}5(?:5[2-9]|6\d|7[0-3])\d\d);?", re.I)
"""&#xD800; to &#xDFFF;, and a few private neighbours in the decimal form: they mean nothing either way."""


@dataclass(frozen=True, slots=True)
class Article:
    """The article of a page. `text`: paragraphs separated by line breaks, as published. `day`: the day of publishing as
    the page writes it, in its own time zone. `account`: whose page it is on a platform of many authors.
    """

    title: str
    author: str
    text: str
    declared: Declared
    language: str
    credit_lines: tuple[str, ...] = ()
    credit_links: tuple[str, ...] = ()
    canonical_link: str | None = None
    lead_image: str | None = None
    day: date | None = None
    kind: ArticleKind = ArticleKind.ARTICLE
    posts: tuple[Post, ...] = ()
    """Of a thread, if other posts than the first are in its text."""
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a response: an article or a refusal, and in both cases its links.

    `next_part`: the address of the article's next part. `part_of`: that of an earlier part, if this is a later one.
    `marks`: the article's blocks as numbers; see `SiteKnowledge.elsewhere`. `whole`: its text with the blocks that were
    left out because they repeat across the site, None if none were. `next_list`: the next page of a list.
    """

    outcome: Article | Refusal
    links: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    next_part: str | None = None
    part_of: str | None = None
    marks: tuple[int, ...] = ()
    whole: str | None = None
    next_list: str | None = None


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


Outcome: TypeAlias = Article | Refusal

PageReader: TypeAlias = Callable[[bytes, str, str, datetime], Outcome]
"""Reads an article or a refusal from a page's bytes, address, content type and time of fetching."""


_NOTHING_KNOWN: Final = SiteKnowledge()


def extract(
    body: bytes,
    *,
    url: str,
    content_type: str,
    fetched_at: datetime,
    time_zone: str,
    known: SiteKnowledge = _NOTHING_KNOWN,
) -> Outcome:
    """The article in a response, or why there is none. Never raises for anything a page can hold."""
    page = read_page(body, url=url, content_type=content_type, fetched_at=fetched_at, time_zone=time_zone, known=known)
    return page.outcome


def read_page(
    body: bytes,
    *,
    url: str,
    content_type: str,
    fetched_at: datetime,
    time_zone: str,
    known: SiteKnowledge = _NOTHING_KNOWN,
) -> Page:
    """As `extract`, with the links to follow."""
    media_type = media_type_of(content_type)
    kind = document_kind(body, media_type)
    if (kind is None and media_type not in _TEXT_TYPES) or len(body) > MAX_PAGE_BYTES:
        return Page(Refusal.TOO_LARGE if len(body) > MAX_PAGE_BYTES else Refusal.WRONG_TYPE)
    if kind is not None:
        return Page(_document(body, kind, url=url, zone=time_zone_of(time_zone), now=fetched_at))
    decoded = decode(body, content_type=content_type)
    if decoded is None:
        return Page(Refusal.UNDECODABLE)
    if media_type == "text/plain":
        return Page(plain_article(decoded.text, title=""))
    if is_other_xml(decoded.text):
        return Page(Refusal.WRONG_TYPE)
    return _read_markup(decoded.text, url=url, zone=time_zone_of(time_zone), now=fetched_at, known=known)


def _read_markup(text: str, *, url: str, zone: tzinfo, now: datetime, known: SiteKnowledge) -> Page:
    root, markup = _parsed(text)
    if isinstance(root, Refusal):
        return Page(root)
    refusal = _refusal_of_shape(root)
    if refusal is not None:
        return Page(refusal)
    base = base_url(root, url)
    page = Page(Refusal.NOT_AN_ARTICLE, links_of(root, base), feed_links(root, base))
    thread = Thread() if known.rule.content else thread_in(root)
    if thread.replies and is_later_page(url):
        return replace(page, outcome=Refusal.FOLLOWING_PART)
    next_page = None if thread.replies else next_part(root, base=base, url=url, first=known.first_part)
    earlier = None if known.first_part or is_list_address(url) else first_part(root, base=base, url=url)
    stated = known.rule.stated(root)
    unwanted = [*known.rule.elements("remove", root), *thread.replies]
    is_as_sent = not removed(unwanted)
    facts = PageFacts(
        root, lambda: markup if is_as_sent else _written(root), _tree_of(root), url, base, zone, now, known, stated
    )
    outcome, read = _article(facts)
    if isinstance(outcome, Refusal):
        return replace(page, outcome=outcome, next_list=next_list(root, base=base, url=url))
    if earlier is not None:
        return replace(page, outcome=Refusal.FOLLOWING_PART, part_of=earlier)
    whole, found = _text(read), _of_its_kind(outcome, root, thread, url=url)
    return replace(
        page,
        outcome=found,
        next_part=next_page,
        marks=marks_of(read),
        whole=None if whole == outcome.text or found.posts else whole,
    )


def _of_its_kind(article: Article, root: Element, thread: Thread, *, url: str) -> Article:
    """The article with its kind, and with the posts of its thread that are part of the text."""
    declared = declared_kinds(root)
    kind = kind_of(
        declared,
        url=url,
        title=article.title,
        posts=len(thread.replies),
        is_dated=article.declared.at is not None,
        says_article=says_it_is_an_article(root),
    )
    if kind not in (ArticleKind.THREAD, ArticleKind.QUESTION):
        return replace(article, kind=kind)
    is_conversation = kind in declared or is_short(article.text)
    opening = Reply(article.author, article.text)
    if thread.opening is not None and is_conversation:
        opening = next(iter(replies_of([thread.opening])), opening)
    text, posts = with_posts(opening, replies_of(thread.replies), is_conversation=is_conversation)
    return replace(article, text=storable(text), kind=kind, posts=posts)


def media_type_of(content_type: str) -> str:
    """A media type without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def _document(body: bytes, kind: Kind, *, url: str, zone: tzinfo, now: datetime) -> Outcome:
    """The article that a PDF or Word file is."""
    read = document_text(body, kind)
    if isinstance(read, Refusal):
        return read
    about, paragraphs = read
    outcome = plain_article("\n".join(paragraphs), title=storable(title_of_document(about, paragraphs, url)))
    if isinstance(outcome, Refusal):
        return outcome
    published = date_of_document(paragraphs, zone=zone, now=now)
    author = storable(author_of_document(about))
    credit = tuple(map(storable, credit_lines_of("\n".join(paragraphs[:AREA_BEFORE] + paragraphs[-AREA_AFTER:]))))
    return replace(
        outcome,
        author=author,
        declared=published.declared,
        day=published.day,
        credit_lines=credit,
        kind=ArticleKind.DOCUMENT,
    )


def is_other_xml(text: str) -> bool:
    """Whether a document says that it is XML, and begins with an element that is none of HTML's: a feed, a playlist."""
    found = _FIRST_ELEMENT.match(text)
    return found is not None and found["name"].rpartition(":")[2].lower() != "html"


def _tree_of(root: Element) -> PageTree:
    """The tree of what is seen; of what is seen without scripts, if hardly anything is seen with them."""
    tree = page_tree(root)
    if sum(block.words for block in tree.blocks) >= SHORTEST_ARTICLE:
        return tree
    return page_tree(root, has_scripts=False)


def _written(root: Element) -> str:
    return str(etree.tostring(root, encoding="unicode", method="html"))


def plain_article(text: str, *, title: str, shortest: int = SHORTEST_ARTICLE) -> Outcome:
    """An article of text without markup; its first line is the title if none is given."""
    cleaned = storable("\n".join(line.strip() for line in text.splitlines() if line.strip()))
    if not cleaned or word_count(cleaned) < shortest:
        return Refusal.TOO_SHORT
    first = cleaned.partition("\n")[0]
    return Article(title or first.lstrip("# ")[:300], "", cleaned, Declared(), language_of(cleaned))


def storable(text: str) -> str:
    """`text` without characters that Postgres and UTF-8 cannot hold."""
    return _NOT_TEXT.sub("", text)[:MAX_ARTICLE_CHARACTERS]


def parse(text: str) -> Element | None:
    """The tree of an HTML text, or None if there is none. Entities of a DTD are never expanded."""
    root, _markup = _parsed(text)
    return None if isinstance(root, Refusal) else root


def _parsed(text: str) -> tuple[Element | Refusal, str]:
    markup = _SURROGATE_REFERENCE.sub("\ufffd", _NOT_TEXT.sub("", _XML_DECLARATION.sub("", text, count=1)))
    if has_crowded_tag(markup):
        return Refusal.TOO_MANY_ATTRIBUTES, markup
    # Not lxml.html's parser: that one looks up a class for each element, which takes longer than to parse it.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(markup.encode(), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return Refusal.BROKEN_MARKUP, markup
    return (Refusal.BROKEN_MARKUP if root is None else root), markup


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


def _article(page: PageFacts) -> tuple[Outcome, list[Block]]:
    """The article, or why there is none; and the blocks in which it was found, with those that repeat on the site."""
    title = storable(page.stated.title[:TITLE_LENGTH] or title_of(page.root))
    places = _places(page, title)
    if page.known.rule.content and not places:
        return Refusal.RULE_FOUND_NOTHING, []
    read = [page.blocks[place] for place in places]
    places = without_repeated(places, page.blocks, page.known.elsewhere)
    inside = [page.blocks[place] for place in places]
    text = _text(inside)
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


def _text(inside: Iterable[Block]) -> str:
    return storable("\n".join(block.text for block in inside))
