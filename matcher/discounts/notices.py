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
_FIRST: Final = frozenset("特免版著转郑原声许除若本欢未文作译编校审责翻整来出链地关请敬扫长订©(actlofr")
"""First characters of such beginnings, in lower case: a table of forty is tried only where one is."""
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
    if "@" not in line and "://" not in line:  # as in most lines: they have no address
        return False
    return sum(len(found[0]) for found in _ADDRESS.finditer(line)) > _ADDRESSES * len(line)
