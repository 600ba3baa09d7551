"""Pages of the web at large with labels, of two public evaluation suites.

<folder>/gold.jsonl           file, url, with, without; title, author, date, language where known
<folder>/html/…               the pages: of trafilatura's evaluation suite

<folder>/ground-truth.json    by name: articleBody, url
<folder>/html/<name>.html.gz  the pages: of the public article-extraction benchmark

The first labels a text by sentences that must and must not be in it, the second by the whole text.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

SENTENCES: Final = "gold.jsonl"
WHOLE_TEXTS: Final = "ground-truth.json"


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page and what is known of it. `article`: its whole text; empty if `wanted` and `unwanted` are sentences."""

    path: Path
    url: str
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    title: str = ""
    author: str = ""
    date: str = ""
    """YYYY-MM-DD."""
    language: str = ""
    """Two or three letters."""
    article: str = ""
    changed_body: bytes = field(default=b"", repr=False)
    """What is read instead of the page as it was sent."""

    @property
    def host(self) -> str:
        return (urlsplit(self.url).hostname or "").removeprefix("www.")

    @property
    def body(self) -> bytes:
        if self.changed_body:
            return self.changed_body
        return gzip.decompress(self.path.read_bytes()) if self.path.suffix == ".gz" else self.path.read_bytes()

    @property
    def labelled_text(self) -> str:
        return self.article or "\n".join(self.wanted)


def holds_web_pages(folder: Path) -> bool:
    return (folder / SENTENCES).is_file() or (folder / WHOLE_TEXTS).is_file()


def web_pages(folder: Path) -> list[WebPage]:
    """The labelled pages of a folder; none if it has no labels."""
    if (folder / SENTENCES).is_file():
        lines = (folder / SENTENCES).read_text("utf-8").splitlines()
        return [_of_sentences(folder, json.loads(line)) for line in lines if line.strip()]
    if (folder / WHOLE_TEXTS).is_file():
        rows: Mapping[str, dict[str, object]] = json.loads((folder / WHOLE_TEXTS).read_text("utf-8"))
        return [_of_whole_text(folder, name, row) for name, row in sorted(rows.items())]
    return []


def _of_sentences(folder: Path, row: dict[str, object]) -> WebPage:
    return WebPage(
        folder / _text(row, "file"),
        _text(row, "url"),
        tuple(_strings(row.get("with"))),
        tuple(_strings(row.get("without"))),
        _text(row, "title"),
        _text(row, "author"),
        _text(row, "date")[:10],
        _text(row, "language"),
    )


def _of_whole_text(folder: Path, name: str, row: dict[str, object]) -> WebPage:
    packed = folder / "html" / f"{name}.html.gz"
    path = packed if packed.exists() else folder / "html" / f"{name}.html"
    return WebPage(path, _text(row, "url"), article=_text(row, "articleBody"))


def _text(row: Mapping[str, object], name: str) -> str:
    return str(row.get(name) or "")


def _strings(value: object) -> Iterator[str]:
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
