"""Leftover phrases: words in a copy that belong to another page. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from matcher.provenance.page_facts import PageFacts

EDGE_CHARS: Final = 600
"""Characters at either end of a text in which such phrases are searched."""
KNOWN_TEXTS: Final = 512
"""Texts whose answer is cached: it is asked for in each of their comparisons."""
SHORTEST_NAME: Final = 3
"""Least characters of a site's name: a shorter one may be an ordinary word."""
NAME_CHARS: Final = 60
MOST_PLACES: Final = 5
"""Occurrences of a name that are tested in one text."""

_LEFT_OVER: Final = re.compile(
    r"""(?: 点击 | 查看 | 戳 ) .{0,6}? (?: 阅读原文 | 原文 )
      | 阅读原文 | 原文链接 | 查看原文 | 原文如下
      | (?: 转载 | 转发 | 搬运 | 分享 ) 自 (?: 网络 | 互联网 | 公众号 )
      | (?: 来源 | 来自 ) \s? [:：于]? \s? (?: 网络 | 互联网 )
      | 侵删 | 侵权 .{0,8}? (?: 删除 | 联系 ) | 版权归 .{0,6}? 原作者
      | 本文为转载 | 系转载
      | \b[Rr]ead\sthe\s(?:full\s)?original\b | \bappeared\sfirst\son\b | \b[Rr]ead\smore\sat\b | \b[Vv]iew\soriginal\b
    """,
    re.VERBOSE,
)
"""点击阅读原文, 侵删: phrases that the author of a text does not use of it."""

_IN_THEM: Final = ("原文", "网络", "互联网", "公众号", "侵", "原作者", "转载", "original", "appeared", "more")
"""Each of these phrases has one of these in it, and few texts have any: they are found fifty times as fast."""

_SPEAKS_FOR_ITSELF: Final = re.compile(
    r"[》”\s]{0,2}(?:\d{1,2}+月)?(?:\d{1,2}+日)?(?:讯|记者|消息|评论员|编辑部|独家|获悉|报道组|客户端讯)"
)
"""Words that follow the name of a paper where the paper speaks: 江城晚报记者, 江城晚报讯."""


def left_over(text: str) -> str:
    """Return a phrase at either end of the text that marks it as taken from elsewhere; empty if there is none."""
    return _left_over(text[:EDGE_CHARS], text[-EDGE_CHARS:])


@lru_cache(maxsize=KNOWN_TEXTS)
def _left_over(beginning: str, end: str) -> str:
    for part in (beginning, end):
        found = _LEFT_OVER.search(part) if any(words in part for words in _IN_THEM) else None
        if found is not None:
            return " ".join(found[0].split())
    return ""


def speaks_as(text: str, page: PageFacts) -> str:
    """Return the name of the page's site or owner if the text speaks in its name, else an empty string."""
    for name in _names(page):
        start = text.find(name)
        for _ in range(MOST_PLACES):
            if start < 0:
                break
            end = start + len(name)
            if _SPEAKS_FOR_ITSELF.match(text, end):
                return name
            start = text.find(name, end)
    return ""


def _names(page: PageFacts) -> Iterable[str]:
    names = (name.strip().removesuffix("网站").removesuffix("网") for name in (page.site_name, page.owner_name))
    return [name for name in names if SHORTEST_NAME <= len(name) <= NAME_CHARS]
