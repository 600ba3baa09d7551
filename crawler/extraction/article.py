"""What is made of a response: an article, or the reason why there is none. Values, and text without markup. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, TypeAlias

from crawler.extraction.html.parsing import valid_text
from crawler.extraction.html.text_blocks import word_count
from crawler.extraction.metadata.language import language_of
from crawler.extraction.platforms.platform import Account
from crawler.outcomes.refusals import Refusal
from storage.records.pages import Declared, Post
from storage.types import ArticleKind

MAX_ARTICLE_CHARACTERS: Final = 2_000_000

MAX_PAGE_BYTES: Final = 10_000_000
"""The longest novels on one page are about 5 MB; beyond are dumps and attacks."""

SHORTEST_ARTICLE: Final = 50
"""Word characters. Shorter texts are captions and error messages, which no fingerprint distinguishes."""

AREA_BEFORE: Final = 12
AREA_AFTER: Final = 8
"""Blocks around an article that are searched for its author, date and source."""


@dataclass(frozen=True, slots=True)
class Article:
    """The article of a page. `text`: paragraphs separated by line breaks, as published. `day`: the day of publishing as
    the page writes it, in its own time zone. `account`: whose page it is on a platform of many authors.
    """

    title: str
    author: str
    text: str
    declared: Declared
    language: str
    credit_lines: tuple[str, ...] = ()
    credit_links: tuple[str, ...] = ()
    canonical_link: str | None = None
    lead_image: str | None = None
    day: date | None = None
    kind: ArticleKind = ArticleKind.ARTICLE
    posts: tuple[Post, ...] = ()
    """Of a thread, if other posts than the first are in its text."""
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a response: an article or a refusal, and in both cases its links.

    `next_part`: the address of the article's next part. `part_of`: that of an earlier part, if this is a later one.
    `marks`: the article's blocks as numbers; see `SiteKnowledge.elsewhere`. `whole`: its text with the blocks that were
    left out because they repeat across the site, None if none were. `next_list`: the next page of a list.
    """

    outcome: Article | Refusal
    links: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    next_part: str | None = None
    part_of: str | None = None
    marks: tuple[int, ...] = ()
    whole: str | None = None
    next_list: str | None = None


Outcome: TypeAlias = Article | Refusal

PageReader: TypeAlias = Callable[[bytes, str, str, datetime], Outcome]
"""Reads an article or a refusal from a page's bytes, address, content type and time of fetching."""


def plain_article(text: str, *, title: str, shortest: int = SHORTEST_ARTICLE) -> Outcome:
    """An article of text without markup; its first line is the title if none is given."""
    cleaned = storable("\n".join(line.strip() for line in text.splitlines() if line.strip()))
    if not cleaned or word_count(cleaned) < shortest:
        return Refusal.TOO_SHORT
    first = cleaned.partition("\n")[0]
    return Article(title or first.lstrip("# ")[:300], "", cleaned, Declared(), language_of(cleaned))


def storable(text: str) -> str:
    """`text` without characters that Postgres and UTF-8 cannot hold."""
    return valid_text(text)[:MAX_ARTICLE_CHARACTERS]
