"""Lists on several pages: the next page of one, and the page number in an address. Pure."""

import re
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from crawler.extraction.article_pagination import LINKS_SEARCHED, label_of, parts_of_address
from crawler.extraction.html.text_blocks import Element
from crawler.urls.canonical import host_of, joined_url

LABEL_LENGTH: Final = 24

_ON: Final = re.compile(
    r"""[\s\[【<>«»›→]* (?: 下一?[页頁] | 后一页 | 後一頁 | 更早 | 较早的?(?:文章|帖子|日志)? | 舊一點的文章 | 加载更多
      | next (?:\s?page)? | older (?:\s?(?:posts|entries|articles))? | load\ more | more )? [\s\]】<>»›→]*""",
    re.VERBOSE | re.IGNORECASE,
)
"""Text of the link to the next page of a list: words, or only an arrow."""

_ARROWS: Final = frozenset(">»›→")


def next_list(root: Element, *, base: str, url: str) -> str | None:
    """The next page of the list at `url`, on the same host, by the words of its link; None if there is none."""
    for element in islice(root.iter("link", "a"), LINKS_SEARCHED):
        if "next" in (element.get("rel") or "").lower().split() or _says_on(element):
            target = joined_url(base, element.get("href") or "")
            if target and target != url and host_of(target) == host_of(url):
                return target
    return None


def page_number(url: str) -> int:
    """The page number that an address of a list names; 1 if it names none."""
    parts = urlsplit(url)
    numbers = [part.number for part in parts_of_address(url) if part.number is not None]
    return numbers[0] if numbers and (parts.query or re.search(r"/page", parts.path, re.I)) else 1


def _says_on(element: Element) -> bool:
    if element.tag != "a":
        return False
    named = f"{element.get('class') or ''} {element.get('aria-label') or ''}".lower()
    label = label_of(element)
    if not label:
        return "next" in named.split()
    return len(label) <= LABEL_LENGTH and _ON.fullmatch(label) is not None and (len(label) > 1 or label in _ARROWS)
