"""Inputs that the parsers can read, written for this: the mutations spoil them."""

from typing import Final

PROSE: Final = (
    "晨雾散去以后，江边的码头渐渐热闹起来。挑夫们把一筐筐新摘的柑橘抬上船，船工老周蹲在船头抽着旱烟，"
    "说今年的水比往年退得早，赶在立冬前还能再跑三趟。县里新修的公路通车以后，走水路的人一年比一年少，"
    "可是柑橘怕颠，果农仍旧愿意多付几块钱运费，让它们安安稳稳地漂到下游的集市上去。"
)
OTHER_PROSE: Final = (
    "研究人员在论文中写道，这种材料在零下四十度时仍然保持柔软，而同类产品早已变脆。他们一共测量了三百二十七个样品，"
    "其中只有两个在弯折五万次之后出现裂纹。The team says the coating costs less than 0.8 yuan per square metre."
)
_ARTICLE: Final = f"""<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>江边的码头_县报网</title>
<meta name="author" content="周明"><meta property="article:published_time" content="2026-03-01T08:30:00+08:00">
<link rel="canonical" href="https://www.example.com/2026/03/01/river.html"><link rel="alternate"
 type="application/rss+xml" href="/feed.xml"><meta name="robots" content="index,follow">
<script type="application/ld+json">{{"@context":"https://schema.org","@type":"NewsArticle","headline":"江边的码头",
"datePublished":"2026-03-01T08:30:00+08:00","author":{{"@type":"Person","name":"周明"}}}}</script></head>
<body><nav><a href="/">首页</a> <a href="/news/list_2.html">下一页</a></nav><article><h1>江边的码头</h1>
<div class="info">2026年3月1日 08:30　来源：<a href="https://source.example.net/1.html">新华社</a>　记者 周明</div>
<p>{PROSE}</p><p>{OTHER_PROSE}</p><table><tr><td>产量</td><td>12.5 万吨</td></tr></table><p>{PROSE[40:]}</p>
<div class="pages"><a href="river_2.html">2</a> <a href="river_3.html">下一页</a></div></article>
<div class="comments"><p>沙发！</p></div><footer>版权所有 转载请注明出处 © 2026 县报</footer></body></html>"""
_LIST: Final = (
    "<html><body><ul>"
    + "".join(
        f'<li><a href="/news/{number}.html">第{number}条新闻的标题要长一点</a> <span>03-{number:02}</span></li>'
        for number in range(1, 30)
    )
    + "</ul></body></html>"
)
_FORUM: Final = (
    "<html><body>"
    + "".join(
        f'<div id="post_{number}" class="post"><b class="author">用户{number}</b><div class="t_f">{PROSE}</div></div>'
        for number in range(1, 6)
    )
    + "</body></html>"
)
_FRAMES: Final = "<html><frameset><frame src='a.html'><frame src='b.html'></frameset></html>"

PAGES: Final = (
    _ARTICLE.encode(),
    _ARTICLE.replace("utf-8", "gb2312").encode("gb18030"),
    _ARTICLE.replace("utf-8", "big5").encode("big5", "replace"),
    _LIST.encode(),
    _FORUM.encode(),
    _FRAMES.encode(),
    ('<?xml version="1.0" encoding="utf-8"?>' + _ARTICLE.replace("<!doctype html>", "")).encode(),
    b"<p>" + PROSE.encode(),
)
TEXTS: Final = (
    PROSE.encode(),
    OTHER_PROSE.encode(),
    f"{PROSE}\n\n{OTHER_PROSE}\n{PROSE}".encode(),
    f"{PROSE}\x00{OTHER_PROSE}{PROSE[10:80]}".encode(),
    f"{PROSE}\x00{PROSE[::-1]}".encode(),
    PROSE.encode("gb18030"),
    PROSE.encode("utf-16"),
    ("國家圖書館" * 20 + OTHER_PROSE).encode("big5", "replace"),
    ("日本語のテキストです。" * 10).encode("shift_jis"),
    ("한국어 문장입니다. " * 10).encode("euc_kr"),
    "Съешь ещё этих мягких французских булок. ".encode("koi8-r") * 5,
    b"The quick brown fox jumps over the lazy dog. " * 20,
    ("def f(x):\n    return x + 1\n" * 10).encode(),
)
DECLARED: Final = tuple(
    f"text/html; charset={charset}\n".encode() + page
    for charset, page in zip(("utf-8", "gb2312", "big5", "rot13", "utf-7", "idna", "zlib"), PAGES[:7], strict=True)
)
