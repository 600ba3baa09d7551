"""Pages of real sites as our own extraction reads them, kept in a file so that they are read once."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.crawl.web_copies import WebCopy, copies_in
from benchmarks.disguises.blocks import own
from benchmarks.disguises.segmentation import paragraphs
from crawler.extraction.article import Article
from crawler.extraction.extract import extract

NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
ZONE: Final = "Asia/Shanghai"
PART_CHARS: Final = 1_800
"""A longer article is cut into pages of about this length: very long ones would be a store of their own."""
SHORTEST: Final = 400


@dataclass(frozen=True, slots=True)
class SitePage:
    site: str
    url: str
    title: str
    text: str


class NoSites(Exception):  # reads as what it says
    """The folder holds no web sites that can be read."""


def read_pages(folder: Path, cache: Path | None, *, progress: Callable[[str, int, int], None]) -> tuple[SitePage, ...]:
    """All articles of the sites in `folder`, or those that `cache` holds. Raises NoSites, ValueError and OSError."""
    if cache is not None and cache.exists():
        return tuple(SitePage(**json.loads(line)) for line in cache.read_text("utf-8").splitlines())
    copies = copies_in(folder)
    found = []
    for number, copy in enumerate(copies):
        progress("sites read", number, len(copies))
        found += list(_articles(copy))
    if not found:
        message = f"{folder} holds no sites with articles. Each site is a folder with an index.html in it."
        raise NoSites(message)
    if cache is not None:
        cache.write_text("".join(json.dumps(asdict(page), ensure_ascii=False) + "\n" for page in found), "utf-8")
    return tuple(found)


def _articles(copy: WebCopy) -> Iterator[SitePage]:
    for file in sorted(copy.root.rglob("*.html")):
        url = f"https://{copy.hosts[0]}/{file.relative_to(copy.root)}"
        read = extract(file.read_bytes(), url=url, content_type="text/html", fetched_at=NOW, time_zone=ZONE)
        if isinstance(read, Article):
            yield SitePage(copy.name, url, read.title, read.text)


def in_parts(pages: tuple[SitePage, ...]) -> tuple[SitePage, ...]:
    """The pages, long ones cut at line breaks; none of the same text twice, none too short to carry anything."""
    parts: dict[str, SitePage] = {}
    for page in pages:
        for number, block in enumerate(paragraphs(own(page.text), at_least=PART_CHARS)):
            text = block.text.strip()[: 2 * PART_CHARS]
            if len(text) >= SHORTEST:
                parts.setdefault(text, SitePage(page.site, f"{page.url}?part={number}", page.title, text))
    return tuple(parts.values())
