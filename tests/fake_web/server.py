"""What the fake web answers. `python -m tests.fake_web.server` prints its address and serves until its input ends."""

import gzip
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import cast
from urllib.parse import unquote, urlsplit

from crawler.network.loopback_server import LoopbackServer, serve_until_input_ends
from tests.fake_web.hostile import HOSTILE
from tests.fake_web.notices import NOTICES, REPLACEMENT
from tests.fake_web.pages import CORRECTION, JSON_FEED, NOTICE, article, link_list, serial_part, shortened

HTML = "text/html; charset=utf-8"
LOG = "/requests-so-far"
REQUESTS: Counter[str] = Counter()
"""How often each path was asked for. One thread a connection: a count may be missed, none is made up."""

BIG_CHUNK = b"<p>" + b"x" * 100_000 + b"</p>"


class FakeWeb(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == LOG:
            self.send(json.dumps(REQUESTS).encode(), content_type="application/json")
            return
        if parts.path.startswith(BECOME):
            path, _, state = parts.path.removeprefix(BECOME).rpartition("/")
            CHANGED["/" + path] = STATES[unquote(state)]
            self.send(b"")
            return
        REQUESTS[self.path] += 1
        page = CHANGED.get(parts.path) or PAGES.get(parts.path) or HOSTILE.get(parts.path)
        if page is not None:
            page(self)
        elif parts.path.startswith("/news/"):
            self.send(article(int(parts.path.removeprefix("/news/"))).encode())
        elif parts.path.startswith("/told/"):
            told = int(parts.path.removeprefix("/told/"))
            self.send(article(told, extra=f"<p>{NOTICE}</p>").encode())
        elif parts.path.startswith("/twin/"):
            _, number, named = parts.path.removeprefix("/").split("/")
            target = named if named.startswith("http") else f"/story-{named}"
            self.send(article(int(number), head=f'<link rel="canonical" href="{target}">').encode())
        elif parts.path.startswith("/story-"):
            self.send(
                article(int(parts.path.removeprefix("/story-")), extra="<p>版权所有，转载请注明出处。</p>").encode()
            )
        elif parts.path.startswith("/ever/"):
            self.redirect(f"/ever/{int(parts.path.removeprefix('/ever/')) + 1}")
        elif parts.path == "/calendar":
            month = int(parts.query.partition("=")[2] or 0)
            self.send(link_list([f"/calendar?month={month + 1}", f"/calendar?month={month + 2}"]).encode())
        else:
            self.send(b"<html><body>nothing here</body></html>", status=404)

    def send(
        self, body: bytes, *, status: int = 200, content_type: str = HTML, headers: dict[str, str] | None = None
    ) -> None:
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        unchanged = status == 200 and self.headers.get("If-None-Match") == tag
        self.send_response(304 if unchanged else status)
        self.send_header("ETag", tag)
        self.send_header("Content-Type", content_type)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0" if unchanged else str(len(body)))
        self.end_headers()
        if not unchanged:
            self.wfile.write(body)

    def send_for_ever(self) -> None:
        """100 MB in chunks, without saying so beforehand."""
        self.send_response(200)
        self.send_header("Content-Type", HTML)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for _ in range(1_000):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(BIG_CHUNK), BIG_CHUNK))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True

    def redirect(self, target: str) -> None:
        self.send(b"", status=302, headers={"Location": target})

    def log_message(self, *_: object) -> None:
        """Silent: the test's output is not ours."""

    @property
    def base(self) -> str:
        return cast("LoopbackServer", self.server).address


def _front(web: FakeWeb) -> None:
    targets = ["/news/1", "/news/2", "/gbk", "/big5", "/liar", "/secret/1", "/hostile", "/away", "/picture.jpg"]
    web.send(link_list([*targets, "http://elsewhere.example/", "/calendar?month=1", "/news/1?utm_source=x"]).encode())


def _hostile(web: FakeWeb) -> None:
    traps = "/endless /nested /bomb /loop /moved /private /metadata /nul /surrogate /pdf /entities"
    web.send(link_list(traps.split()).encode())


def _robots(web: FakeWeb) -> None:
    text = f"User-agent: *\nDisallow: /secret/\nSitemap: {web.base}/sitemap.xml\n"
    web.send(text.encode(), content_type="text/plain")


def _sitemap_index(web: FakeWeb) -> None:
    text = f"<sitemapindex><sitemap><loc>{web.base}/sitemap-news.xml.gz</loc></sitemap></sitemapindex>"
    web.send(text.encode(), content_type="application/xml")


def _sitemap(web: FakeWeb) -> None:
    entries = "".join(
        f"<url><loc>{web.base}/news/{number}</loc><lastmod>2026-02-0{number - 2}</lastmod></url>" for number in (3, 4)
    )
    body = gzip.compress(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode())
    web.send(body, content_type="application/gzip")


def _feed(web: FakeWeb) -> None:
    item = f"<title>甲</title><link>{web.base}/undated</link><pubDate>Mon, 02 Feb 2026 08:00:00 +0800</pubDate>"
    feed = f'<rss version="2.0"><channel><item>{item}</item></channel></rss>'
    web.send(feed.encode(), content_type="application/rss+xml")


def _json_feed(web: FakeWeb) -> None:
    items = [{"id": "1", "url": f"{web.base}/news/61", "date_published": "2026-03-02T08:30:00+08:00"}]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "江城日报", "items": items}
    web.send(json.dumps(feed).encode(), content_type="application/feed+json")


def _undated(web: FakeWeb) -> None:
    web.send(article(9).replace("2026年3月10日 08:30", "").encode())


def _encoded(encoding: str, declared: str, number: int) -> Callable[[FakeWeb], None]:
    def page(web: FakeWeb) -> None:
        text = article(number, charset=declared)
        web.send(text.encode(encoding, "replace"), content_type="text/html")

    return page


def _slow(_: FakeWeb) -> None:
    threading.Event().wait(30)


def _busy(web: FakeWeb) -> None:
    """Asks for a pause at first."""
    if REQUESTS["/busy"] == 1:
        web.send(b"later", status=503, headers={"Retry-After": "1"})
    else:
        web.send(article(42).encode())


def _bomb(web: FakeWeb) -> None:
    body = gzip.compress(b"<p>" + b"0" * 50_000_000)
    web.send(body, headers={"Content-Encoding": "gzip"})


def _entities(web: FakeWeb) -> None:
    laughs = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};">' for n in range(1, 30))
    document = f'<!DOCTYPE html [<!ENTITY l0 "哈"><!ENTITY f SYSTEM "file:///etc/passwd">{laughs}]>'
    web.send((document + article(11, extra="<p>&l29; &f;</p>")).encode(), content_type="application/xhtml+xml")


def _says(body: str) -> Callable[[FakeWeb], None]:
    return lambda web: web.send(body.encode())


BECOME = "/become/"
"""/become/news/1/gone: from now on /news/1 is gone."""

CHANGED: dict[str, Callable[[FakeWeb], None]] = {}
STATES: dict[str, Callable[[FakeWeb], None]] = {
    "back": lambda web: web.send(article(int(web.path.rpartition("/")[2])).encode()),
    "changed": lambda web: web.send(article(int(web.path.rpartition("/")[2]), extra=f"<p>{CORRECTION}</p>").encode()),
    "gone": lambda web: web.send(b"<html><body>nothing here</body></html>", status=410),
    "absent": lambda web: web.send("<html><title>提示</title><body>您访问的页面不存在</body></html>".encode()),
    "home": lambda web: web.redirect("/"),
    "looping": lambda web: web.redirect(web.path),
    "another": lambda web: web.redirect("/other-story"),
    "replaced": lambda web: web.send(REPLACEMENT.encode()),
    "cut": lambda web: web.send(shortened(int(web.path.rpartition("/")[2])).encode()),
    "busy": lambda web: web.send(b"", status=503, headers={"Retry-After": "1"}),
    "limited": lambda web: web.send(b"", status=429),
    "forbidden": lambda web: web.send(b"", status=403),
    "log-in": lambda web: web.redirect("/login?next=1"),
    "hangs": _slow,
    **{name: _says(body) for name, body in NOTICES.items()},
    "failing": lambda web: web.send(b"", status=500),
    "corrected": lambda web: web.send(serial_part(3, CORRECTION).encode()),
    "longer": lambda web: web.send(link_list([f"/told/{number}" for number in range(300, 310)]).encode()),
}

PAGES: dict[str, Callable[[FakeWeb], None]] = {
    "/": _front,
    "/robots.txt": _robots,
    "/sitemap.xml": _sitemap_index,
    "/sitemap-news.xml.gz": _sitemap,
    "/feed": _feed,
    "/undated": _undated,
    "/hostile": _hostile,
    "/gbk": _encoded("gb18030", "gb2312", 5),
    "/big5": _encoded("big5", "big5", 6),
    "/liar": _encoded("gb18030", "utf-8", 7),
    "/secret/1": lambda web: web.send(article(20).encode()),
    "/away": lambda web: web.redirect("http://elsewhere.example/"),
    "/endless": FakeWeb.send_for_ever,
    "/nested": lambda web: web.send(b"<div>" * 1_000_000 + article(12).encode()),
    "/bomb": _bomb,
    "/loop": lambda web: web.redirect("/loop"),
    "/other-story": lambda web: web.send(REPLACEMENT.encode()),
    "/login": lambda web: web.send(NOTICES["asks for a log-in"].encode()),
    "/moved": lambda web: web.redirect("/news/1"),
    "/private": lambda web: web.redirect("http://10.0.0.1/"),
    "/metadata": lambda web: web.redirect("http://169.254.169.254/latest/"),
    "/nul": lambda web: web.send(article(13).replace("江", "江\x00").encode()),
    "/surrogate": lambda web: web.send(article(14).replace("江面", "江&#xD800;面").encode()),
    "/pdf": lambda web: web.send(b"%PDF-1.4 \x00\x01", content_type="application/pdf"),
    "/entities": _entities,
    "/slow": _slow,
    "/busy": _busy,
    "/hidden": lambda web: web.send(article(40, head='<meta name="robots" content="NOINDEX, follow">').encode()),
    "/shown": lambda web: web.send(article(41, head='<meta name="robots" content="index">').encode()),
    "/asking": lambda web: web.send(link_list(["/busy", "/hidden", "/shown"]).encode()),
    "/traps": lambda web: web.send(
        link_list([*HOSTILE, "/ever/1", "/endless", "/bomb", "/news/1", "/news/2"]).encode()
    ),
    "/slow-front": lambda web: web.send(link_list(["/slow", "/news/1"]).encode()),
    "/twins": lambda web: web.send(link_list(["/twin/30/30", "/twin/31/31", "/twin/32/30", "/story-31"]).encode()),
    "/serial.html": lambda web: web.send(serial_part(1).encode()),
    "/serial_2.html": lambda web: web.send(serial_part(2).encode()),
    "/serial_3.html": lambda web: web.send(serial_part(3).encode()),
    "/serials": lambda web: web.send(link_list(["/serial_2.html", "/serial.html", "/serial_3.html"]).encode()),
    "/told": lambda web: web.send(link_list([f"/told/{number}" for number in range(300, 308)]).encode()),
    "/linked-feed": lambda web: web.send(link_list(["/feed"]).encode()),
    "/json": lambda web: web.send(link_list([], head=JSON_FEED).encode()),
    "/feed.json": _json_feed,
    "/many": lambda web: web.send(link_list([f"/news/{number}" for number in range(100, 160)]).encode()),
}


if __name__ == "__main__":
    serve_until_input_ends({"web": LoopbackServer(handler=FakeWeb)})
