"""Does a line credit somebody, or does it only mention him? Pure, and bounded whatever the line.

It stands here because both the crawler and the matcher ask. Lines and names come folded, as
`fingerprint.normalize.canonicalize` gives them: simplified script, small letters, half width.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from storage.sites.credit_phrases import is_statement, opens_a_reprint

LINE_CHARS: Final = 300
"""Of a longer line only the beginning is read: a credit is short, and a hostile line is not."""
NAME_CHARS: Final = 60
"""A longer name is a sentence, and stands in no credit."""
SHORTEST_NAME: Final = 2
"""Characters: a one-letter name stands in every line by chance."""
MOST_PLACES: Final = 8
"""How often a name is looked for in one line."""
KNOWN_NAMES: Final = 1_024
"""Names whose pattern is remembered: each is looked for in a score of lines, thrice for each pair of pages."""
BEFORE_CHARS: Final = 64
AFTER_CHARS: Final = 80
"""How much of the line is read around a name; behind it a bracket may stand."""
SHORT_LINE: Final = 48
"""A line of the page's own credits that is no longer than this, and no sentence, names whom it names."""

_GENERIC_TEXT: Final = """
    佚名 匿名 未知 不详 网络 互联网 网友 网民 本站 本网 本报 本刊 原创 转载 编辑 小编 记者 作者 管理员 站长 博客
    论坛 新闻 资讯 首页 综合 来源 出处 未署名 用户 游客
    unknown anonymous admin administrator editor editors staff author writer guest user news blog home source internet
    web website the none null n/a
"""
_GENERIC: Final = frozenset(_GENERIC_TEXT.split())
"""What stands in the place of a name and names nobody."""

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
"""What may follow a Chinese name without making another, longer one of it: 江城晚报记者, not 江城晚报社区."""

_PICTURE_BEFORE: Final = re.compile(
    r"(?:图|图片|照片|摄影|视频|photos?|images?|pictures?|video)(?:来源|by)?\s?[:：/|]?\s?$"
)
_PICTURE_AFTER: Final = re.compile(r"[^。!?;,\n]{0,10}?(?:摄|供图|图片|photo|/图)")
"""Who took the picture did not write the text."""


def is_name(name: str) -> bool:
    """Whether a folded name can be looked for: long enough, short enough, and somebody's."""
    return SHORTEST_NAME <= len(name) <= NAME_CHARS and name not in _GENERIC


def credits_name(line: str, name: str, *, is_credit_line: bool = False, is_first: bool = False) -> bool:
    """Whether `line` credits `name`; a mere mention does not.

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
    """The first places where `name` stands by itself in `line`, not as a part of a longer name."""
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
    """The name with any spaces between its characters or words; Latin names only as whole words. A host may have
    Chinese characters beside it and www. before it, and is no part of another host, a mail address or an address.
    """
    if _HOST.fullmatch(name):
        return re.compile(rf"(?<![\w.@/=?&%-])(?:(?:www|m)\.)?{re.escape(name)}(?![\w@-])(?!\.\w)", re.ASCII)
    if _HAN.search(name):
        return re.compile(r"\s?".join(map(re.escape, "".join(name.split()))))
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"(?<![\w.-]){words}(?![\w-])(?!\.\w)")
