"""Feeds, sitemaps and robots.txt to begin with."""

import gzip
import json
from typing import Final

from benchmarks.fuzz.seeds import PROSE

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
