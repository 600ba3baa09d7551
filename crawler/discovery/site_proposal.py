"""Proposes the settings of a site from one address, by its front page and robots.txt."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urljoin, urlsplit

from protego import Protego

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import text_of
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import Element, word_count
from crawler.extraction.metadata.page_metadata import base_url, feed_links, links_of
from crawler.extraction.metadata.titles import title_of
from crawler.fetch.fetch import Fetched
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import canonical_url, host_of, joined_url, shape_of
from crawler.urls.scope import Scope
from storage.records.sites import SiteSettings

Fetch = Callable[[str], Fetched | Refusal]

CUSTOMARY_SITEMAP: Final = "/sitemap.xml"
FEEDS_PROPOSED: Final = 5

SAMPLES: Final = 3
"""Pages fetched to show how they are read: each makes a person wait for some seconds."""

SAMPLE_ZONE: Final = "UTC"
"""For the dates of samples, which are not shown."""

ROOT_REACH: Final = 2_000
"""Bytes searched for a sitemap's first element; a page that says “not found” with status 200 has none."""

BARE_WORDS: Final = 100
"""Word characters of a page that waits for its scripts: “loading”, a name, a line of navigation. The shortest front
page of ten blogs has 498.
"""

SHOWN_TIMES: Final = 3
"""Factor by which the words must grow once scripts have run: less is no more than a banner."""

MORE_LINKS: Final = 3
"""Or so many more links: a list of short titles."""

_SITEMAP_ROOTS: Final = (b"<urlset", b"<sitemapindex")


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that looks like an article from the front page, and the article or refusal read from it."""

    url: str
    outcome: Article | Refusal


@dataclass(frozen=True, slots=True)
class Proposal:
    """`settings` for a person to review; `title` of the front page; `samples` show how well its articles can be read.
    `is_bare`: its pages show nothing before their scripts have run.
    """

    settings: SiteSettings
    title: str
    samples: tuple[Sample, ...] = ()
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page as a reader sees it."""

    page: Fetched
    root: Element

    @property
    def links(self) -> tuple[str, ...]:
        return links_of(self.root, base_url(self.root, self.page.url))


def discover(
    url: str, *, fetch: Fetch, open_page: Fetch | None = None, browser: Fetch | None = None
) -> Proposal | Refusal:
    """Proposes settings for the site at `url`, or returns why its page could not be fetched. Raises UnusableUrl.

    `fetch` gets a page behind the guard, for instance `crawler.fetch.fetch.fetch` with its options filled in;
    `open_page` does so for the front page and articles, if these take a browser. `browser` opens pages that show
    nothing as they are sent; if that shows something, the proposal is to open the site's pages that way.
    """
    see = open_page or fetch
    front = _seen(canonical_url(url), see)
    if isinstance(front, Refusal):
        return front
    if browser is not None and see is not browser and _is_bare(front.root):
        opened = _seen(front.page.url, browser)
        if isinstance(opened, _Seen) and _shows_more(opened.root, front.root):
            front, see = opened, browser
    hosts = tuple(dict.fromkeys((host_of(front.page.url), host_of(canonical_url(url)))))
    likely = likely_articles(front.links, Scope.of(hosts))[:SAMPLES]
    samples, bare = _samples(likely, see)
    if browser is not None and see is not browser and samples and bare == len(samples):
        opened_samples, _ = _samples(likely, browser)
        if any(isinstance(sample.outcome, Article) for sample in opened_samples):
            samples, bare, see = opened_samples, 0, browser
    settings = SiteSettings(
        name=urlsplit(front.page.url).netloc.removeprefix("www."),
        start_urls=(front.page.url,),
        hosts=hosts,
        sitemaps=_sitemaps(front.page.url, fetch),
        feeds=feed_links(front.root, base_url(front.root, front.page.url))[:FEEDS_PROPOSED],
        browser=see is browser,
    )
    remains_bare = bare == len(samples) if samples else _is_bare(front.root)
    return Proposal(settings, title_of(front.root), samples, remains_bare)


def _seen(url: str, fetch: Fetch) -> _Seen | Refusal:
    page = fetch(url)
    if isinstance(page, Refusal):
        return page
    decoded = decode(page.body, content_type=page.content_type)
    if decoded is None:
        return Refusal.UNDECODABLE
    root = parse(decoded.text)
    return Refusal.BROKEN_MARKUP if root is None else _Seen(page, root)


def likely_articles(links: Iterable[str], scope: Scope) -> tuple[str, ...]:
    """The links that look most like articles: of the shape that most of the page's links have, with a number in it."""
    inside = [link for link in links if scope.refusal(link) is None and urlsplit(link).path != "/"]
    shapes = Counter(shape_of(link) for link in inside)
    by_shape = sorted(
        shapes, key=lambda shape: ("0" in shape.rpartition("/")[2], shapes[shape], shape.count("/")), reverse=True
    )
    return tuple(link for shape in by_shape[:1] for link in inside if shape_of(link) == shape)


def _samples(urls: Iterable[str], see: Fetch) -> tuple[tuple[Sample, ...], int]:
    """The pages with the article or refusal read from each, and how many of them show nothing."""
    samples, bare = [], 0
    now = datetime.now(UTC)
    for url in urls:
        seen = _seen(url, see)
        if isinstance(seen, Refusal):
            samples.append(Sample(url, seen))
            continue
        page = seen.page
        outcome = extract(
            page.body, url=page.url, content_type=page.content_type, fetched_at=now, time_zone=SAMPLE_ZONE
        )
        samples.append(Sample(url, outcome))
        bare += isinstance(outcome, Refusal) and _is_bare(seen.root)
    return tuple(samples), bare


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


def _is_bare(root: Element) -> bool:
    """Whether a page has hardly any words, and scripts that may add more."""
    return _words(root) < BARE_WORDS and next(root.iter("script"), None) is not None


def _shows_more(opened: Element, sent: Element) -> bool:
    """Whether a page shows much more once a browser has run its scripts."""
    if _links(opened) >= _links(sent) + MORE_LINKS:
        return True
    return _words(opened) >= max(BARE_WORDS, SHOWN_TIMES * _words(sent))


def _words(root: Element) -> int:
    return word_count(text_of(root))


def _links(root: Element) -> int:
    return sum(1 for link in root.iter("a") if link.get("href"))
