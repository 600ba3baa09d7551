"""Whether a page that answers “here I am” says that there is nothing: a soft 404. Pure."""

import re
from typing import Final

from crawler.blocks import Element, text_of, word_count
from crawler.titles import title_of

LONGEST_NOTICE: Final = 400
"""Word characters of a page that says it, navigation included. What is longer only speaks of it."""

LONGEST_TITLE: Final = 60

_SAYS_SO: Final = re.compile(
    r"""
    (?:页面|网页|文章|内容|信息|新闻|帖子|主题|资源|文件|稿件|链接|作品)
        (?:[^\s，。]{0,8})
        (?:不存在|未找到|没找到|找不到|(?:已|被)[^\s，。]{0,4}(?:删除|移除|下线|下架|撤下|失效|撤回)|不见了|已?失效)
    | (?:找不到|未找到|没有找到|无法找到|无法访问)[^\s，。]{0,10}(?:页面|网页|文章|内容|信息|新闻|帖子|资源)
    | \bpage\s+(?:can(?:no|')t\s+be\s+|was\s+|is\s+)?not\s+(?:be\s+)?found\b
    | \b404\b\s*[-–:—|]*\s*(?:error|not\s+found|page|错误|页面|未找到|找不到)?\s*$
    | \b(?:error|错误|http)\s*[-–:—|]?\s*404\b
    | \b(?:page|article|story|post|content|document)\b.{0,40}
        \b(?:no\s+longer\s+(?:available|exists?)|does\s+not\s+exist|doesn't\s+exist|(?:has|have)\s+been\s+(?:removed|deleted))\b
    """,
    re.I | re.X | re.M,
)
"""Bounded repeats only: the text is whatever a stranger wrote."""


def says_it_is_absent(root: Element) -> bool:
    """Whether a title or a short page says that what was asked for is not there."""
    title = title_of(root)
    text = text_of(root)
    if word_count(text) > LONGEST_NOTICE:
        return False
    shown = "\n".join((title[:LONGEST_TITLE], text[: 4 * LONGEST_NOTICE]))
    return _SAYS_SO.search(shown) is not None
