"""Metadata of a page: canonical link, credit lines, links. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element
from crawler.extraction.metadata.json_ld import json_ld, types_of
from crawler.extraction.metadata.titles import meta_of, one_line
from crawler.urls.canonical import host_of, joined_url

CREDIT_LINE_LENGTH: Final = 200
CREDITS_KEPT: Final = 20
LINKS_KEPT: Final = 20_000
"""A page with more is a trap or an index of everything, which has a sitemap for the rest."""

PICTURES_SEARCHED: Final = 50

_CREDIT: Final = re.compile(
    r"""来源|來源|转载自|轉載自|转自|轉自|摘自|选自|選自|节选自|原文|原载|原載|出处|出處|首发于|首發於|本文作者|作者\s?[:：]
      | 授权转载|授權轉載|转载|轉載|译自|譯自|编译自
      | \b(?:sources?|via|credits?|h/t)\s?[:：] | ^\W{0,3}(?:sources?\s+(?:https?:|www\.)|via\s) | [(（]via\s
      | \b(?:originally\s+(?:published|appeared|posted)|reposted|republished|courtesy\s+of)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_IN_CREDIT: Final = (
    "来源",
    "來源",
    "转",
    "轉",
    "摘自",
    "选自",
    "選自",
    "原",
    "出处",
    "出處",
    "首发",
    "首發",
    "作者",
    "译自",
    "譯自",
    "编译",
    "source",
    "via",
    "credit",
    "h/t",
    "originally",
    "reposted",
    "republished",
    "courtesy",
)
"""Of these each credit holds one. Searching a text for them takes a tenth of the time."""
_ARTICLE_TYPES_TEXT: Final = """
    article newsarticle blogposting reportagenewsarticle techarticle scholarlyarticle opinionnewsarticle
"""
_ARTICLE_TYPES: Final = frozenset(_ARTICLE_TYPES_TEXT.split())


@dataclass(frozen=True, slots=True)
class Credits:
    lines: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def base_url(root: Element, url: str) -> str:
    """The address to which relative links on the page are resolved."""
    stated = next((base.get("href") for base in root.iter("base") if base.get("href")), None)
    return (joined_url(url, stated) if stated else None) or url


def description_of(root: Element) -> str:
    """What the page says it is about; many sites put the first paragraph there."""
    stated = meta_of(root)
    return one_line(stated.get("description") or stated.get("og:description") or "")


def links_of(root: Element, base: str) -> tuple[str, ...]:
    """Targets of the page's links, in canonical form, in order, once each."""
    hrefs = (anchor.get("href") for anchor in root.iter("a", "area"))
    distinct = dict.fromkeys(href for href in islice(hrefs, LINKS_KEPT) if href)
    joined = (joined_url(base, href) for href in distinct)
    return tuple(dict.fromkeys(url for url in joined if url))


def feed_links(root: Element, base: str) -> tuple[str, ...]:
    """Feeds that the page names in its head: RSS, Atom and JSON."""
    named = (link for link in root.iter("link") if "alternate" in (link.get("rel") or "").lower().split())
    found = (joined_url(base, link.get("href") or "") for link in named if _is_feed(link))
    return tuple(dict.fromkeys(url for url in found if url))


def _is_feed(link: Element) -> bool:
    kind = (link.get("type") or "").partition(";")[0].strip().lower()
    if kind == "application/json":
        # The first version of Open Graph used it; other metadata uses it, too.
        return "feed" in f"{link.get('href') or ''} {link.get('title') or ''}".lower()
    return "rss" in kind or "atom" in kind or kind == "application/feed+json"


def canonical_link(root: Element, base: str) -> str | None:
    for link in root.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            return joined_url(base, link.get("href") or "")
    return None


def says_it_is_an_article(root: Element) -> bool:
    if (meta_of(root).get("og:type") or "").lower() == "article":
        return True
    types = (types_of(value.get("@type")) for value in json_ld(root))
    return any(name in _ARTICLE_TYPES for names in types for name in names)


def lead_image(root: Element, inside: Iterable[Block], base: str) -> str | None:
    """The picture that the page names as its own, else the first one in the article."""
    stated = meta_of(root)
    named = [stated.get(name, "") for name in ("og:image", "og:image:url", "twitter:image", "image")]
    named.extend(_picture(value.get("image")) for value in json_ld(root) if value.get("image"))
    for picture in (*named, *_pictures(inside)):
        target = joined_url(base, picture) if picture and not picture.startswith("data:") else None
        if target:
            return target
    return None


def _pictures(inside: Iterable[Block]) -> Iterator[str]:
    """Pictures in the elements that hold an article's blocks, and beside them."""
    boxes = dict.fromkeys(block.element.getparent() for block in inside)
    for box in islice((box for box in boxes if box is not None), PICTURES_SEARCHED):
        for image in islice(box.iter("img"), PICTURES_SEARCHED):
            # Pages that load pictures when they are scrolled to keep the address in another attribute.
            yield next(filter(None, (image.get(name) for name in ("data-src", "data-original", "src"))), "")


def _picture(image: object) -> str:
    if isinstance(image, str):
        return image
    if isinstance(image, dict):
        return str(image.get("url") or "")
    return _picture(image[0]) if isinstance(image, list) and image else ""


def credits_of(area: Iterable[Block], *, base: str, host: str) -> Credits:
    """Lines that name a source, as found, and links to other hosts, from the article and the blocks around it."""
    lines: dict[str, None] = {}
    links: dict[str, None] = {}
    for block in area:
        lines.update((line, None) for line in _credit_lines(block.text))
        joined = (joined_url(base, link) for link in block.links)
        links.update((link, None) for link in joined if link and host_of(link) != host)
    return Credits(tuple(islice(lines, CREDITS_KEPT)), tuple(islice(links, CREDITS_KEPT)))


def credit_lines_of(text: str) -> tuple[str, ...]:
    """Lines of a text without markup that name a source."""
    found = (credit for line in text.splitlines() if line.strip() for credit in _credit_lines(line.strip()))
    return tuple(islice(dict.fromkeys(found), CREDITS_KEPT))


def _credit_lines(text: str) -> Iterator[str]:
    if len(text) <= CREDIT_LINE_LENGTH:
        if _may_be_credit(text) and _CREDIT.search(text):
            yield text
        return
    # A credit at the end of a long last paragraph: the sentence that holds it.
    tail = text[-CREDIT_LINE_LENGTH:]
    found = _CREDIT.search(tail) if _may_be_credit(tail) else None
    if found:
        start = max(tail.rfind(mark, 0, found.start()) for mark in "。！？!?（(\n")
        yield tail[start + 1 :].strip()


def _may_be_credit(text: str) -> bool:
    lower = text.lower()
    return any(map(lower.__contains__, _IN_CREDIT))
