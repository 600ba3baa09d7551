"""Signs that two texts are translations: an original that a page names, and names of foreign people in both. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from matcher.provenance.page_facts import PageFacts
from storage.sites.credit_lines import LINE_CHARS

EDGE_CHARS: Final = 600
"""Characters at either end of a text in which an original is named."""
READ_CHARS: Final = 20_000
FEWEST_NAMES: Final = 2
"""Foreign people whom both texts name."""
LINKS_READ: Final = 40

_NAMES_ORIGINAL: Final = re.compile(
    r"""(?:
        (?:英文|日文|德文|法文|俄文|外文)?原文\s?(?:链接|地址|标题|作者|出处|来自|刊于|发表于)?\s?[:：]
      | (?:译者|翻译|编译|校对|审校|译)\s?[:：|]
      | 本文(?:译|编译|翻译)自 | (?:译|编译)自\s?[《「“A-Za-z]
      | (?:由|经).{1,30}?(?:翻译|编译)
      | original\ (?:article|text|post|version)\s?[:：] | originally\ (?:published|written|posted)
      | translated\ (?:by|from)
      )[^\n]{0,60}""",
    re.VERBOSE | re.IGNORECASE,
)
_FOREIGN_NAME: Final = re.compile(r"[\u4e00-\u9fff]{2}[·・‧•][\u4e00-\u9fff]{2}")
"""The middle of a foreign name in Han characters: where it begins and ends, only its sense tells."""


def sign_of_original(one: PageFacts, other: PageFacts, *, both_must_name: bool = False) -> str:
    """Return what says that both texts may be translated: words of a page, an address or names; empty if nothing.

    A link counts if both pages give it and it leads to neither. `both_must_name`: whether one page that names an
    original is too little.
    """
    if link := _common_link(one, other):
        return link
    named = [found for page in (one, other) if (found := _original_named(page))]
    if len(named) > both_must_name:
        return named[0]
    if both_must_name:
        return ""
    names = sorted(_foreign_names(one.text) & _foreign_names(other.text))
    return ", ".join(names[:FEWEST_NAMES]) if len(names) >= FEWEST_NAMES else ""


def _common_link(one: PageFacts, other: PageFacts) -> str:
    theirs = set(other.credit_links[:LINKS_READ])
    own_urls = one.url, other.url
    return next((link for link in one.credit_links[:LINKS_READ] if link in theirs and link not in own_urls), "")


def _original_named(page: PageFacts) -> str:
    for line in _statements(page):
        if found := _NAMES_ORIGINAL.search(line):
            return found[0].strip()
    return ""


def _statements(page: PageFacts) -> Iterator[str]:
    yield from (line[:LINE_CHARS] for line in page.credit_lines[:LINKS_READ])
    yield page.text[:EDGE_CHARS]
    yield page.text[-EDGE_CHARS:]


def _foreign_names(text: str) -> set[str]:
    return set(_FOREIGN_NAME.findall(text[:READ_CHARS]))
