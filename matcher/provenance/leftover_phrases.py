"""Leftover phrases: words in a copy that belong to another page. Pure."""

import re
from collections.abc import Iterable
from typing import Final

from matcher.provenance.page_facts import PageFacts

EDGE_CHARS: Final = 600
"""Such phrases stand at either end of a text."""
SHORTEST_NAME: Final = 3
"""Characters: a shorter name of a site may be an ordinary word."""
NAME_CHARS: Final = 60
MOST_PLACES: Final = 5
"""How often a name is looked for in one text."""

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
"""点击阅读原文, 侵删: who wrote a text does not say so of it."""

_SPEAKS_FOR_ITSELF: Final = re.compile(
    r"[》”\s]{0,2}(?:\d{1,2}+月)?(?:\d{1,2}+日)?(?:讯|记者|消息|评论员|编辑部|独家|获悉|报道组|客户端讯)"
)
"""What follows the name of a paper where the paper speaks: 江城晚报记者, 江城晚报讯."""


def left_over(text: str) -> str:
    """A phrase at either end of the text that only a page which took it from elsewhere has; empty if there is none."""
    for part in (text[:EDGE_CHARS], text[-EDGE_CHARS:]):
        found = _LEFT_OVER.search(part)
        if found is not None:
            return " ".join(found[0].split())
    return ""


def speaks_as(text: str, page: PageFacts) -> str:
    """The name of the page's site or owner where the text speaks in its name; empty if it does not."""
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
