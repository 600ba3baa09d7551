"""Recognises soft 404s: pages with status 200 that say the requested page does not exist. Pure."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from crawler.extraction.html.page_tree import blocks, text_of
from crawler.extraction.html.text_blocks import Element, word_count
from crawler.extraction.metadata.titles import title_of
from crawler.extraction.page_types.barriers import asks_who_is_there

LONGEST_NOTICE: Final = 400
"""Word characters of a page that says it, navigation included. What is longer only speaks of it."""

LONGEST_TITLE: Final = 60

LONGEST_LINE: Final = 60
"""Word characters of a paragraph that is such a notice, on a page of any length."""

MOSTLY_LINK: Final = 0.5
"""Such a paragraph is the headline of another article."""

_SAYS_SO: Final = re.compile(
    r"""
    (?<!评论)(?<!留言)(?<!回复)
    (?:页面|网页|文章|本文|此文|内容|信息|新闻|帖子|贴子|主题|资源|文件|稿件|链接|作品|回答|博文|博客|日志|微博|笔记)
        (?:[^\s，。]{0,8})
        (?:不存在|未找到|没找到|找不到|不见了|已?失效|设为私密|设置为私密
            |(?:已|被|遭)[^\s，。]{0,6}(?:删除|删|移除|下线|下架|撤下|失效|撤回|撤稿|屏蔽|封禁|隐藏|锁定|注销|清除))
    | (?:作者|发布者|发布人|用户|原作者|平台|网站)(?:已|自行|主动)[^\s，。]{0,4}(?:删除|撤回|下架)
    | (?:违规|违反|违法|侵权|侵犯|投诉|举报|涉嫌|法律法规|未通过审核|审核未通过|被屏蔽|被封禁)[^\n。]{0,30}
        (?:无法|不能|不予|停止|不可|未予|禁止)(?:被)?(?:查看|访问|显示|展示|阅读|浏览|见)
    | (?:找不到|未找到|没有找到|无法找到)[^\s，。]{0,10}(?:页面|网页|文章|内容|信息|新闻|帖子|资源)
    | 没有知识存在的荒原
    | \bpage\s+(?:can(?:no|')t\s+be\s+|was\s+|is\s+)?not\s+(?:be\s+)?found\b
    | \b404\b\s*[-–:—|]*\s*(?:error|not\s+found|page|错误|页面|未找到|找不到)?\s*$
    | \b(?:error|错误|http)\s*[-–:—|]?\s*404\b
    | \b(?:page|article|story|post|content|document)\b.{0,40}
        \b(?:no\s+longer\s+(?:available|exists?)|does\s+not\s+exist|doesn't\s+exist
            |(?:has|have)\s+been\s+(?:removed|deleted|taken\s+down)|was\s+(?:removed|deleted|taken\s+down)\s+by)\b
    """,
    re.I | re.X | re.M,
)
"""Bounded repeats only: the text is untrusted."""


def says_it_is_absent(root: Element) -> bool:
    """Whether a title or a short page says that the requested page does not exist."""
    text = text_of(root)
    if word_count(text) > LONGEST_NOTICE:
        return False
    return _SAYS_SO.search(f"{title_of(root)[:LONGEST_TITLE]}\n{text[: 4 * LONGEST_NOTICE]}") is not None


def holds_notice(title: str, lines: Iterable[str]) -> bool:
    """Whether a title or one of the paragraphs, if it is short, says so; however many there are.

    For pages on which an article was read before: a notice there may be framed by other articles. A paragraph that also
    asks for a log-in or a captcha says nothing.
    """
    short = (line for line in lines if 0 < word_count(line) <= LONGEST_LINE)
    return any(_SAYS_SO.search(line) and not asks_who_is_there(line) for line in (title[:LONGEST_TITLE], *short))


def unlinked_lines(root: Element) -> Iterator[str]:
    """Paragraphs that are not mostly links: those are headlines of other articles."""
    return (block.text for block in blocks(root) if block.linked_share < MOSTLY_LINK)
