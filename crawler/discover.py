"""From one address to the settings of a site: what its front page and robots.txt say of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from protego import Protego

from crawler.charset import decode
from crawler.extract import parse
from crawler.fetch import Fetched
from crawler.metadata import base_url, feed_links, title_of
from crawler.refusals import Refusal
from crawler.urls import canonical_url, host_of, joined_url
from storage.records import SiteSettings

Fetch = Callable[[str], Fetched | Refusal]

CUSTOMARY_SITEMAP: Final = "/sitemap.xml"
FEEDS_PROPOSED: Final = 5
ROOT_REACH: Final = 2_000
"""Bytes in which a sitemap's first element stands; a page that says “not found” with status 200 has none."""

_SITEMAP_ROOTS: Final = (b"<urlset", b"<sitemapindex")


@dataclass(frozen=True, slots=True)
class Proposal:
    """`settings` to be looked at by a person; `title` is what the front page calls itself."""

    settings: SiteSettings
    title: str


def discover(url: str, *, fetch: Fetch) -> Proposal | Refusal:
    """What a site at `url` looks like, or why its page could not be had. Raises UnusableUrl.

    `fetch` gets a page behind the guard, for instance `crawler.fetch.fetch` with its options filled in.
    """
    front = fetch(canonical_url(url))
    if isinstance(front, Refusal):
        return front
    decoded = decode(front.body, content_type=front.content_type)
    if decoded is None:
        return Refusal.UNDECODABLE
    root = parse(decoded.text)
    if root is None:
        return Refusal.BROKEN_MARKUP
    hosts = tuple(dict.fromkeys((host_of(front.url), host_of(canonical_url(url)))))
    feeds = feed_links(root, base_url(root, front.url))
    settings = SiteSettings(
        name=urlsplit(front.url).netloc.removeprefix("www."),
        start_urls=(front.url,),
        hosts=hosts,
        sitemaps=_sitemaps(front.url, fetch),
        feeds=feeds[:FEEDS_PROPOSED],
    )
    return Proposal(settings, title_of(root))


def _sitemaps(url: str, fetch: Fetch) -> tuple[str, ...]:
    """Those that robots.txt names, else the one at the customary place if it is there."""
    robots = fetch(urljoin(url, "/robots.txt"))
    if isinstance(robots, Fetched):
        named = Protego.parse(robots.body.decode("utf-8", "replace")).sitemaps
        found = tuple(target for target in (joined_url(url, str(link)) for link in named) if target)
        if found:
            return found
    customary = urljoin(url, CUSTOMARY_SITEMAP)
    page = fetch(customary)
    is_there = isinstance(page, Fetched) and any(root in page.body[:ROOT_REACH] for root in _SITEMAP_ROOTS)
    return (customary,) if is_there else ()
