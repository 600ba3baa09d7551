"""Serves the sites of the soak on loopback, each at an address of its own, from threads of this process."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import format_datetime
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Final

from benchmarks.soak.world import Article, World

LISTED: Final = 200
"""On the front page and in the feed; the sitemap has all."""

_XML: Final = "application/xml; charset=utf-8"
_HTML: Final = "text/html; charset=utf-8"


class SoakServer(ThreadingHTTPServer):
    """One site, at any free port."""

    daemon_threads = True
    request_queue_size = 64

    def server_bind(self) -> None:
        """Without the look-up of the host's name that HTTPServer makes: it waits long where no DNS answers."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]


def answer(world: World, site: str, base: str, path: str) -> tuple[str, str] | None:
    """What stands at a path of a site: type and content, or None where nothing does."""
    if path == "/":
        return _HTML, _front(site, world.listed(site)[:LISTED])
    if path == "/feed.xml":
        return _XML, _feed(site, base, world.listed(site)[:LISTED])
    if path == "/sitemap.xml":
        return _XML, _sitemap(base, world.listed(site))
    article = world.page(site, path)
    return None if article is None else (_HTML, _page(site, article))


@contextmanager
def serving(world: World) -> Iterator[Mapping[str, str]]:
    """The sites, for as long as the block lasts; gives name to address."""
    servers = {name: _server(world, name, number) for number, name in enumerate(world.sites, 1)}
    threads = [threading.Thread(target=server.serve_forever, daemon=True) for server in servers.values()]
    for thread in threads:
        thread.start()
    try:
        yield {name: f"http://{server.server_name}:{server.server_port}" for name, server in servers.items()}
    finally:
        for server in servers.values():
            server.shutdown()
            server.server_close()


def _server(world: World, name: str, number: int) -> SoakServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def do_GET(self) -> None:
            found = answer(world, name, f"http://{self.headers.get('Host', '')}", self.path)
            body = (found[1] if found else "没有这个页面").encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", found[0] if found else _HTML)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silent: a line for each request would be most of the output."""

    return SoakServer((f"127.0.0.{number}", 0), Handler)


def _front(site: str, articles: list[Article]) -> str:
    items = "".join(f"<li><a href='{one.path}'>{escape(one.title)}</a></li>" for one in articles)
    return f"<!doctype html><html lang='zh'><head><title>{site}</title></head><body><ul>{items}</ul></body></html>"


def _feed(site: str, base: str, articles: list[Article]) -> str:
    items = "".join(
        f"<item><title>{escape(one.title)}</title><link>{base}{one.path}</link>"
        f"<pubDate>{format_datetime(one.published)}</pubDate></item>"
        for one in articles
    )
    return f"<?xml version='1.0'?><rss version='2.0'><channel><title>{site}</title>{items}</channel></rss>"


def _sitemap(base: str, articles: list[Article]) -> str:
    urls = "".join(
        f"<url><loc>{base}{one.path}</loc><lastmod>{one.modified.isoformat()}</lastmod></url>" for one in articles
    )
    return f"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"


def _page(site: str, article: Article) -> str:
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in article.text.split("\n"))
    title, at = escape(article.title), article.published
    return (
        f"<!doctype html><html lang='zh'><head><title>{title} - {site}</title>"
        f"<meta property='article:published_time' content='{at.isoformat()}'></head><body>"
        f"<nav><a href='/'>首页</a></nav><article><h1>{title}</h1><p>{at:%Y-%m-%d %H:%M} 来源：{site}</p>"
        f"{paragraphs}</article></body></html>"
    )
