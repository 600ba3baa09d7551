"""Notices by form: lines at the edges of a text with licences, credits, addresses or invitations to follow.

Nothing else identifies a footer on a single page of each of two hosts. Only whole lines among the first and last of a
text are tested: further in, a line is the text's own.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice, takewhile
from typing import Final

import numpy as np

from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.discounts.units_within import units_within

TOP_LINES: Final = 6
BOTTOM_LINES: Final = 10
REACH: Final = 600
REACH_SHARE: Final = 0.4
"""Characters, and share of the text, between such a line and the edge: a footer may have 400. In a text of few lines
the number of lines says little.
"""
LONGEST: Final = 320
"""Most characters of a line. A longer one is a paragraph that mentions such things."""
SHARE: Final = 0.5
"""Most of a text's units that may be notices. A page that is nothing else is not framed by them."""

_BEGINS: Final = re.compile(
    r"""\W{0,6}(?:
        (?:特别|免责|版权|著作权|转载|原创|郑重)?声明\s?[:：] | 版权(?:所有|归|声明|信息|协议) | 著作权
      | 许可协议 | 除(?:特别|非另有|另有).{0,6}(?:声明|注明|说明) | 若无特别(?:注明|说明)
      | 本(?:博客|站|网站|网)(?:所有|全部|的)?(?:文章|内容|作品) | 本作品采用
      | 本文(?:链接|地址|网址|永久链接|版权|采用|首发|已获|转载|转自|译自)
      | 本文由.{0,80}?(?:翻译|编译|校对|原创|授权|撰写|出品|发布)
      | 转载(?:请|须|需|时|或|自|本文) | 欢迎转载 | 未经.{0,16}(?:允许|授权|许可|同意)
      | (?:原文|文章|本文)?(?:作者|译者|编译|校对|审校|责任?编辑?|编辑|翻译|整理|来源|出处|链接|地址)\s?[:：|/]
      | (?:译者|编译|翻译)\s[^\s，。]{1,20}[，,]
      | 作者(?:简介|介绍) | 译者(?:简介|介绍|注) | 关于(?:作者|译者|我们)
      | (?:欢迎|请|敬请)?(?:扫码|扫描|扫一扫|长按)
      | (?:欢迎|请|敬请)?(?:关注|订阅).{0,12}(?:公众号|微信|微博|订阅号|专栏|我们)
      # What platforms put around every article: their accounts, who is answerable, how to read on.
      | 微信(?:搜索|搜一搜|扫码|扫一扫|公众号\s?[:：]|号\s?[:：]) | 公众号\s?[:：] | 识别[^。]{0,8}二维码
      | 本文(?:来自|经授权)[^。]{0,20}(?:公众号|微信号|授权|ID\s?[:：])
      | (?:选题|监制|排版|美编|统筹|策划|终审|复审|初审|值班(?:编委|编辑|主任))\s?[:：|/丨]
      | 平台声明\s?[:：]
      | (?:以上|上述|该|本)(?:内容|文章|文|图文|作品|稿件)[^。]{0,40}(?:仅代表|不代表|用户上传|信息发布平台|信息存储)
      | (?:更多|精彩)[^。]{0,16}(?:关注|订阅|扫码)[^。]{0,12}(?:公众号|微信|微博|客户端|号)
      | 点击(?:上方|下方|左下|右下|文末|[“"]?阅读原文)[^。]{0,20}(?:关注|订阅|公众号|原文|全文|二维码)
      | 返回(?:搜狐|网易|首页)[^。]{0,4}(?:查看|阅读|更多)
      | 打开[^。]{0,6}(?:APP|客户端)[^。]{0,8}(?:阅读|查看|更多|全文)
      | (?:举报|投诉|投稿|商务合作|广告合作|新闻)(?:邮箱|电话|热线)\s?[:：] | 违法(?:和|与)?不良信息举报
      | about\ the\ (?:author|translator)s? | (?:copyright|©|\(c\))\W | all\ rights\ reserved
      | (?:this|the)\ (?:work|article|post|text)\ is\ (?:licensed|published)\ under | licensed\ under
      | (?:originally|first)\ (?:published|posted|appeared)\ (?:on|at|in) | (?:re-?printed|re-?published)\ (?:with|from)
      | translated\ (?:by|from) | follow\ (?:us|me)\ on
      )""",
    re.VERBOSE | re.IGNORECASE,
)
"""Beginnings of lines that are notices."""
_BEHIND_SIGNS: Final = 6
"""Signs in front of such a beginning."""
_FIRST: Final = frozenset(
    "特免版著转郑原声许除若本欢未文作译编校审责翻整来出链地关请敬扫长订©(actlofr微公识选监排美统策终复初值平以上该更精点返打举投商广新违"
)
"""First characters of such beginnings, in lower case: a table of eighty is tried only where one is."""
_REGISTERED: Final = re.compile(
    r"ICP[备证]\w{0,4}?\s?\d{5,}|公网安备\s?\d{6,}|(?:信息服务|视听节目|经营|出版)许可证(?:编?号)?\s?[:：]?\s?[\w()（）-]{5,}"
)
"""Numbers of registration: what every site in China has to show in its footer, and no article says."""
_ADDRESS: Final = re.compile(r"https?://[\x21-\x7e]{1,300}|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{2,30}")
_ADDRESSES: Final = 0.4
"""Share of addresses in a line from which it is a notice."""


def notice_units(text: Initials) -> Mask:
    """Return the units in lines at an edge of the text that are notices by their form."""
    source = text.canonical.source
    notices = [(start, end) for start, end in _at_edges(source) if is_notice(source[start:end])]
    if not notices:
        return np.zeros(len(text), dtype=np.bool_)
    mask = units_within(text, notices)
    return mask if len(text) and mask.mean() <= SHARE else np.zeros(len(text), dtype=np.bool_)


def _at_edges(source: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the lines at an edge that are not too long; lines of spaces count as no lines."""
    reach = min(REACH, int(REACH_SHARE * len(source)))
    top = takewhile(lambda line: line[0] <= reach, islice(_lines(source), TOP_LINES))
    bottom = takewhile(lambda line: line[1] >= len(source) - reach, islice(_lines_from_end(source), BOTTOM_LINES))
    return (line for line in chain(top, bottom) if line[1] - line[0] <= LONGEST)


def _lines(source: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(source):
        found = source.find("\n", start)
        end = len(source) if found < 0 else found
        if source[start:end].strip():
            yield start, end
        start = end + 1


def _lines_from_end(source: str) -> Iterator[tuple[int, int]]:
    end = len(source)
    while end > 0:
        start = source.rfind("\n", 0, end) + 1
        if source[start:end].strip():
            yield start, end
        end = start - 1


def may_begin(line: str) -> bool:
    """Return whether a line begins with one of the characters, behind a few signs, with which notices begin."""
    for char in line[: _BEHIND_SIGNS + 1]:
        if char.lower() in _FIRST:
            return True
        if char.isalnum() or char == "_":
            return False
    return False


def is_notice(line: str) -> bool:
    """Return whether a line is by its form a notice and not part of the article."""
    if may_begin(line) and _BEGINS.match(line):
        return True
    if ("备" in line or "证" in line) and _REGISTERED.search(line):
        return True
    if "@" not in line and "://" not in line:  # as in most lines: they have no address
        return False
    return sum(len(found[0]) for found in _ADDRESS.finditer(line)) > _ADDRESSES * len(line)
