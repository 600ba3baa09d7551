"""Tells what kind of article a page holds (recipe, product, thread), by what it declares and how it is built. Pure."""

import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.json_ld import json_ld, types_of
from crawler.extraction.metadata.titles import meta_of
from crawler.extraction.page_types.site_pages import has_site_name, is_site_title
from storage.types import ArticleKind

ITEMS_SEARCHED: Final = 2_000

_OF_TYPE: Final = {
    "recipe": ArticleKind.RECIPE,
    "qapage": ArticleKind.QUESTION,
    "discussionforumposting": ArticleKind.THREAD,
    "product": ArticleKind.PRODUCT,
    "productgroup": ArticleKind.PRODUCT,
    "techarticle": ArticleKind.DOCUMENT,
    "apireference": ArticleKind.DOCUMENT,
    "digitaldocument": ArticleKind.DOCUMENT,
    "legislation": ArticleKind.DOCUMENT,
    "report": ArticleKind.DOCUMENT,
}
_ORDER: Final = tuple(dict.fromkeys(_OF_TYPE.values()))
"""A recipe names its pans as products, and a product's page answers questions: the first one says what the page is."""
_OF_OPEN_GRAPH: Final = {
    "product": ArticleKind.PRODUCT,
    "product.item": ArticleKind.PRODUCT,
    "og:product": ArticleKind.PRODUCT,
    "recipe": ArticleKind.RECIPE,
}
_ITEM_TYPE: Final = re.compile(r"schema\.org/(?P<name>\w{1,40})/?\s*$")
_MICROFORMATS: Final = {"hrecipe": ArticleKind.RECIPE, "h-recipe": ArticleKind.RECIPE, "hproduct": ArticleKind.PRODUCT}


def kind_of(
    found: Collection[ArticleKind], *, url: str, title: str, posts: int, is_dated: bool, says_article: bool
) -> ArticleKind:
    """The kind of the article found on a page that declares the kinds `found`; `posts`: how many answer the first one.

    A product on a page that calls itself an article is what the article is about, and posts below one are comments.
    """
    for kind in _ORDER:
        if kind in found and not (kind is ArticleKind.PRODUCT and says_article):
            return kind
    if posts and not says_article:
        return ArticleKind.THREAD
    is_named = not is_dated and not says_article and (has_site_name(url) or is_site_title(title))
    return ArticleKind.DOCUMENT if is_named else ArticleKind.ARTICLE


def declared_kinds(root: Element) -> frozenset[ArticleKind]:
    """The kinds that a page declares for itself or for something on it."""
    return frozenset(_declared(root))


def _declared(root: Element) -> Iterator[ArticleKind]:
    """The kinds that data, microdata, Open Graph and microformats declare for the page or something on it."""
    stated = _OF_OPEN_GRAPH.get(meta_of(root).get("og:type", "").strip().lower())
    if stated:
        yield stated
    for value in json_ld(root):
        yield from (_OF_TYPE[name] for name in types_of(value.get("@type")) if name in _OF_TYPE)
    for element in islice(_items(root), ITEMS_SEARCHED):
        found = _ITEM_TYPE.search(element.get("itemtype", ""))
        name = found["name"].lower() if found else ""
        if name in _OF_TYPE and not _is_offered(element):
            yield _OF_TYPE[name]
        yield from (_MICROFORMATS[word] for word in element.get("class", "").split() if word in _MICROFORMATS)


def _items(root: Element) -> Iterator[Element]:
    for element, _tag, names in page_index(root).named:
        if "recipe" in names or "hproduct" in names or element.get("itemtype") is not None:
            yield element


def _is_offered(element: Element) -> bool:
    """Whether an item is a property of another one, or in a list: related products."""
    return element.get("itemprop") is not None
