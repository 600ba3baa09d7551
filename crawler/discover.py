"""From one address to the settings of a site: what its front page and robots.txt say of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urljoin, urlsplit

from protego import Protego

from crawler.charset import decode
from crawler.extract import Article, extract, parse
from crawler.fetch import Fetched
from crawler.metadata import base_url, feed_links, links_of, title_of
from crawler.refusals import Refusal
from crawler.urls import Scope, canonical_url, host_of, joined_url, shape_of
from storage.records import SiteSettings

Fetch = Callable[[str], Fetched | Refusal]

CUSTOMARY_SITEMAP: Final = "/sitemap.xml"
FEEDS_PROPOSED: Final = 5

SAMPLES: Final = 3
"""Pages fetched to show how they are read: each costs some seconds of a person's waiting."""

SAMPLE_ZONE: Final = "UTC"
"""Of the dates of samples, which nobody is shown."""

ROOT_REACH: Final = 2_000
"""Bytes in which a sitemap's first element stands; a page that says “not found” with status 200 has none."""

_SITEMAP_ROOTS: Final = (b"<urlset", b"<sitemapindex")


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that looks like an article from the front page, and what was read of it."""

    url: str
    outcome: Article | Refusal


@dataclass(frozen=True, slots=True)
class Proposal:
    """`settings` to be looked at by a person; `title` is what the front page calls itself; `samples` show how well its
    articles can be read.
    """

    settings: SiteSettings
    title: str
    samples: tuple[Sample, ...] = ()


def discover(url: str, *, fetch: Fetch, open_page: Fetch | None = None) -> Proposal | Refusal:
    """What a site at `url` looks like, or why its page could not be had. Raises UnusableUrl.

    `fetch` gets a page behind the guard, for instance `crawler.fetch.fetch` with its options filled in; `open_page`
    does so for what a reader sees, the front page and articles, where that takes a browser.
    """
    see = open_page or fetch
    front = see(canonical_url(url))
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
    likely = likely_articles(links_of(root, base_url(root, front.url)), Scope.of(hosts))
    return Proposal(settings, title_of(root), tuple(_sample(link, see) for link in likely[:SAMPLES]))


def likely_articles(links: Iterable[str], scope: Scope) -> tuple[str, ...]:
    """Those links that look most like articles: of the shape that most of the page's links have, and that counts."""
    inside = [link for link in links if scope.refusal(link) is None and urlsplit(link).path != "/"]
    shapes = Counter(shape_of(link) for link in inside)
    by_shape = sorted(
        shapes, key=lambda shape: ("0" in shape.rpartition("/")[2], shapes[shape], shape.count("/")), reverse=True
    )
    return tuple(link for shape in by_shape[:1] for link in inside if shape_of(link) == shape)


def _sample(url: str, fetch: Fetch) -> Sample:
    page = fetch(url)
    if isinstance(page, Refusal):
        return Sample(url, page)
    now = datetime.now(UTC)
    return Sample(
        url, extract(page.body, url=page.url, content_type=page.content_type, fetched_at=now, time_zone=SAMPLE_ZONE)
    )


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
