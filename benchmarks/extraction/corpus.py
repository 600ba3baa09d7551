"""Labelled pages of a data folder: news with their main text, site articles with theirs, and pages that hold none.

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

from benchmarks.extraction.furniture import without_furniture
from crawler.language import language_of

T = TypeVar("T")

WEB_ROOT_PAGE: Final = "index.html"

_NO_ARTICLE: Final = re.compile(
    r"""(?:^|/) (?: (?: archives? | tags? | categor(?:y|ies) | page | about | friends? | links? | search ) (?:/|\.html$)
      | 404(?:/|\.html) ) | ^index\.html$""",
    re.VERBOSE,
)
"""Paths of static blogs under which no article stands: indexes, tag pages, pages about the author."""


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """`gold` is empty for a page that holds no article."""

    site: str
    path: Path
    url: str
    gold: str
    article: str = ""
    """The gold without what its theme puts below every article; the gold itself where that is not known."""

    @property
    def body(self) -> bytes:
        return self.path.read_bytes()


def news_pages(data: Path) -> list[LabelledPage]:
    rows = _rows(data / "extraction/news_gold.jsonl.gz")
    folder = data / "extraction"
    return [_page(row["site"], folder / row["file"], row["file"], row["text"]) for row in rows]


def site_pages(data: Path, *, per_site: int) -> list[LabelledPage]:
    """Up to `per_site` labelled articles of each site, always the same ones."""
    found = defaultdict(list)
    for row in _rows(data / "extraction/site_articles.jsonl.gz"):
        found[row["site"]].append(row)
    pages: list[LabelledPage] = []
    for site, rows in sorted(found.items()):
        articles = without_furniture([row["text"] for row in rows], titles=[row["title"] or "" for row in rows])
        labelled = {row["path"]: (row, article) for row, article in zip(rows, articles, strict=True)}
        for row, article in _sampled(labelled, per_site):
            page = _page(site, data / "sites" / site / row["path"], row["path"], row["text"])
            pages.append(replace(page, article=article))
    return pages


def english_pages(data: Path) -> list[LabelledPage]:
    """All labelled site articles in English."""
    rows = _rows(data / "extraction/site_articles.jsonl.gz")
    return [
        _page(row["site"], data / "sites" / row["site"] / row["path"], row["path"], row["text"])
        for row in rows
        if language_of(row["text"]) == "en"
    ]


def pages_without_article(data: Path, *, per_site: int) -> list[LabelledPage]:
    """Up to `per_site` pages of each site that are indexes, tag pages or about their author, by their address."""
    labelled = {(row["site"], row["path"]) for row in _rows(data / "extraction/site_articles.jsonl.gz")}
    pages: list[LabelledPage] = []
    for folder in sorted(path for path in (data / "sites").iterdir() if path.is_dir()):
        root = min(folder.rglob(WEB_ROOT_PAGE), key=lambda path: (len(path.parts), str(path))).parent
        paths = {str(path.relative_to(root)): path for path in root.rglob("*.html")}
        chosen = {
            name: path
            for name, path in paths.items()
            if _NO_ARTICLE.search(name) and (folder.name, str(path.relative_to(folder))) not in labelled
        }
        pages.extend(_page(folder.name, path, str(path.relative_to(folder)), "") for path in _sampled(chosen, per_site))
    return pages


def _page(site: str, path: Path, name: str, gold: str) -> LabelledPage:
    return LabelledPage(site, path, f"https://{sha256(site.encode()).hexdigest()[:8]}.example/{name}", gold, gold)


def _sampled(by_name: dict[str, T], size: int) -> list[T]:
    """The same few of them every time, and not those that come first: names carry dates."""
    ordered = sorted(by_name, key=lambda name: sha256(name.encode()).digest())
    return [by_name[name] for name in ordered[:size]]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
