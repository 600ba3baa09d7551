"""Records, tables, addresses, dates, rules and queries to begin with."""

import gzip
import json
from typing import Final

from benchmarks.fuzz.seeds import PAGES, PROSE

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
RECORD_TOKENS: Final = (
    *(
        b'{"url":',
        b'"text":',
        b'"html":',
        b'"published_at":',
        b"null",
        b"[]",
        b"{}",
        b"1e999",
        b"NaN",
        b"\\ud800",
        b"\\u0000",
        b"\n",
    ),
    *(b'"id":', b"9" * 5_000, b"[" * 2_000, b'"site":"', b"true", b"-0"),
)
TABLES: Final = (
    f'url,title,text,published_at\nhttps://a.example/1,江边,"{PROSE}",2026-03-01\n'.encode(),
    f'url;text\r\nhttps://a.example/2;"{PROSE}\n{PROSE}"\r\n'.encode("gb18030"),
    f"url\ttext\nhttps://a.example/3\t{PROSE}\n".encode("utf-16"),
)
TABLE_TOKENS: Final = (b'"', b'""', b",", b";", b"\t", b"\r", b"\n", b"url,text\n", b"\x00", b"=1+1", b"url", b"text")
URLS: Final = (
    b"https://www.example.com/2026/03/01/a_b-c.html?id=1&utm_source=x#top",
    "http://例子.测试/新闻/列表?页=2".encode(),
    b"HTTP://user:pw@EXAMPLE.com:80/a/../b/./c//d?b=2&a=1&a=",
    b"https://a.example/x\nhttps://b.example/y\n../z?page=3\njavascript:alert(1)",
    b"https://[2001:db8::1]:8443/a;b=c/d,e?f[g]=h",
)
URL_TOKENS: Final = (
    *(
        b"http://",
        b"https://",
        b"//",
        b"[",
        b"]",
        b"::1",
        b"@",
        b":",
        b":99999",
        b":x",
        b"?",
        b"#",
        b"&",
        b"=",
        b"%",
        b"%zz",
        b"%e4%b8",
    ),
    *(
        b"..",
        b"/./",
        b"\\",
        b" ",
        b"xn--",
        b"xn--a",
        "ß".encode(),
        "。".encode(),
        "İ".encode(),
        b"0x7f.1",
        b"1.2.3.4.",
        b"-",
        b"_",
    ),
    *(
        b"?page=1",
        b"list_2.html",
        b"/2026/13/45/",
        b"javascript:",
        b"data:,x",
        b"file:///etc/passwd",
        b"\n",
        b"\t",
        b"\xff",
    ),
)
DATES: Final = tuple(
    date.encode()
    for date in (
        "2026-03-01T08:30:00+08:00", "2026年3月1日 8时30分", "二〇二六年三月一日", "Sun, 01 Mar 2026 08:30:00 GMT",
        "March 1, 2026 8:30 a.m.", "3小时前", "昨天 08:30", "03-01 08:30", "2026/3/1", "20260301083000", "1772325000",
        "刚刚", "三天前", "1 Mar 2026", "2026.03.01 08:30:15.123456", "/2026/03/01/a.html", "民国115年3月1日",
    )
)  # fmt: skip
DATE_TOKENS: Final = tuple(
    token.encode()
    for token in (
        "年", "月", "日", "时", "分", "秒", "前", "昨天", "前天", "今天", "小时", "-", "/", ":", "T", "Z",
        "+99:99", "-23:59", "十", "〇", "百", "Jan", "Sept", "a.m.", "PM", "GMT", "CST", "0000", "9999", "99999999999",
        "31", "30", "2",
        "24:00", "٢", "１", "²", "½", "Ⅷ", "上午", "下午", "ago", "hours",
    )
)  # fmt: skip
RULES: Final = (
    json.dumps(
        {"content": ["//div[@id='x']", "article p"], "title": "h1", "remove": [".ad", "#c > a:not(.x)"]}
    ).encode(),
    json.dumps({"published": "//time/@datetime", "author": "//span[contains(@class, 'a')]/text()"}).encode(),
)
RULE_TOKENS: Final = (
    *(
        b'"content":',
        b"//*[",
        b"]",
        b"(",
        b")",
        b"count(//a)",
        b"re:test(., '(a+)+$')",
        b"document('file:///etc/passwd')",
        b"::",
        b"$x",
    ),
    *(
        b":nth-child(2n+",
        b":has(",
        b"*|*",
        b"~",
        b"\\",
        b'"remove":',
        b"string-length(",
        b"[[",
        b"ancestor::*//",
        b"following::*//",
    ),
)
QUERIES: Final = (
    b"tab=all&sort=score&page=2&severity=grave&kind=near&credit=none&share=50&owner=%E7%94%B2&site=x&text=%22a+b%22",
    b"tab=notified&overdue=1&opened_from=2026-03-01&opened_to=2026-03-31&assignee=me&deadline=&verdict=wrong&chars=100",
    b"kind=mosaic&role=original&share=90%25&page=100&text=%00",
)
QUERY_TOKENS: Final = (
    *(
        b"tab=",
        b"page=",
        b"share=",
        b"sort=",
        b"text=",
        b"opened_from=",
        b"assignee=",
        b"@nobody",
        b"severity=",
        b"%",
        b"&",
        b"=",
        b"%00",
    ),
    *(
        "２".encode(),
        "²".encode(),
        b"%ff",
        b"9" * 30,
        b"-1",
        b"1e5",
        b"2026-13-99",
        b"0001-01-01",
        b"9999-12-31",
        b"verdict=",
        b"chars=",
    ),
)
