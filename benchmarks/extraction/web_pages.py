"""Pages of the web at large whose labels are sentences that must and must not be in the text.

<folder>/gold.jsonl     file, url, with, without; title, author and date where known
<folder>/html/…         the pages

The scoring is that of trafilatura's evaluation: a sentence of `with` that was found is a true positive, one of
`without` a false positive.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

GOLD: Final = "gold.jsonl"


@dataclass(frozen=True, slots=True)
class WebPage:
    path: Path
    url: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    title: str = ""
    author: str = ""
    date: str = ""
    """YYYY-MM-DD."""

    @property
    def host(self) -> str:
        return (urlsplit(self.url).hostname or "").removeprefix("www.")


@dataclass(frozen=True, slots=True)
class Sentences:
    """How many sentences that must be in texts were found and missed, and that must not."""

    found: int = 0
    missed: int = 0
    extra: int = 0

    def __add__(self, other: "Sentences") -> "Sentences":
        return Sentences(self.found + other.found, self.missed + other.missed, self.extra + other.extra)

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.extra)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.found + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.found / max(1, 2 * self.found + self.missed + self.extra)


def web_pages(folder: Path) -> list[WebPage]:
    """The labelled pages of a folder; none if it has no labels."""
    gold = folder / GOLD
    if not gold.exists():
        return []
    return [_page(folder, json.loads(line)) for line in gold.read_text("utf-8").splitlines() if line.strip()]


def _page(folder: Path, row: dict[str, object]) -> WebPage:
    def text(name: str) -> str:
        return str(row.get(name) or "")

    return WebPage(
        folder / text("file"),
        text("url"),
        tuple(_strings(row.get("with"))),
        tuple(_strings(row.get("without"))),
        text("title"),
        text("author"),
        text("date")[:10],
    )


def _strings(value: object) -> Iterator[str]:
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def sentences_of(page: WebPage, text: str) -> Sentences:
    found = _count(page.wanted, text)
    return Sentences(found, len(page.wanted) - found, _count(page.unwanted, text))


def _count(sentences: Iterable[str], text: str) -> int:
    return sum(sentence in text for sentence in sentences)
