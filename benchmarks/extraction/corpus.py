"""Labelled pages of a data folder: news and site articles with their main text, and pages without an article.

extraction/news_html/*.html, extraction/news_gold.jsonl.gz     file, site, text
extraction/site_articles.jsonl.gz, sites/<site>/…              site, path, text
"""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

from benchmarks.crawl.web_copies import WebCopy, copies_in
from benchmarks.extraction.furniture import without_furniture
from crawler.extraction.metadata.language import language_of

T = TypeVar("T")

_NO_ARTICLE: Final = re.compile(
    r"""(?:^|/) (?: (?: archives? | tags? | categor(?:y|ies) | page | about | contact | messageboard | friends? | links?
      | search ) (?:/|\.html$) | 404(?:/|\.html) ) | ^index\.html$""",
    re.VERBOSE,
)
"""Paths of static blogs without articles: indexes, tag pages, pages about the author or for messages."""


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """`gold` is empty for a page that holds no article."""

    site: str
    path: Path
    url: str
    gold: str
    article: str = ""
    """The gold without its theme's furniture; the gold itself if that is not known."""
    copy: WebCopy | None = None
    """The copy of a site of which it is a page: its absolute links to itself lead to the host of `url`."""

    @property
    def body(self) -> bytes:
        return self.path.read_bytes() if self.copy is None else self.copy.body_of(self.path, base=_base(self.url))

    @property
    def is_named_as_none(self) -> bool:
        """Whether its own address says that it holds no article, whatever its label says."""
        return _NO_ARTICLE.search(urlsplit(self.url).path[1:]) is not None


def news_pages(data: Path) -> list[LabelledPage]:
    rows = _rows(data / "extraction/news_gold.jsonl.gz")
    folder = data / "extraction"
    return [_page(row["site"], folder / row["file"], row["file"], row["text"]) for row in rows]


def site_pages(data: Path, *, per_site: int) -> list[LabelledPage]:
    """Up to `per_site` labelled articles of each site, always the same ones."""
    found = defaultdict(list)
    for row in _rows(data / "extraction/site_articles.jsonl.gz"):
        found[row["site"]].append(row)
    copies = _copies(data)
    pages: list[LabelledPage] = []
    for site, rows in sorted(found.items()):
        folder = data / "sites" / site
        articles = without_furniture(
            [row["text"] for row in rows],
            titles=[row["title"] or "" for row in rows],
            paths=[row["path"] for row in rows],
        )
        labelled = {row["path"]: (row, article) for row, article in zip(rows, articles, strict=True)}
        for row, article in _sampled(labelled, per_site):
            pages.append(_site_page(copies.get(site), folder, folder / row["path"], row["text"], article=article))
    return pages


def english_pages(data: Path) -> list[LabelledPage]:
    """All labelled site articles in English."""
    rows = _rows(data / "extraction/site_articles.jsonl.gz")
    copies = _copies(data)
    sites = data / "sites"
    return [
        _site_page(copies.get(row["site"]), sites / row["site"], sites / row["site"] / row["path"], row["text"])
        for row in rows
        if language_of(row["text"]) == "en"
    ]


def pages_without_article(data: Path, *, per_site: int) -> list[LabelledPage]:
    """Up to `per_site` pages of each site that are indexes, tag pages or about their author, by their address."""
    labelled = {(row["site"], row["path"]) for row in _rows(data / "extraction/site_articles.jsonl.gz")}
    pages: list[LabelledPage] = []
    for name, copy in sorted(_copies(data).items()):
        folder = data / "sites" / name
        found = (_site_page(copy, folder, path, "") for path in copy.root.rglob("*.html"))
        chosen = {
            page.path.relative_to(copy.root).as_posix(): page
            for page in found
            if page.is_named_as_none and (name, str(page.path.relative_to(folder))) not in labelled
        }
        pages.extend(_sampled(chosen, per_site))
    return pages


def _copies(data: Path) -> dict[str, WebCopy]:
    return {copy.name: copy for copy in copies_in(data / "sites")}


def _site_page(copy: WebCopy | None, folder: Path, path: Path, gold: str, *, article: str = "") -> LabelledPage:
    """A page of the site in `folder`. Its address is its path below the front page."""
    root = folder if copy is None or not path.is_relative_to(copy.root) else copy.root
    page = _page(folder.name, path, path.relative_to(root).as_posix(), gold)
    if copy is None:
        return replace(page, article=article or gold)
    led, led_article = (copy.led_to(text.encode(), base=_base(page.url)).decode() for text in (gold, article or gold))
    return replace(page, gold=led, article=led_article, copy=copy)


def _base(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _page(site: str, path: Path, name: str, gold: str) -> LabelledPage:
    return LabelledPage(site, path, f"https://{sha256(site.encode()).hexdigest()[:8]}.example/{name}", gold, gold)


def _sampled(by_name: dict[str, T], size: int) -> list[T]:
    """A fixed sample, not simply the first ones: names contain dates."""
    ordered = sorted(by_name, key=lambda name: sha256(name.encode()).digest())
    return [by_name[name] for name in ordered[:size]]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
