"""Reads the articles of the demo's three sites."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path

CONTENT = Path(__file__).parent / "content"
CHINA = timezone(timedelta(hours=8))
HEADER_FIELDS = ("title", "author", "date", "section", "slug")


@dataclass(frozen=True, slots=True)
class Article:
    slug: str
    title: str
    author: str
    published: datetime
    section: str
    text: str
    """Paragraphs, one a line. A link to another site's article is written `[words](site:slug)`."""
    header: Mapping[str, str]
    """All fields of the file's header. A copy also has `sources` (slugs), `disguise`, `credit`, and perhaps `charset`
    and `note`: the credit is in a note below the text.
    """


@cache
def articles(folder: str) -> dict[str, Article]:
    """Every article of one site's folder by its slug, oldest first."""
    found = [parse_article(path.read_text("utf-8"), path.name) for path in sorted((CONTENT / folder).glob("*.md"))]
    return {article.slug: article for article in sorted(found, key=lambda one: one.published)}


def parse_article(raw: str, name: str) -> Article:
    """Parses a header of `field: value` lines, a blank line, then paragraphs between blank lines."""
    header, _, body = raw.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in header.splitlines() if ": " in line)
    missing = [field for field in HEADER_FIELDS if field not in fields]
    paragraphs = [line for line in body.splitlines() if line.strip()]
    if missing or not paragraphs:
        raise ValueError(f"{name}: an article needs {', '.join(missing) or 'a text'}; add it to the file")
    return Article(
        slug=fields["slug"],
        title=fields["title"],
        author=fields["author"],
        published=datetime.strptime(fields["date"], "%Y-%m-%d %H:%M").replace(tzinfo=CHINA),
        section=fields["section"],
        text="\n".join(paragraphs),
        header=fields,
    )


@cache
def disclaimer() -> str:
    return (CONTENT / "disclaimer.txt").read_text("utf-8").strip()
