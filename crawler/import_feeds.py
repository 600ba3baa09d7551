"""Articles out of an RSS or Atom feed: the entries' texts, or the pages that they name. Pure but for `fetch_page`."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import feedparser

from crawler.blocks import blocks, word_count
from crawler.dates import parse_date, time_zone_of
from crawler.extract import parse
from crawler.feeds import MAX_FEED_ENTRIES
from crawler.import_model import BadRecord, ImportedArticle, ImportOutcome, ImportProblem
from crawler.import_records import RecordReader
from crawler.refusals import Refusal
from crawler.urls import joined_url
from storage.records import Declared, NewArticle
from storage.types import DateOrigin

if TYPE_CHECKING:
    from crawler.fetch import Fetched

MAX_FEED_BYTES: Final = 20_000_000

PageFetcher: TypeAlias = Callable[[str], "Fetched | Refusal"]


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`text` is empty where the feed holds a summary at most: the page has to be fetched. `published` as written."""

    url: str
    title: str
    author: str
    published: str
    text: str


def feed_entries(body: bytes, *, url: str) -> Iterator[FeedEntry]:
    """The entries of a feed, in its order, each address once. Raises BadRecord where it is no feed."""
    if len(body) > MAX_FEED_BYTES:
        raise BadRecord(f"larger than {MAX_FEED_BYTES:,} bytes", Refusal.TOO_LARGE)
    # As a stream: of a string, the library would try whether it is an address or a file name.
    parsed = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    if not parsed.get("version"):
        raise BadRecord("not an RSS or Atom feed")
    met: set[str] = set()
    for entry in parsed.entries[:MAX_FEED_ENTRIES]:
        target = joined_url(url, str(entry.get("link") or ""))
        if target and target not in met:
            met.add(target)
            yield FeedEntry(
                target,
                str(entry.get("title") or ""),
                str(entry.get("author") or ""),
                str(entry.get("published") or entry.get("updated") or ""),
                _text_of(entry.get("content") or ()),
            )


def _text_of(contents: object) -> str:
    """The longest of an entry's texts. A feed's `content` is the whole article by definition; a `summary` is not."""
    texts = [_plain(str(one.get("value") or "")) for one in contents if isinstance(one, dict)]  # type: ignore[attr-defined]  # a list
    return max(texts, key=len, default="")


def _plain(markup: str) -> str:
    root = parse(markup) if markup.strip() else None
    return "" if root is None else "\n".join(block.text for block in blocks(root) if block.text.strip())


@dataclass(frozen=True, slots=True)
class FeedReader:
    """Makes articles of a feed's entries; without `fetch_page`, of those only that hold their text."""

    records: RecordReader
    fetch_page: PageFetcher | None = None

    def read(self, body: bytes, *, name: str, url: str, after: int = 0) -> Iterator[ImportOutcome]:
        """`name`: what the feed is called where it is spoken of; `after` entries are done. Raises BadRecord."""
        for number, entry in enumerate(feed_entries(body, url=url), start=1):
            if number <= after:
                continue
            try:
                article = self._article(entry)
            except BadRecord as error:
                yield ImportProblem(name, number, error.refusal, f"{entry.url}: {error}", entry.url, "entry")
            else:
                yield ImportedArticle(article, entry.url, None, name, number)

    def _article(self, entry: FeedEntry) -> NewArticle:
        declared = self._declared(entry.published)
        if word_count(entry.text) >= max(1, self.records.limits.shortest_article):
            found = self.records.of_text(entry.text)
            return self.records.new(found, entry.url, title=entry.title, author=entry.author, declared=declared)
        if self.fetch_page is None:
            raise BadRecord("the feed holds a summary at most, and its page is not fetched", Refusal.TOO_SHORT)
        fetched = self.fetch_page(entry.url)
        if isinstance(fetched, Refusal):
            raise BadRecord(f"its page could not be had: {fetched}", fetched)
        found = self.records.page(fetched.body, fetched.url, fetched.content_type)
        return self.records.new(found, fetched.url, title=entry.title, author=entry.author, declared=declared)

    def _declared(self, written: str) -> Declared | None:
        if not written.strip():
            return None
        parsed = parse_date(written, zone=time_zone_of(self.records.time_zone), now=self.records.now)
        return None if parsed is None else Declared(parsed[0], parsed[1], DateOrigin.FEED)
