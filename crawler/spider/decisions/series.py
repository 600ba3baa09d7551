"""The parts read so far of an article on one or several pages."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from crawler.extraction.article import Article
from crawler.extraction.article_pagination import MOST_PARTS, joined_text
from crawler.extraction.join_pages import joined
from crawler.spider.link_filter import entry
from crawler.spider.revisit_policy import Answer
from storage.records.crawl import Claim, FoundUrl, UrlKind

if TYPE_CHECKING:
    from crawler.warc.writer import RawResponse
    from fingerprint.model import Fingerprint

LONGEST: Final = 2_000_000
"""Characters of all parts. A longer text is a book and is cut, as an article on one page is."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of an article. `url` is canonical, after redirects; `whole` is its text with repeated blocks."""

    url: str
    article: Article
    whole: str
    response: "RawResponse"


@dataclass(frozen=True, slots=True)
class Series:
    """`claim`, `answer` and `fingerprint` are those of the first page: a visit of it is a visit of all parts."""

    claim: Claim
    answer: Answer
    fingerprint: "Fingerprint | None"
    found: tuple[FoundUrl, ...]
    parts: tuple[Part, ...]

    @property
    def has_room(self) -> bool:
        return len(self.parts) < MOST_PARTS and sum(len(part.article.text) for part in self.parts) < LONGEST

    def holds(self, url: str) -> bool:
        return any(part.url == url for part in self.parts)

    def followed_by(self, part: Part, found: Iterable[FoundUrl]) -> "Series":
        """The series with a further part and the addresses found on it."""
        return replace(self, parts=(*self.parts, part), found=(*self.found, *found))

    @property
    def article(self) -> Article:
        return joined([part.article for part in self.parts])

    @property
    def whole_text(self) -> str | None:
        """The text with the blocks that are repeated across the site; None if there are none."""
        if all(part.whole == part.article.text for part in self.parts):
            return None
        return joined_text([part.whole for part in self.parts])

    @property
    def later_parts(self) -> tuple[FoundUrl, ...]:
        return tuple(entry(part.url, UrlKind.ARTICLE) for part in self.parts[1:])
