"""Serves the sites of the soak on loopback, each at an address of its own, from threads of this process."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from email.utils import format_datetime
from functools import partial
from html import escape
from typing import Final

from benchmarks.soak.world import Article, World
from crawler.network.loopback_server import Answer, LoopbackServer

LISTED: Final = 200
"""On the front page and in the feed; the sitemap has all."""

_XML: Final = "application/xml; charset=utf-8"


def answer(world: World, site: str, base: str, path: str) -> Answer | None:
    """The page at a path of a site, or None where there is none."""
    if path == "/":
        return Answer(_front(site, world.listed(site)[:LISTED]).encode())
    if path == "/feed.xml":
        return Answer(_feed(site, base, world.listed(site)[:LISTED]).encode(), _XML)
    if path == "/sitemap.xml":
        return Answer(_sitemap(base, world.listed(site)).encode(), _XML)
    article = world.page(site, path)
    return None if article is None else Answer(_page(site, article).encode())


@contextmanager
def serving(world: World) -> Iterator[Mapping[str, str]]:
    """Serves the sites while the block lasts; yields name to address."""
    with ExitStack() as stack:
        servers = {name: LoopbackServer(f"127.0.0.{number}") for number, name in enumerate(world.sites, 1)}
        for name, server in servers.items():
            server.answers = partial(answer, world, name, server.address)
            stack.enter_context(server.running())
        yield {name: server.address for name, server in servers.items()}


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
