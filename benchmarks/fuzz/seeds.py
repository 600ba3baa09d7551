"""Seed inputs of pages, texts, feeds, records and fields, written for this: the mutations start from them."""

import gzip
import json
from typing import Final

from benchmarks.fuzz.dictionaries import DATA

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


_ITEM: Final = f"<title>江边</title><link>https://a.example/1</link><description>{PROSE}</description>"
RSS: Final = f"""<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>县报</title><link>https://a.example/</link><item>{_ITEM}
<pubDate>Sun, 01 Mar 2026 08:30:00 +0800</pubDate>
<content:encoded><![CDATA[<p>{PROSE}</p>]]></content:encoded></item><item>{_ITEM}<guid>1</guid></item></channel></rss>"""
ATOM: Final = f"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>县报</title><entry><title>江边</title>
<link href="https://a.example/2"/><updated>2026-03-01T00:30:00Z</updated><content type="html">&lt;p&gt;{PROSE}</content>
</entry></feed>"""
RDF: Final = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<item rdf:about="https://a.example/3">{_ITEM}</item></rdf:RDF>"""
JSON_FEED: Final = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [{"id": "1", "url": "https://a.example/4", "date_published": "2026-03-01T08:30:00+08:00"}, {"id": 2}],
    }
)
FEEDS: Final = (
    RSS.encode(),
    RSS.replace("utf-8", "gb2312").encode("gb18030"),
    ATOM.encode(),
    RDF.encode(),
    JSON_FEED.encode(),
    RSS.encode("utf-16"),
)
SITEMAP: Final = """<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://a.example/1.html</loc><lastmod>2026-03-01
</lastmod><news:news><news:publication_date>2026-03-01T08:30:00+08:00</news:publication_date></news:news></url><url><loc>
https://a.example/2.html</loc></url></urlset>"""
SITEMAP_INDEX: Final = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://a.example/s1.xml.gz
</loc><lastmod>2026-03-01T00:00:00Z</lastmod></sitemap></sitemapindex>"""
SITEMAPS: Final = (
    SITEMAP.encode(),
    SITEMAP_INDEX.encode(),
    gzip.compress(SITEMAP.encode(), mtime=0),
    b"https://a.example/1\nhttps://a.example/2\n",
)
ROBOTS: Final = (
    b"User-agent: *\nDisallow: /admin/\nAllow: /admin/x$\nCrawl-delay: 1.5\nSitemap: https://a.example/sitemap.xml\n",
    b"\xef\xbb\xbfUser-agent: zhiwen\nDisallow: /*.php$\nRequest-rate: 1/5 0800-1700\nVisit-time: 0600-0845\n",
    "User-agent: 百度\nDisallow: /新闻/\nClean-param: ref /articles/\nHost: https://a.example\n".encode(),
)


RECORDS: Final = (
    json.dumps(
        {"id": "1", "url": "https://a.example/1", "title": "江边", "text": PROSE, "published_at": "2026-03-01"}
    ).encode(),
    json.dumps(
        {"id": 7, "url": "https://a.example/2", "html": PAGES[0].decode(), "author": "周明", "site": "mine"}
    ).encode(),
    json.dumps({"url": "https://a.example/3", "text": PROSE}, ensure_ascii=False).encode("utf-8-sig"),
)
RECORD_LINES: Final = (b"\n".join(RECORDS[:2]) + b"\n", gzip.compress(b"\n".join(RECORDS), mtime=0))
TABLES: Final = (
    f'url,title,text,published_at\nhttps://a.example/1,江边,"{PROSE}",2026-03-01\n'.encode(),
    f'url;text\r\nhttps://a.example/2;"{PROSE}\n{PROSE}"\r\n'.encode("gb18030"),
    f"url\ttext\nhttps://a.example/3\t{PROSE}\n".encode("utf-16"),
)
URLS: Final = (
    b"https://www.example.com/2026/03/01/a_b-c.html?id=1&utm_source=x#top",
    "http://例子.测试/新闻/列表?页=2".encode(),
    b"HTTP://user:pw@EXAMPLE.com:80/a/../b/./c//d?b=2&a=1&a=",
    b"https://a.example/x\nhttps://b.example/y\n../z?page=3\njavascript:alert(1)",
    b"https://[2001:db8::1]:8443/a;b=c/d,e?f[g]=h",
)
DATES: Final = tuple((DATA / "dates.txt").read_bytes().splitlines())
RULES: Final = (
    json.dumps(
        {"content": ["//div[@id='x']", "article p"], "title": "h1", "remove": [".ad", "#c > a:not(.x)"]}
    ).encode(),
    json.dumps({"published": "//time/@datetime", "author": "//span[contains(@class, 'a')]/text()"}).encode(),
)
QUERIES: Final = (
    b"tab=all&sort=score&page=2&severity=grave&kind=near&credit=none&share=50&owner=%E7%94%B2&site=x&text=%22a+b%22",
    b"tab=notified&overdue=1&opened_from=2026-03-01&opened_to=2026-03-31&assignee=me&deadline=&verdict=wrong&chars=100",
    b"kind=mosaic&role=original&share=90%25&page=100&text=%00",
)
