"""Recognises pages about a site (about us, contact, search) by what they declare. Pure."""

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.json_ld import json_ld, types_of
from crawler.outcomes.refusals import Refusal

SIGNS_NEEDED: Final = 2
"""Of address, title, brevity and the lack of a date; an address or a title has to be among them. Alone each also stands
on articles: of 1,208 labelled ones 66 are as short and six have no date.
"""

FEW_WORDS: Final = 400
"""Word characters. Most pages about a site are this short."""

MANY_WORDS: Final = 2_000
"""Word characters. A text of this length is a document, whatever its title: conditions, a history, a portrait."""

_LISTING_TYPES: Final = frozenset({"searchresultspage", "collectionpage"})
_SITE_TYPES: Final = frozenset({"aboutpage", "contactpage", "profilepage", "checkoutpage"})
_PLAIN: Final = frozenset({"webpage"})
_OWN_TYPES: Final = _PLAIN | _LISTING_TYPES | _SITE_TYPES

_LAST_OF_PATH: Final = re.compile(r"(?P<name>[^/]+?)(?:\.[a-z]{2,5})?/?$", re.I)
_INDEX: Final = re.compile(r"/(?:index|default)\.[a-z]{2,5}$", re.I)
_NAMES_TEXT: Final = """
    about about-us aboutus about-me aboutme contact contact-us contactus search guestbook friends links login signin
    register signup privacy privacy-policy terms terms-of-use terms-of-service disclaimer sitemap
    关于 关于我 关于我们 联系我们 留言 留言板 友链 友情链接
"""
_NAMES: Final = frozenset(_NAMES_TEXT.split())

_TITLE: Final = re.compile(
    r"""\W{0,3}(?: 关于(?:我|我们|本站|本网站|博主|作者)? | 联系(?:我们|方式|作者) | 留言(?:板|本|簿) | 友情链接 | 友链
      | 搜索结果 | (?:站点|网站)地图 | 免责声明 | 隐私(?:政策|声明|条款) | (?:使用|服务)条款
      | 用户协议 | 会员(?:登录|注册)
      | about(?:\ (?:us|me|this\ site))? | contact(?:\ us)? | guestbook | search(?:\ results)?(?:\ for\b.{0,80})?
      | site\ ?map | privacy(?:\ policy)? | terms\ of\ (?:use|service) | disclaimer | (?:log|sign)\ ?in
      )\W{0,3}""",
    re.VERBOSE | re.IGNORECASE,
)
_TITLE_PARTS: Final = re.compile(r"\s(?:[-–—|·•]|//)\s|[|｜_]")


def refusal_of_site_page(
    root: Element, *, url: str, title: str, words: int, is_dated: bool, says_article: bool
) -> Refusal | None:
    """LIST_PAGE or SITE_PAGE for a page that is no article by its own account; None for what may be one.

    `words`: word characters of the text that was found on it. What calls itself an article is believed.
    """
    if says_article:
        return None
    declared = _declared_types(root)
    if declared & _LISTING_TYPES:
        return Refusal.LIST_PAGE
    if declared & _SITE_TYPES:
        return Refusal.SITE_PAGE
    if words >= MANY_WORDS:
        return None
    named = has_site_name(url) + is_site_title(title)
    signs = named + (words < FEW_WORDS) + (not is_dated)
    return Refusal.SITE_PAGE if named and signs >= SIGNS_NEEDED else None


def has_site_name(url: str) -> bool:
    """/about/, /contact-us.html, /search?q=…"""
    found = _LAST_OF_PATH.search(_INDEX.sub("/", unquote(urlsplit(url).path)))
    return found is not None and found["name"].lower() in _NAMES


def is_site_title(title: str) -> bool:
    """The whole of a title, or all before the site's name."""
    return _TITLE.fullmatch(_TITLE_PARTS.split(title, maxsplit=1)[0].strip()) is not None


def _declared_types(root: Element) -> frozenset[str]:
    """The types that a page declares in JSON-LD, or as `profile` in Open Graph; none if they contradict each other.

    A plain WebPage beside a CollectionPage is what that page is, and the other one what it is part of.
    """
    kinds = (meta.get("content") for meta in root.iter("meta") if meta.get("property") == "og:type")
    found = {"profilepage" for kind in kinds if kind and kind.strip().lower() == "profile"}
    for value in json_ld(root):
        own = _OWN_TYPES.intersection(types_of(value.get("@type")))
        if own == _PLAIN:
            return frozenset()
        found |= own
    return frozenset(found)
