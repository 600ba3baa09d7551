"""Which lines at the edges of a text are notices by their form: licences, credits, addresses, invitations to follow.

A footer on a single page of each of two hosts is told by nothing else. Only whole lines among the first and last of a
text are looked at: what a text says further in is its own.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from fingerprint.model import Initials
from matcher.alignment.align import Mask

TOP_LINES: Final = 6
BOTTOM_LINES: Final = 10
REACH: Final = 600
REACH_SHARE: Final = 0.4
"""Characters, and share of the text, between such a line and the edge: a footer may be 400 long. Lines alone say little
where a text has few.
"""
LONGEST: Final = 320
"""Characters of a line. A longer one is a paragraph that mentions such things."""
SHARE: Final = 0.5
"""Of a text's units that its notices may be. A page that is nothing else is not framed by them."""

_LINE: Final = re.compile(r"[^\n]+")
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
"""How a line begins that is a notice."""
_ADDRESS: Final = re.compile(r"https?://[\x21-\x7e]{1,300}|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{2,30}")
_ADDRESSES: Final = 0.4
"""Share of a line that is addresses, from which on it is told by them."""


def notice_units(text: Initials) -> Mask:
    """Which units stand in a line at an edge of the text that is a notice by its form."""
    source = text.canonical.source
    lines = [line for line in _LINE.finditer(source) if line[0].strip()]
    inside = np.zeros(len(source) + 1, dtype=np.bool_)
    for line in _at_edges(lines, len(source)):
        if len(line[0]) <= LONGEST and is_notice(line[0]):
            inside[line.start() : line.end()] = True
    if not len(text):
        return np.zeros(0, dtype=np.bool_)
    mask: Mask = inside[text.canonical.starts[text.chars_from]]
    return mask if mask.mean() <= SHARE else np.zeros(len(text), dtype=np.bool_)


def _at_edges(lines: Sequence[re.Match[str]], chars: int) -> list[re.Match[str]]:
    reach = min(REACH, int(REACH_SHARE * chars))
    top = [line for line in lines[:TOP_LINES] if line.start() <= reach]
    return top + [line for line in lines[-BOTTOM_LINES:] if line.end() >= chars - reach]


def is_notice(line: str) -> bool:
    """Whether a line tells by its form that it is no part of what its page says."""
    if _BEGINS.match(line):
        return True
    return sum(len(found[0]) for found in _ADDRESS.finditer(line)) > _ADDRESSES * len(line)
