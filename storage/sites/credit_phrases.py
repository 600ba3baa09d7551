"""Phrases by which pages state the source of a text: those before a credited name, and those after it.

Patterns for folded text (simplified script, lower case, half width). Those that end in `$` are searched in the few
characters before a name, so each costs no more than that stretch, whatever the page.
"""

import re
from typing import Final

_FLAGS: Final = re.VERBOSE

# Allowed between a phrase and the name: quotation marks, the kind of channel, a date, an article.
_GAP: Final = r"""(?: [\s《〈"“”'‘’「『【\[(<@\#:/|_-]
    | 微信公众号 | 公众号 | 公号 | 微信 | 微博 | 网站 | 博客 | 杂志 | 报纸 | 媒体 | 作者
    | \d{1,4}+[年月日期版号第.,-]? | 第
    | (?:the|an?|our|friends|at|in|on|by|of|from|website|blog|magazine|site|journal|newspaper)\b
    ){0,12}"""
# Other names before this one: “新华网、人民网、江城晚报”, “alice and bob”.
_OTHERS: Final = r"(?: [^。!?;\n]{0,40} [、,/|&+\s“\"'「『《【\[(@:] | [^。!?;,\n]{0,24} (?:综合|和|与|及|\band\s) )?"
_COAUTHORS: Final = r"(?: [\w·.\s]{1,20} (?: [、,/&] | \band\b | 和 | 与 ) \s* ){0,3}"

_LABEL: Final = re.compile(
    rf"""(?:
        (?<!图片)(?<!图像)(?<!照片)(?<!视频)(?<!题图)(?<!数据)      # of the picture, not of the text
        (?: 来源 | 稿源 | 出处 | 原文 | 原载 | 转载 | 转自 | 首发 | 首发平台 | 供稿 | 版权 | 版权所有
          | (?:原文|本文|转载|文章) (?:链接|地址|网址|出处) )
      | (?<!photo\s)(?<!image\s)(?<!picture\s)(?<!video\s)
        \b(?: sources? | credits? | originally | original(?:\s(?:article|post|story|link|source))? | copyright | via )
      ) \s? (?: [:：|/》\]】>→-]+ | \s(?=\s*$) ) \s* {_OTHERS} $""",
    _FLAGS,
)
"""来源：…, Source: …, then perhaps others' names."""

_FROM: Final = re.compile(
    rf"""(?:
        来自于? | 源自 | (?:转载|转发|转|摘|选|节选|摘编|改编|编译|译|引|摘录|搬运|授权转载)自 | 转载于
      | 原[载刊发]于? | 首[发刊]于? | (?: 刊载 | 刊登 | 刊 | 发表 | 发布 | 载 )于 | 转载 | ©
      ) {_GAP} $""",
    _FLAGS,
)
"""转载自…, 首发于…"""

_ENGLISH: Final = re.compile(
    rf"""(?:
        \bvia | \bh/t | \bhat\s?tip(?:\sto)? | \bcourtesy(?:\sof)? | \bcredits?\sto | \bcopyright | ©
      | \b(?:re-?printed|re-?published|re-?posted|cross-?posted|taken|excerpted|adapted|translated|syndicated)
        \s(?: with\s(?:the\s)?(?:kind\s)?permission\s)? (?:from|at|of|on|by)
      | \bwith\s(?:the\s)?(?:kind\s)?permission\s(?:of|from) | \bby\spermission\sof
      | \b(?:originally|first|previously) \s (?:was\s)?
        (?:published|appeared|posted|written|printed|ran|featured|released) \s (?:by|in|on|at|for)
      | \b(?:appeared|published|posted) \s (?:first|originally) \s (?:in|on|at|by)
      | \b(?:see|read) \s the \s (?:full\s)?original (?:\s(?:article|story|post|version|text|piece))? \s (?:at|on|in)
      | \bthe \s original (?:\s(?:article|story|post|version|piece))? \s
        (?:is|was|can\sbe\sfound|appeared) \s (?:at|on|in|by|from)
      ) {_GAP} $""",
    _FLAGS,
)
"""Originally published in…, via…, h/t…"""

_AUTHOR: Final = re.compile(
    rf"""(?:
        (?: 作者 | 撰文 | 撰稿 | 撰稿人 | 执笔 | 采写 | 文字 | 图文 | 文 | 著 | 记者 | 通讯员 | 译者 )
        \s? (?: [:：/|丨] | \s ) \s* {_COAUTHORS}
      | ^ \W{{0,4}} (?: (?:posted|written|story|text|report|words) \s )? by \b \s?:?\s? {_COAUTHORS}
      | \bauthors? \s?:\s* {_COAUTHORS}
      ) $""",
    _FLAGS,
)
"""作者：…, by …"""

_OWNED_BY: Final = re.compile(rf"(?:版权|著作权|所有权) (?:均)? (?:属于?|归属?于?|为) {_GAP} $", _FLAGS)
"""版权归…"""

_PERMITTED: Final = re.compile(rf"(?: 经 | 获 | 得到 | 由 | 感谢 | 鸣谢 ) {_GAP} $", _FLAGS)
_REFUSED: Final = re.compile(rf"(?: 未 | 没有 | 不 | 非 | 无需 | 勿 ) (?: 经 | 获 | 得到 | 由 ) {_GAP} $", _FLAGS)
_PERMISSION: Final = re.compile(
    r"""[》〉"”'’」』】\])>\s]{0,3}
        (?: 网站 | 网 | 官网 | 客户端 | 微信公众号 | 公众号 | 微信 )?
        (?: 独家)? (?: 授权 | 许可 | 同意 | 首发 | 原创 | 供稿 | 出品 )""",
    _FLAGS,
)
"""经…授权 is a credit; 未经…授权 is not."""

_OPENING: Final = re.compile(rf"^ [\s【\[(《“\"]{{0,4}} (?: 据 {_GAP} )? $", _FLAGS)
_REPORTS: Final = r"""(?: \d{1,2}+月 | (?:\d{1,2}+月)? \d{1,2}+日 )?
        (?: 讯 | 消息 | 报道 | 电 | 记者 | 综合报道 | 客户端讯 | 网讯 )"""
_DATELINE: Final = re.compile(
    rf"""[》"”】\])\s]{{0,2}} (?: [(\[【] [^()\[\]【】\n]{{0,60}} [)\]】] \s? )? {_REPORTS}""", _FLAGS
)
"""据…报道, …讯: the beginning of a reprint. One bracket may follow the name: 据江城晚报(www.jcwb.example)报道."""
_OPENING_IN_BRACKETS: Final = re.compile(
    rf"^ [\s【\[(《“\"]{{0,4}} 据 {_GAP} [^。!?;,:()\[\]\n]{{1,24}} [(\[【] [^()\[\]【】\n]{{0,40}} $", _FLAGS
)
_REST_OF_BRACKETS: Final = re.compile(rf"[^()\[\]【】\n]{{0,40}} [)\]】] \s? {_REPORTS}", _FLAGS)
"""The name inside that bracket: 据本地媒体(江城晚报)报道."""

_STATEMENTS: Final = (_LABEL, _FROM, _ENGLISH, _AUTHOR, _OWNED_BY)


def is_statement(before: str, after: str) -> bool:
    """Return whether the text before and after a name credits it."""
    if _REFUSED.search(before):
        return False
    if _PERMITTED.search(before) and _PERMISSION.match(after):
        return True
    return any(pattern.search(before) for pattern in _STATEMENTS)


def opens_a_reprint(before: str, after: str) -> bool:
    """Return whether a name at the head of a text is its source: “据江城晚报报道”, “江城晚报讯”."""
    if _OPENING.match(before):
        return _DATELINE.match(after) is not None
    return _OPENING_IN_BRACKETS.match(before) is not None and _REST_OF_BRACKETS.match(after) is not None
