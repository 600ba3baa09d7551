"""The account that a page on a platform belongs to, and what the platform says instead of a page. Pure.

Markup that no rule knows gives no account; the page is then read as any other.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final
from urllib.parse import unquote

from lxml import etree

from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.author_names import is_name
from crawler.extraction.metadata.titles import one_line, text_inside
from crawler.extraction.platforms.baijiahao import BAIJIAHAO
from crawler.extraction.platforms.csdn import CSDN
from crawler.extraction.platforms.jianshu import JIANSHU
from crawler.extraction.platforms.medium import MEDIUM
from crawler.extraction.platforms.netease import NETEASE
from crawler.extraction.platforms.platform import Account, Platform
from crawler.extraction.platforms.sohu import SOHU
from crawler.extraction.platforms.substack import SUBSTACK
from crawler.extraction.platforms.toutiao import TOUTIAO
from crawler.extraction.platforms.weixin import WEIXIN
from crawler.extraction.platforms.zhihu import ZHIHU
from crawler.urls.canonical import host_of

PLATFORMS: Final = (WEIXIN, TOUTIAO, BAIJIAHAO, ZHIHU, SOHU, NETEASE, JIANSHU, CSDN, MEDIUM, SUBSTACK)

STATED_SEARCHED: Final = 300
_NAMING: Final = ("rel", "property", "name")
_STATES_AUTHOR: Final = frozenset({"author", "article:author"})
SCRIPTS_SEARCHED: Final = 60
SCRIPT_LENGTH: Final = 300_000
NAME_LENGTH: Final = 60
LONGEST_ID: Final = 120
NOTICE_LENGTH: Final = 1_000
"""Characters of a platform's page that says why there is no article."""


def platform_of(url: str) -> Platform | None:
    """The platform of an address; None for all other sites."""
    try:
        host = host_of(url)
    except ValueError:
        return None
    return next(
        (one for one in PLATFORMS if any(host == known or host.endswith(f".{known}") for known in one.hosts)), None
    )


def account_of(root: Element, url: str) -> Account | None:
    """The account that a page names as its author's: by its address, its links, its scripts; None if it names none."""
    platform = platform_of(url)
    if platform is None or platform.only.search(url) is None:
        return None
    found = next(filter(None, _ids(platform, root, url)), "")
    return Account(platform.name, found[:LONGEST_ID], _name(platform, root)) if found else None


def says_removed(text: str, url: str) -> bool:
    """Whether a platform's short page says that its author or the platform has deleted the article."""
    platform = platform_of(url)
    return platform is not None and _is_said(platform.removed, text)


def says_barred(text: str, url: str) -> bool:
    """Whether a platform's short page asks for a captcha or a log-in, or says that there are too many requests."""
    platform = platform_of(url)
    return platform is not None and _is_said(platform.barred, text)


def _is_said(notice: re.Pattern[str] | None, text: str) -> bool:
    return notice is not None and len(text) <= NOTICE_LENGTH and notice.search(text) is not None


def _ids(platform: Platform, root: Element, url: str) -> Iterator[str]:
    if platform.address is not None:
        yield _id(platform.address.search(url))
    yield from (_id(found) for found in _in_scripts(platform.script, root))
    if platform.link is not None:
        named = (link for name in platform.names for link in _linked(root, name))
        stated = islice(root.iter("link", "meta"), STATED_SEARCHED)
        for element in (*named, *(one for one in stated if _STATES_AUTHOR.intersection(map(one.get, _NAMING)))):
            yield _id(platform.link.search(element.get("href") or element.get("content") or ""))


def _id(found: re.Match[str] | None) -> str:
    groups = found.groupdict() if found else {}
    return unquote(groups.get("id") or groups.get("sub") or "")


def _linked(root: Element, path: str) -> Iterator[Element]:
    """Links in elements that show the account's name, and around them."""
    for found in _at(root, path):
        if isinstance(found, etree._Element):
            yield from islice(found.iter("a"), 3)
            yield from (one for one in islice(found.iterancestors(), 2) if one.tag == "a")


def _name(platform: Platform, root: Element) -> str:
    shown = (
        text_inside(found) if isinstance(found, etree._Element) else str(found)
        for path in platform.names
        for found in _at(root, path)
    )
    said = (found["name"] for found in _in_scripts(platform.scripts_named, root))
    return next((name for name in map(one_line, (*shown, *said)) if is_name(name)), "")[:NAME_LENGTH]


def _at(root: Element, path: str) -> Sequence[object]:
    found = root.xpath(path)
    return found[:5] if isinstance(found, list) else ()


def _in_scripts(patterns: Sequence[re.Pattern[str]], root: Element) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        for script in islice(root.iter("script"), SCRIPTS_SEARCHED):
            text = (script.text or "")[:SCRIPT_LENGTH]
            found = pattern.search(unquote(text) if text.startswith("%7B") else text)
            if found:
                yield found
