"""Recognises paywalls: pages that show the beginning of an article and ask for money or an account. Pure."""

import re
from collections.abc import Iterable
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element
from crawler.extraction.metadata.json_ld import json_ld

TEASER_WORDS: Final = 1_500
"""Word characters. A longer text that is followed by an offer is there as a whole."""

ASKING_WORDS: Final = 120
"""Word characters of the line that asks; longer ones are paragraphs about subscriptions."""

_ASKS: Final = re.compile(
    r"""(?: 订阅|訂閱|付费|付費|购买|購買|开通|開通|会员|會員|登录|登錄|登入|注册|解锁|解鎖|支付 ) .{0,20}
        (?: 阅读|閱讀|查看|观看|继续|繼續|解锁|获取|享 ) .{0,8} (?: 全文|全部|余下|剩余|完整|更多内容|后续|本文 )
      | (?: 阅读|閱讀|查看 ) (?: 全文|全部|完整|剩余 ) .{0,20}
        (?: 订阅|訂閱|付费|付費|购买|開通|开通|会员|會員|登录|登入|支付 )
      | (?: 本文|此文|该文|全文 ) .{0,6} (?: 付费|付費|会员|會員|订阅|收费 ) .{0,6} (?: 内容|文章|专享|可见|阅读 )
      | (?: 剩余 | 还有 | 余下 ) \s? \d{1,3} \s? % .{0,16} (?: 付费 | 未读 | 订阅 | 会员 | 购买 | 未完 )
      | \b(?: subscribe | sign\ (?:in|up) | log\ ?in | register | become\ a\ member | upgrade ) \b .{0,40}
        \b(?: to\ (?:continue|read|keep|unlock|access|view) | for\ (?:full|unlimited)\ access )
      | \bto\ (?:continue|keep)\ reading\b | \balready\ a\ (?:subscriber|member)\b
      | \bthis\ (?:article|story|content|post)\ is\ (?:for|only\ (?:for|available))\b .{0,24} (?:subscriber|member)s?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_FREE: Final = frozenset({"false", "no", "0"})


def is_behind_paywall(root: Element, ending: Iterable[Block], *, words: int) -> bool:
    """Whether the article, of which `words` word characters were found, continues for subscribers only.

    `ending` are its last blocks and those that follow. A page that says in its data that it is not free, and is short,
    needs no words.
    """
    if words > TEASER_WORDS:
        return False
    if any(block.words <= ASKING_WORDS and _ASKS.search(block.text) for block in ending):
        return True
    return any(
        str(value.get("isAccessibleForFree", "")).strip().lower() in _NOT_FREE
        for value in json_ld(root)
        if "isAccessibleForFree" in value and value.get("@type") != "WebPageElement"
    )
