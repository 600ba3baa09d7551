"""Decides whether a line credits a name or only mentions it. Pure, and bounded for any line.

It is here because both the crawler and the matcher use it. Lines and names must be folded, as by
`fingerprint.normalize.canonicalize`: simplified script, lower case, half width.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from storage.sites.credit_phrases import is_statement, opens_a_reprint

LINE_CHARS: Final = 300
"""Only the beginning of a longer line is read: a credit is short, and a hostile line is not."""
NAME_CHARS: Final = 60
"""A longer name is a sentence and occurs in no credit."""
SHORTEST_NAME: Final = 2
"""Characters: a one-letter name occurs in every line by chance."""
MOST_PLACES: Final = 8
"""Occurrences of a name tested in one line."""
KNOWN_NAMES: Final = 1_024
"""Names whose pattern is cached: each is searched in about twenty lines, three times for each pair of pages."""
BEFORE_CHARS: Final = 64
AFTER_CHARS: Final = 80
"""Characters of the line that are read around a name; a bracket may follow."""
SHORT_LINE: Final = 48
"""Longest line of the page's own credits that names its author without a phrase."""

_GENERIC_TEXT: Final = """
    佚名 匿名 未知 不详 网络 互联网 网友 网民 本站 本网 本报 本刊 原创 转载 编辑 小编 记者 作者 管理员 站长 博客
    论坛 新闻 资讯 首页 综合 来源 出处 未署名 用户 游客
    unknown anonymous admin administrator editor editors staff author writer guest user news blog home source internet
    web website the none null n/a
"""
_GENERIC: Final = frozenset(_GENERIC_TEXT.split())
"""Placeholders that name nobody."""

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_HOST: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}[a-z0-9-]*")
_SENTENCE: Final = re.compile(r"[。!?;,]|\.\s")
_NAME_ENDS: Final = re.compile(
    r"""$ | [^\u3400-\u9fff]                                                      # nothing, or no Chinese
      | 网(?![\u3400-\u9fff]) | 网站 | 官网 | 官方 | 客户端 | 新闻客户端 | 微[信博] | 公众号 | 公号 | 头条号
      | 百家号 | 数字报 | 电子版 | 版 | 记者 | 编辑 | 作者 | 专栏 | 博客 | 讯 | 消息 | 报道 | 电 | 综合
      | 的 | 等 | 和 | 与 | 及 | 授权 | 独家 | 许可 | 同意 | 首发 | 供稿 | 原创 | 出品 | 所有 | 版权
      | 发[布表] | 刊 | 撰 | 著 | 文 | 译 | 来源 | 责""",
    re.VERBOSE,
)
"""What may follow a Chinese name without making it another, longer one: 江城晚报记者, not 江城晚报社区."""

_PICTURE_BEFORE: Final = re.compile(
    r"(?:图|图片|照片|摄影|视频|photos?|images?|pictures?|video)(?:来源|by)?\s?[:：/|]?\s?$"
)
_PICTURE_AFTER: Final = re.compile(r"[^。!?;,\n]{0,10}?(?:摄|供图|图片|photo|/图)")
"""Credits of pictures, which say nothing about the text."""


def is_name(name: str) -> bool:
    """Return whether a folded name can be searched: of suitable length, and not a placeholder."""
    return SHORTEST_NAME <= len(name) <= NAME_CHARS and name not in _GENERIC


def credits_name(line: str, name: str, *, is_credit_line: bool = False, is_first: bool = False) -> bool:
    """Return whether `line` credits `name`; a mere mention does not.

    `is_credit_line`: the page's own line of credits, where a short one needs no phrase. `is_first`: the text's first
    line, where “据江城晚报报道” and “江城晚报讯” are credits.
    """
    line = line[:LINE_CHARS]
    for start, end in places_of(line, name):
        before, after = line[max(0, start - BEFORE_CHARS) : start], line[end : end + AFTER_CHARS]
        if _PICTURE_BEFORE.search(before) or _PICTURE_AFTER.match(after):
            continue
        if is_statement(before, after):
            return True
        if is_credit_line and _stands_alone(line, before):
            return True
        if is_first and opens_a_reprint(line[:start], after):
            return True
    return False


def places_of(line: str, name: str) -> Iterator[tuple[int, int]]:
    """Return the first places where `name` occurs in `line` by itself, not as a part of a longer name."""
    is_han = _HAN.match(name[-1:]) is not None
    for number, found in enumerate(_pattern(name).finditer(line)):
        if number == MOST_PLACES:
            return
        if not is_han or _NAME_ENDS.match(line, found.end()):
            yield found.span()


def _stands_alone(line: str, before: str) -> bool:
    return len(line) <= SHORT_LINE and not _SENTENCE.search(line) and not _HAN.match(before[-1:])


@lru_cache(maxsize=KNOWN_NAMES)
def _pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of the name with any spaces between its characters or words; Latin names only as whole words.

    A host may have Chinese characters beside it and www. before it, but is no part of another host or an address.
    """
    if _HOST.fullmatch(name):
        return re.compile(rf"(?<![\w.@/=?&%-])(?:(?:www|m)\.)?{re.escape(name)}(?![\w@-])(?!\.\w)", re.ASCII)
    if _HAN.search(name):
        return re.compile(r"\s?".join(map(re.escape, "".join(name.split()))))
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"(?<![\w.-]){words}(?![\w-])(?!\.\w)")
