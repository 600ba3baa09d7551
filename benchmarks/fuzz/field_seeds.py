"""Records, tables, addresses, dates, rules and queries to begin with."""

import gzip
import json
from typing import Final

from benchmarks.fuzz.dictionaries import DATA
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
